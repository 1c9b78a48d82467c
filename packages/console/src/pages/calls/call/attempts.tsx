import { cx, Money, nameOfOutcome, Status, toneOfOutcome } from '../../../components'
import { formatDuration, formatInteger, plural } from '../../../format'
import type { CallDetail } from './call-detail'
import { Part } from './part'

type Attempt = CallDetail['attempts'][number]

/** The attempts of a call. A single attempt is not listed. */
export function Attempts({ call: { attempts } }: { call: CallDetail }) {
  if (attempts.length < 2) return null
  const totalMs = attempts.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0)
  const totalUsd = attempts.reduce((sum, { costUsd }) => sum + costUsd, 0)
  let startMs = 0
  const bars = attempts.map((attempt) => {
    const bar = { attempt, startMs, durationMs: attempt.latencyMs ?? 0 }
    startMs += bar.durationMs
    return bar
  })
  return (
    <Part
      title={plural(attempts.length, 'attempt')}
      aside={
        <>
          <Money usd={totalUsd} /> total
        </>
      }
    >
      <ol aria-label="Attempts" className="m-0 list-none border-t border-rule p-0">
        {bars.map(({ attempt, startMs, durationMs }) => (
          <li
            key={attempt.attempt}
            className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-baseline gap-x-2 border-b border-rule py-1.5 text-sm"
          >
            <span className="num text-xs text-ink-3">{attempt.attempt}</span>
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <code className="min-w-0 truncate">{nameOf(attempt)}</code>
              <span className="text-xs">
                <Status tone={toneOfOutcome(attempt.outcome)}>
                  {nameOfOutcome(attempt.outcome)}
                  {attempt.status !== null && attempt.outcome !== 'ok' && `, ${attempt.status}`}
                </Status>
              </span>
              {attempt.cache === 'hit' && <span className="text-xs text-ink-3">from the cache</span>}
            </span>
            <span className="num text-right text-xs whitespace-nowrap text-ink-3">
              {attempt.latencyMs === null ? '–' : formatDuration(attempt.latencyMs)} ·{' '}
              <Money usd={attempt.costUsd} />
            </span>
            <span
              aria-hidden
              title={`Receipt ${formatInteger(attempt.receiptSeq)}`}
              className="relative col-span-2 col-start-2 mt-1 h-1.5 border-l border-rule"
            >
              <span
                className={cx(
                  'absolute inset-y-0 min-w-0.5 rounded-[2px]',
                  fills[toneOfOutcome(attempt.outcome)],
                )}
                style={{
                  left: `${(startMs / Math.max(1, totalMs)) * 100}%`,
                  width: `${(durationMs / Math.max(1, totalMs)) * 100}%`,
                }}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className="m-0 mt-1.5 text-xs text-ink-3">
        Each attempt has its own checks, cost and receipt. The details below are those of the last attempt.
      </p>
    </Part>
  )
}

const nameOf = ({ provider, model }: Attempt) =>
  provider === null ? (model ?? 'no target') : model === null ? provider : `${provider}/${model}`

const fills = { ok: 'bg-accent', accent: 'bg-accent', warn: 'bg-warn', bad: 'bg-bad', neutral: 'bg-ink-3' }
