import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
} from 'react'
import { ErrorState } from '../../../components'
import { CallRow, rowHeights } from './call-row'
import { formatLocal } from './clock'
import { ListEnd, SkeletonRows } from './list-end'
import { ColumnNames, NewCalls } from './list-header'
import type { Call, CallsQuery } from './read-page'
import { useCallPages } from './use-call-pages'
import { useLiveCalls } from './use-live-calls'
import { scrollIntoView, useRowLayout } from './use-row-layout'

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
  const goTo = (to: number, scrollAndOpen: boolean) => {
    const index = Math.max(0, Math.min(count - 1, to))
    setActive(index)
    scrollIntoView(index, { margin, height })
    const call = rowAt(index)
    if (scrollAndOpen && call) onOpen(call)
  }
  // A call with several attempts has several rows, but is a single step.
  const nextIndex = (from: number, by: 1 | -1) => {
    let index = from + by
    while (openId !== undefined && rowAt(index)?.requestId === openId) index += by
    return index
  }
  stepRef.current = (by) => goTo(nextIndex(openIndexNear() ?? active - by, by), true)

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(innerHeight / height) - 4)
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count }[
      event.key
    ]
    if (by !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      const isStep = openId !== undefined && (by === 1 || by === -1)
      goTo(isStep ? nextIndex(active, by) : active + by, openId !== undefined)
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
              <SkeletonRows key={`loading ${index % slots}`} count={1} top={top} height={height} />
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
