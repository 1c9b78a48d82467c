import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLiveEvents, useLiveState } from '../../../layout/live-updates'
import { type Call, type CallPage, type CallsQuestion, readPage } from './read-page'

export interface LiveCalls {
  /** The newest calls, those that the list begins with. */
  rows: Call[] | undefined
  /** Everything before them. Null where there is nothing, and while that is not known. */
  rest: CallsQuestion | null
  /** How many calls came in that are not shown yet; more than `maxHead` are not counted. */
  waiting: number
  error: unknown
  retry(): void
  /** Shows what waits. */
  catchUp(): void
}

const headRows = 60
export const maxHead = 200
const gatherMs = 700
const pollMs = 5_000

/**
 * The head of a list whose end is now. Where it meets the rest is a moment that stays, so that nothing of the rest moves when calls come
 * in; when the head has grown long, that moment moves up.
 */
export function useLiveCalls(
  question: CallsQuestion,
  { isLive, isHeld }: { isLive: boolean; isHeld: boolean },
): LiveCalls {
  const queries = useQueryClient()
  const name = JSON.stringify(question)
  // Counts how often the moment has moved up.
  const [turn, setTurn] = useState(0)
  const begin = useQuery({
    queryKey: ['head of calls', name, turn],
    queryFn: ({ signal }) => readPage(question, { cursor: null, limit: headRows, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: (before, query) => (query?.queryKey[1] === name ? before : undefined),
  })
  const bound = begin.data && boundOf(begin.data, question)
  const newer = useQuery({
    queryKey: ['new calls', name, bound],
    queryFn: ({ signal }) =>
      readPage({ ...question, from: bound ?? question.from }, { cursor: null, limit: maxHead, signal }),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const refresh = useRef(() => undefined as undefined | Promise<unknown>)
  refresh.current = () => (bound ? newer.refetch({ cancelRefetch: false }) : undefined)

  const state = useLiveState()
  const gathering = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents((event) => {
    if (event.type !== 'call' || !isLive) return
    gathering.current ??= setTimeout(() => {
      gathering.current = undefined
      void refresh.current()
    }, gatherMs)
  })
  useEffect(() => () => clearTimeout(gathering.current), [])
  useEffect(() => {
    if (!isLive || state === 'live' || state === 'resting') return
    const timer = setInterval(() => !document.hidden && void refresh.current(), pollMs)
    return () => clearInterval(timer)
  }, [isLive, state])

  const found = useMemo(() => {
    const all = newer.data ?? begin.data
    return bound === undefined ? all?.rows : all?.rows.filter(({ ts }) => ts >= bound)
  }, [newer.data, begin.data, bound])

  // What is shown stays as it is while the list is held.
  const [shown, setShown] = useState<{ name: string; bound: string | undefined; rows: Call[] | undefined }>({
    name,
    bound,
    rows: found,
  })
  const isOther = shown.name !== name || shown.bound !== bound
  if ((isOther || !isHeld) && shown.rows !== found) setShown({ name, bound, rows: found })
  const rows = isOther || !isHeld ? found : shown.rows
  const isFull = newer.data !== undefined && newer.data.next !== null
  const waiting = found && rows && found !== rows ? countNew(found, rows) : 0

  const moveUp = () => setTurn((before) => before + 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls only sets state
  useEffect(() => {
    if (isFull && !isHeld) moveUp()
  }, [isFull, isHeld])

  return {
    rows,
    rest: bound === undefined || begin.data?.next === null ? null : { ...question, to: bound },
    waiting,
    error: begin.error,
    retry: () => void queries.refetchQueries({ queryKey: ['head of calls', name] }),
    catchUp: () => setShown({ name, bound, rows: found }),
  }
}

/** From then on calls are in the head. The last row's own moment is the rest's: more calls of it may be on the next page. */
function boundOf({ rows, next }: CallPage, { from }: CallsQuestion): string {
  const last = rows.at(-1)
  return next === null || !last ? from : new Date(Date.parse(last.ts) + 1).toISOString()
}

function countNew(found: readonly Call[], shown: readonly Call[]): number {
  const known = new Set(shown.map(({ receiptSeq }) => receiptSeq))
  return found.filter(({ receiptSeq }) => !known.has(receiptSeq)).length
}
