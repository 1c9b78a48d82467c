import { cx, ErrorState, Skeleton } from '../../../components'
import { plural } from '../../../format'

const widths = ['w-24', 'w-32', 'w-20', 'w-28']

export const SkeletonRows = ({ count, top, height }: { count: number; top: number; height: number }) =>
  Array.from({ length: count }, (_, n) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows are identical
      key={n}
      aria-hidden
      className="absolute inset-x-0 top-0 flex items-center gap-10 border-b border-rule px-2"
      style={{ transform: `translateY(${top + n * height}px)`, height }}
    >
      <Skeleton className="h-3 w-16" />
      <Skeleton className={cx('h-3', widths[n % widths.length])} />
      <Skeleton className={cx('h-3 max-sm:hidden', widths[(n + 2) % widths.length])} />
      <Skeleton className="ml-auto h-3 w-14" />
    </div>
  ))

interface ListEndProps {
  known: number
  maxRows: number
  hasMore: boolean
  isLoading: boolean
  error: unknown
  retry(): void
}

/** The state after the last row: more calls, a search in progress, an error, or the end. */
export function ListEnd({ known, maxRows, hasMore, isLoading, error, retry }: ListEndProps) {
  if (isLoading) return null
  if (error) return <ErrorState error={error} retry={retry} className="my-3" />
  if (known >= maxRows)
    return (
      <p className="m-0 px-2 py-4 text-sm text-ink-2">More calls match. Choose a shorter time range above.</p>
    )
  return (
    <p className="m-0 px-2 py-4 text-xs text-ink-3" aria-live="polite">
      {hasMore ? 'Searching older calls …' : `End of list: ${plural(known, 'call')}.`}
    </p>
  )
}
