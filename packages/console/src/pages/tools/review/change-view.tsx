import { useMemo, useState } from 'react'
import { cx, Tag } from '../../../components'
import { formatInteger } from '../../../format'
import type { Change, DiffLine } from '../../../text-diff'
import type { Tool } from '../use-servers'
import { foldLines, type LineGroup, type ShownChange, showChanges } from './changes'
import { ShownText } from './shown-text'

/** The differences from the approved definition. */
export function ChangeList({ tool }: { tool: Tool }) {
  const shown = useMemo(
    () => showChanges(tool.diff, { approved: tool.approved, newest: tool.definition }),
    [tool],
  )
  return (
    <ul aria-label="Changes" className="m-0 list-none p-0">
      {shown.map((change) => (
        <li key={change.path} className="border-b border-rule py-3 last:border-b-0">
          <div className="mb-1.5 flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
            <span className="text-sm font-medium">
              <ShownText text={change.title} />
            </span>
            {change.kind !== 'changed' && (
              <Tag tone={change.kind === 'added' ? 'ok' : 'bad'}>{change.kind}</Tag>
            )}
            <code className="text-2xs break-all text-ink-3">
              <ShownText text={change.path} />
            </code>
          </div>
          <Body change={change} />
        </li>
      ))}
    </ul>
  )
}

function Body({ change: { body, kind } }: { change: ShownChange }) {
  if (body.type === 'lines') return <Lines lines={body.lines} />
  return (
    <p className="m-0 max-w-prose text-sm leading-6">
      <Words words={body.words} isWhole={kind !== 'changed'} />
    </p>
  )
}

/** Removed words are struck through and added ones underlined, so that colour is not required. */
function Words({ words, isWhole = false }: { words: readonly Change<string>[]; isWhole?: boolean }) {
  const whole = words.flatMap(({ items }) => items).join('')
  return words.map(({ kind, items }, at) => {
    const text = <ShownText text={items.join('')} whole={whole} />
    if (kind === 'same')
      // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by their position
      return <span key={at}>{text}</span>
    const Element = kind === 'added' ? 'ins' : 'del'
    const isReplaced = kind === 'added' && words[at - 1]?.kind === 'removed'
    return (
      <Element
        // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by their position
        key={at}
        className={cx(
          'rounded-xs px-0.5 [box-decoration-break:clone]',
          kind === 'added'
            ? 'bg-ok-soft decoration-ok underline decoration-1 underline-offset-3'
            : 'bg-bad-soft text-ink-2 decoration-bad line-through',
          isWhole && 'no-underline',
          isReplaced && 'ml-0.5',
        )}
      >
        <span className="sr-only">{kind}: </span>
        {text}
        <span className="sr-only">, end of {kind}; </span>
      </Element>
    )
  })
}

const rows: Record<DiffLine['kind'], string> = { same: '', added: 'bg-ok-soft', removed: 'bg-bad-soft' }
const signs: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' }

/** A line diff of JSON. Long unchanged stretches are folded. */
function Lines({ lines }: { lines: readonly DiffLine[] }) {
  const groups = useMemo(() => foldLines(lines), [lines])
  return (
    <div
      role="group"
      aria-label="Changed lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll long texts
      tabIndex={0}
      className="mono max-h-[60dvh] overflow-auto rounded-md border border-rule bg-raised py-1.5 !text-xs leading-5"
    >
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups are identified by their position
        <Group key={at} group={group} />
      ))}
    </div>
  )
}

function Group({ group: { isFolded, lines } }: { group: LineGroup }) {
  const [isOpen, setOpen] = useState(!isFolded)
  if (!isOpen)
    return (
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="block w-full bg-sunken px-2 text-left font-sans text-ink-3 hover:text-ink focus-visible:-outline-offset-2"
      >
        {formatInteger(lines.length)} lines that stay: show them
      </button>
    )
  return lines.map((line, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
    <div key={n} className={cx('grid grid-cols-[1rem_1fr] px-2', rows[line.kind])}>
      <span aria-hidden className="text-ink-2 select-none">
        {signs[line.kind]}
      </span>
      <span className="min-w-0">
        {line.kind !== 'same' && <span className="sr-only">{line.kind}: </span>}
        {line.words.map(({ kind, items }, at) => (
          <ShownText
            // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by their position
            key={at}
            text={items.join('')}
            className={cx(
              kind === 'added' && 'rounded-xs bg-ok/25',
              kind === 'removed' && 'rounded-xs bg-bad/25',
            )}
          />
        ))}
      </span>
    </div>
  ))
}
