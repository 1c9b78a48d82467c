import { useMemo } from 'react'
import { cx } from '../../components'
import { plural } from '../../format'
import { type DiffLine, diffLines } from '../../text-diff'

const rows: Record<DiffLine['kind'], string> = {
  same: '',
  added: 'bg-ok-soft',
  removed: 'bg-bad-soft',
}
const signs: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' }
const spoken: Record<DiffLine['kind'], string> = { same: '', added: 'added: ', removed: 'removed: ' }

/** A line diff. A sign beside each line marks changes without relying on colour. */
export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after])
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  return (
    <div>
      <p className="m-0 mb-1 text-xs text-ink-3">
        {before === after
          ? 'No differences'
          : `${plural(count('added'), 'line')} added, ${plural(count('removed'), 'line')} removed`}
      </p>
      <div
        role="region"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll long texts
        tabIndex={0}
        className="mono max-h-[60dvh] overflow-auto rounded-md border border-rule bg-raised py-2 !text-xs leading-5"
      >
        {lines.map((line, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
          <div key={n} className={cx('grid grid-cols-[2.25rem_2.25rem_1rem_1fr] px-2', rows[line.kind])}>
            <span aria-hidden className="pr-2 text-right text-ink-3 select-none">
              {line.before}
            </span>
            <span aria-hidden className="pr-2 text-right text-ink-3 select-none">
              {line.after}
            </span>
            <span aria-hidden className="text-ink-2 select-none">
              {signs[line.kind]}
            </span>
            <span className="min-w-0 break-words whitespace-pre-wrap">
              <span className="sr-only">{spoken[line.kind]}</span>
              {line.words.map(({ kind, items }, at) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by their position
                  key={at}
                  className={cx(
                    kind === 'added' && 'rounded-xs bg-ok/25',
                    kind === 'removed' && 'rounded-xs bg-bad/25',
                  )}
                >
                  {items.join('')}
                </span>
              ))}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
