import type { ReactNode } from 'react'
import { cx, Dot, type Tone } from '../../../components'
import { plural } from '../../../format'
import { marksOf } from './marks'
import type { Trial, TrialResult } from './use-trial'

const boxes: Partial<Record<Tone, string>> = {
  warn: 'border-warn bg-warn-soft',
  accent: 'border-accent bg-accent-soft',
  ok: 'border-rule-2 bg-raised',
}

/** The verdict in a box with its title. */
function VerdictBox({ tone, title, children }: { tone: Tone; title: string; children?: ReactNode }) {
  return (
    <div
      className={cx('rounded-md border px-3 py-2.5 text-sm', boxes[tone] ?? 'border-rule-2')}
      role="status"
    >
      <p className="m-0 flex items-center gap-2 font-semibold">
        <Dot tone={tone} /> {title}
      </p>
      {children && <div className="mt-1 text-ink-2">{children}</div>}
    </div>
  )
}

export function Verdict({
  result,
  call,
  nameOf,
}: {
  result: TrialResult
  call: Trial['call']
  /** The name of a policy by its reference. */
  nameOf(reference: string): string | null
}) {
  const isAnswer = call.phase === 'output'
  const marks = marksOf(result.findings)
  const text = String(result.messages[0]?.content ?? '')
  const flagged = result.checks.filter(({ result, action }) => result === 'fail' && action === 'flag')
  if (result.outcome === 'blocked')
    return (
      <VerdictBox
        tone="warn"
        title={isAnswer ? 'The response would be blocked' : 'The request would be blocked'}
      >
        <p className="m-0 break-words">{result.error?.message}</p>
        <p className="m-0 mt-1 text-xs">
          The caller gets {result.error?.code} <code>{result.error?.type}</code>
          {isAnswer
            ? '; the response was generated, so it is charged.'
            : '; nothing is sent to the provider.'}
        </p>
      </VerdictBox>
    )
  if (result.outcome === 'redacted') {
    const replaced = marks.filter(({ finding }) => finding.replacement !== null)
    return (
      <>
        <VerdictBox tone="accent" title={`${plural(replaced.length, 'match', 'matches')} would be redacted`}>
          {isAnswer ? 'The caller sees:' : 'The provider gets:'}
        </VerdictBox>
        <RedactedText text={text} placeholders={replaced.map(({ finding }) => finding.replacement ?? '')} />
      </>
    )
  }
  if (flagged.length > 0)
    return (
      <VerdictBox tone="ok" title="The text would pass and be flagged">
        The receipt records the flag of{' '}
        {flagged.map(({ policy = '' }) => `“${nameOf(policy) ?? 'a policy'}”`).join(', ')}.
      </VerdictBox>
    )
  return (
    <VerdictBox tone="ok" title="The text would pass">
      {isAnswer ? 'The caller sees it unchanged.' : 'It is sent to the provider unchanged.'}
    </VerdictBox>
  )
}

/** The redacted text, with its placeholders highlighted. */
function RedactedText({ text, placeholders }: { text: string; placeholders: readonly string[] }) {
  const known = new Set(placeholders)
  let at = 0
  return (
    <p className="m-0 max-h-56 overflow-y-auto rounded-md bg-sunken px-3 py-2.5 text-sm leading-6 break-words whitespace-pre-wrap">
      {text.split(/(\[[A-Z][A-Z0-9_]*_\d+\])/).map((piece) => {
        const key = at
        at += piece.length
        return known.has(piece) ? (
          <mark key={key} className="mono rounded-xs bg-accent-soft px-0.5 text-accent">
            {piece}
          </mark>
        ) : (
          <span key={key}>{piece}</span>
        )
      })}
    </p>
  )
}
