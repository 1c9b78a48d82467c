import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { cx } from './class-names'

export const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="m-0 flex list-none flex-col p-0">{children}</ol>
)

/** One step of a guided procedure. */
export function Step({
  n,
  at,
  title,
  isLast = false,
  children,
}: {
  n: number
  /** The number of the current step. */
  at: number
  title: ReactNode
  isLast?: boolean
  children?: ReactNode
}) {
  const isDone = n < at
  const isNow = n === at
  return (
    <li
      aria-current={isNow ? 'step' : undefined}
      className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-3 text-sm"
    >
      <div className="flex flex-col items-center">
        <span
          className={cx(
            'num flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium',
            isDone && 'border-ok bg-ok-soft text-ok',
            isNow && 'border-accent bg-accent text-accent-ink',
            !isDone && !isNow && 'border-rule-2 text-ink-3',
          )}
        >
          {isDone ? <Check size={13} aria-hidden /> : n + 1}
        </span>
        {!isLast && <span aria-hidden className={cx('w-px flex-1', isDone ? 'bg-ok' : 'bg-rule-2')} />}
      </div>
      <div className={cx('min-w-0', isLast ? '' : 'pb-6')}>
        <p className={cx('m-0 mb-2 leading-6 font-semibold', !isDone && !isNow && 'text-ink-3')}>{title}</p>
        {children}
      </div>
    </li>
  )
}
