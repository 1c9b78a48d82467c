import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLiveEvents, useLiveState } from '../../../layout/live-updates'
import { type Call, type CallPage, type CallsQuery, readPage } from './read-page'

export interface LiveCalls {
  /** The newest calls, at the top of the list. */
  rows: Call[] | undefined
  /** The query for all older calls; null if there are none or if that is not known yet. */
  rest: CallsQuery | null
  /** The number of new calls that are not shown yet; counted up to `maxHead`. */
  newCount: number
  error: unknown
  retry(): void
  /** Shows the new calls. */
  showNew(): void
}

const headRows = 60
export const maxHead = 200
const batchMs = 700
const pollMs = 5_000

/**
 * The newest calls of a live list. They are separated from the older ones by a fixed moment, so that rows below do not move
 * when calls arrive. When this part of the list has grown long, the moment moves up.
 */
export function useLiveCalls(
  callsQuery: CallsQuery,
  { isLive, isHeld }: { isLive: boolean; isHeld: boolean },
): LiveCalls {
  const queries = useQueryClient()
  const name = JSON.stringify(callsQuery)
  // Counts how often the moment was moved.
  const [generation, setGeneration] = useState(0)
  const begin = useQuery({
    queryKey: ['head of calls', name, generation],
    queryFn: ({ signal }) => readPage(callsQuery, { cursor: null, limit: headRows, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: (before, query) => (query?.queryKey[1] === name ? before : undefined),
  })
  const bound = begin.data && boundOf(begin.data, callsQuery)
  const newer = useQuery({
    queryKey: ['new calls', name, bound],
    queryFn: ({ signal }) =>
      readPage({ ...callsQuery, from: bound ?? callsQuery.from }, { cursor: null, limit: maxHead, signal }),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const refresh = useRef(() => undefined as undefined | Promise<unknown>)
  refresh.current = () => (bound ? newer.refetch({ cancelRefetch: false }) : undefined)

  const state = useLiveState()
  const refetchTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents((event) => {
    if (event.type !== 'call' || !isLive) return
    refetchTimer.current ??= setTimeout(() => {
      refetchTimer.current = undefined
      void refresh.current()
    }, batchMs)
  })
  useEffect(() => () => clearTimeout(refetchTimer.current), [])
  useEffect(() => {
    if (!isLive || state === 'live' || state === 'paused') return
    const timer = setInterval(() => !document.hidden && void refresh.current(), pollMs)
    return () => clearInterval(timer)
  }, [isLive, state])

  const found = useMemo(() => {
    const all = newer.data ?? begin.data
    return bound === undefined ? all?.rows : all?.rows.filter(({ ts }) => ts >= bound)
  }, [newer.data, begin.data, bound])

  // The rows do not change while the list is paused or scrolled.
  const [shown, setShown] = useState<{ name: string; bound: string | undefined; rows: Call[] | undefined }>({
    name,
    bound,
    rows: found,
  })
  const isOther = shown.name !== name || shown.bound !== bound
  if ((isOther || !isHeld) && shown.rows !== found) setShown({ name, bound, rows: found })
  const rows = isOther || !isHeld ? found : shown.rows
  const isFull = newer.data !== undefined && newer.data.next !== null
  const newCount = found && rows && found !== rows ? countNew(found, rows) : 0

  const moveBound = () => setGeneration((before) => before + 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function only sets state
  useEffect(() => {
    if (isFull && !isHeld) moveBound()
  }, [isFull, isHeld])

  return {
    rows,
    rest: bound === undefined || begin.data?.next === null ? null : { ...callsQuery, to: bound },
    newCount,
    error: begin.error,
    retry: () => void queries.refetchQueries({ queryKey: ['head of calls', name] }),
    showNew: () => setShown({ name, bound, rows: found }),
  }
}

/** The moment at which the live part begins. The last row is excluded, because further calls of the same moment may be on the next page. */
function boundOf({ rows, next }: CallPage, { from }: CallsQuery): string {
  const last = rows.at(-1)
  return next === null || !last ? from : new Date(Date.parse(last.ts) + 1).toISOString()
}

function countNew(found: readonly Call[], shown: readonly Call[]): number {
  const known = new Set(shown.map(({ receiptSeq }) => receiptSeq))
  return found.filter(({ receiptSeq }) => !known.has(receiptSeq)).length
}
