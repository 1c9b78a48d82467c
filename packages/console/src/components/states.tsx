import RotateCw from 'lucide-react/icons/rotate-cw'
import type { ReactNode } from 'react'
import { messageOf } from '../api'
import { Button } from './button'
import { cx } from './class-names'

/** A placeholder of the same size as the content, so that the layout does not shift. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden
    className={cx(
      'block skeleton animate-[breathe_1.6s_ease-in-out_infinite] rounded-sm bg-sunken',
      className ?? 'h-4 w-full',
    )}
  />
)

/** The empty state of a list: what it would contain and what to do next. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-start gap-3 border-y border-rule py-10">
      <p className="m-0 text-base font-medium">{title}</p>
      {children && <div className="max-w-prose text-sm text-ink-2">{children}</div>}
      {action}
    </div>
  )
}

/** An error message with a button to retry. */
export function ErrorState({
  error,
  retry,
  className,
}: {
  error: unknown
  retry?: () => void
  className?: string
}) {
  return (
    <div
      role="alert"
      className={cx('flex flex-wrap items-center gap-3 border-l-2 border-bad py-2 pl-3 text-sm', className)}
    >
      <span className="text-ink">{messageOf(error)}</span>
      {retry && (
        <Button size="sm" onClick={retry} icon={<RotateCw size={13} aria-hidden />}>
          Try again
        </Button>
      )}
    </div>
  )
}
