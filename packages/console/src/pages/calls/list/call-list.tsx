import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
} from 'react'
import { cx, ErrorState, Skeleton } from '../../../components'
import { formatInteger, plural } from '../../../format'
import { CallRow, columnsOf, type Layout, rowHeights } from './call-row'
import { formatLocal } from './clock'
import type { Call, CallsQuery } from './read-page'
import { useCallPages } from './use-call-pages'
import { maxHead, useLiveCalls } from './use-live-calls'

export interface CallListProps {
  callsQuery: CallsQuery
  isLive: boolean
  isPaused: boolean
  timeZone: string
  openId: string | undefined
  onOpen(call: Call): void
  /** Shown instead of an empty list. */
  empty: ReactNode
  /** Receives the first row, which has the names of the filtered values. */
  onFirst(call: Call | undefined): void
  /** Set to a function that opens the next or previous call. */
  stepRef: { current: ((by: 1 | -1) => void) | null }
}

const overscan = 12

// Browsers limit the height of an element to 33,554,432 pixels.
const maxHeight = 33_000_000

/** A virtual list of calls, newest first. New calls appear at the top. */
export function CallList(props: CallListProps) {
  const { callsQuery, isLive, isPaused, timeZone, openId, onOpen, empty, onFirst, stepRef } = props
  const listId = useId()
  const [box, setBox] = useState<HTMLElement | null>(null)
  const { layout, margin } = useRowLayout(box)
  const [isAtTop, setAtTop] = useState(true)
  const [view, setView] = useState({ from: 0, to: 40 })
  const [active, setActive] = useState(0)

  const isHeld = isPaused || !isAtTop || openId !== undefined
  const head = useLiveCalls(callsQuery, { isLive, isHeld })
  const headCount = head.rows?.length ?? 0
  const pages = useCallPages(head.rest, { from: view.from - headCount, to: view.to - headCount })
  const known = headCount + pages.count
  const rowAt = (index: number) => (index < headCount ? head.rows?.[index] : pages.rowAt(index - headCount))

  const height = rowHeights[layout]
  const maxRows = Math.floor(maxHeight / height)
  const count = Math.min(known, maxRows)
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan,
    scrollMargin: margin,
    onChange: (instance) => {
      const { range } = instance
      if (range) setView((before) => sameView(before, range.startIndex, range.endIndex))
      setAtTop((instance.scrollOffset ?? 0) < 24)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row height requires a new measurement
  useLayoutEffect(() => virtualizer.measure(), [height, virtualizer])

  const first = rowAt(0)
  useEffect(() => onFirst(first), [first, onFirst])

  const open = useCallback(
    (call: Call, index: number) => {
      setActive(index)
      onOpen(call)
    },
    [onOpen],
  )
  const openIndexNear = () => {
    const shown = virtualizer.getVirtualItems().find(({ index }) => rowAt(index)?.requestId === openId)
    return shown?.index ?? (rowAt(active)?.requestId === openId ? active : null)
  }
  const go = (to: number, scrollAndOpen: boolean) => {
    const index = Math.max(0, Math.min(count - 1, to))
    setActive(index)
    scrollIntoView(index, { margin, height })
    const call = rowAt(index)
    if (scrollAndOpen && call) onOpen(call)
  }
  // A call with several attempts has several rows, but is a single step.
  const beyond = (from: number, by: 1 | -1) => {
    let index = from + by
    while (openId !== undefined && rowAt(index)?.requestId === openId) index += by
    return index
  }
  stepRef.current = (by) => go(beyond(openIndexNear() ?? active - by, by), true)

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(innerHeight / height) - 4)
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count }[
      event.key
    ]
    if (by !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      const isStep = openId !== undefined && (by === 1 || by === -1)
      go(isStep ? beyond(active, by) : active + by, openId !== undefined)
    }
    const call = rowAt(active)
    if (event.key === 'Enter' && call) onOpen(call)
  }

  const error = head.error ?? pages.error
  const isLoading = head.rows === undefined
  if (isLoading && error) return <ErrorState error={error} retry={head.retry} />
  if (!isLoading && known === 0 && !pages.hasMore) return empty
  const today = formatLocal(new Date(), timeZone).day
  const items = virtualizer.getVirtualItems()
  // Rows that leave the view are reused for those that enter it, so the DOM stays small.
  const slots = Math.ceil(innerHeight / height) + 2 * overscan + 2
  return (
    <div className="relative">
      {head.newCount > 0 && !isPaused && (
        <NewCalls
          count={head.newCount}
          onShow={() => {
            head.showNew()
            scrollTo({ top: 0 })
          }}
        />
      )}
      {layout !== 'narrow' && <ColumnNames layout={layout} />}
      <div
        ref={setBox}
        role="grid"
        id={listId}
        tabIndex={0}
        aria-label="Calls, newest first"
        aria-rowcount={pages.hasMore ? -1 : known + 1}
        aria-busy={isLoading}
        aria-activedescendant={
          items.some(({ index }) => index === active) ? `${listId}-${active}` : undefined
        }
        data-calls
        onKeyDown={onKeyDown}
        className="group relative outline-none"
        style={{ height: isLoading ? height * 16 : virtualizer.getTotalSize() }}
      >
        {isLoading ? (
          <SkeletonRows count={16} top={0} height={height} />
        ) : (
          items.map(({ index, start }) => {
            const call = rowAt(index)
            const top = start - margin
            return call ? (
              <CallRow
                key={index % slots}
                id={`${listId}-${index}`}
                index={index}
                call={call}
                layout={layout}
                top={top}
                timeZone={timeZone}
                today={today}
                isOpen={call.requestId === openId}
                isActive={index === active}
                onOpen={open}
              />
            ) : (
              <SkeletonRows key={`waiting ${index % slots}`} count={1} top={top} height={height} />
            )
          })
        )}
      </div>
      <ListEnd
        known={known}
        maxRows={maxRows}
        hasMore={pages.hasMore}
        isLoading={isLoading}
        error={error}
        retry={pages.retry}
      />
    </div>
  )
}

/** Rounds to twenty rows, so that scrolling does not trigger a request per row. */
function sameView(before: { from: number; to: number }, start: number, end: number) {
  const from = Math.floor(start / 20) * 20
  const to = Math.ceil((end + 1) / 20) * 20
  return before.from === from && before.to === to ? before : { from, to }
}

/** The layout of the rows, and their distance from the top of the page. */
function useRowLayout(element: HTMLElement | null): { layout: Layout; margin: number } {
  const [place, setPlace] = useState<{ layout: Layout; margin: number }>({ layout: 'wide', margin: 0 })
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => {
      const width = element.clientWidth
      const layout = width >= 860 ? 'wide' : width >= 540 ? 'medium' : 'narrow'
      const margin = Math.round(element.getBoundingClientRect().top + scrollY)
      setPlace((before) =>
        before.layout === layout && before.margin === margin ? before : { layout, margin },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return place
}

/** Scrolls a row between the sticky header and the bottom of the window. */
function scrollIntoView(index: number, { margin, height }: { margin: number; height: number }): void {
  const stuck = 104
  const top = margin + index * height
  if (top - scrollY < stuck) scrollTo({ top: index === 0 ? 0 : top - stuck })
  else if (top + height - scrollY > innerHeight - 16) scrollTo({ top: top + height - innerHeight + 16 })
}

function ColumnNames({ layout }: { layout: 'wide' | 'medium' }) {
  const isWide = layout === 'wide'
  return (
    <div
      aria-hidden
      className={cx(
        'sticky top-14 z-10 grid h-8 items-center gap-x-4 border-b border-rule-2 bg-ground px-2 text-xs font-medium text-ink-3',
        columnsOf[layout],
      )}
    >
      <span>Time</span>
      <span>Key</span>
      {isWide && <span>Person · team</span>}
      <span>Model or tool</span>
      <span>Outcome</span>
      {isWide && <span className="text-right">Tokens</span>}
      <span className="text-right">Cost</span>
      {isWide && <span className="text-right">Duration</span>}
    </div>
  )
}

const NewCalls = ({ count, onShow }: { count: number; onShow(): void }) => (
  <div className="pointer-events-none sticky top-[92px] z-10 h-0">
    <div className="flex justify-center pt-2">
      <button
        type="button"
        onClick={onShow}
        className="pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full border border-rule-2 bg-raised px-3 text-xs font-medium text-accent shadow-float hover:bg-accent-soft"
      >
        <ArrowUp size={13} aria-hidden />
        {count >= maxHead ? `${maxHead}+ new` : `${formatInteger(count)} new`}
      </button>
    </div>
  </div>
)

const widths = ['w-24', 'w-32', 'w-20', 'w-28']

const SkeletonRows = ({ count, top, height }: { count: number; top: number; height: number }) =>
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
function ListEnd({ known, maxRows, hasMore, isLoading, error, retry }: ListEndProps) {
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
