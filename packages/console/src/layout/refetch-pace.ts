import { hashKey, type Query, type QueryClient } from '@tanstack/react-query'

const minPauseMs = 3_000
const maxPauseMs = 300_000
// A tab keeps the service busy for at most one twentieth of the time, however often something happens.
const pausePerMs = 20

/** Refetches what events have made stale: cheap reports at once, expensive ones in proportion to what their last answer took. */
export interface RefetchPace {
  /** Marks the queries of these paths as stale. Those that are shown are refetched when their pause is over. */
  markStale(paths: Iterable<string>): void
  close(): void
}

export function startRefetchPace(queries: QueryClient): RefetchPace {
  const cache = queries.getQueryCache()
  const answers = new WeakMap<Query, { beganMs: number; tookMs: number }>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== 'updated') return
    const now = performance.now()
    const answer = answers.get(event.query)
    if (event.action.type === 'fetch') answers.set(event.query, { beganMs: now, tookMs: answer?.tookMs ?? 0 })
    else if (event.action.type === 'success' && answer) answer.tookMs = now - answer.beganMs
  })

  /** The time until a query may be fetched again, at least the three seconds in which more events may arrive. */
  function pauseOf(query: Query): number {
    const answer = answers.get(query)
    if (answer === undefined) return minPauseMs
    const pauseMs = Math.min(maxPauseMs, answer.tookMs * (pausePerMs + 1))
    return Math.max(minPauseMs, answer.beganMs + pauseMs - performance.now())
  }

  return {
    markStale(paths) {
      const stale = new Set(paths)
      for (const query of cache.findAll({ predicate: ({ queryKey }) => stale.has(String(queryKey[0])) })) {
        const { queryKey } = query
        const name = hashKey(queryKey)
        if (timers.has(name)) continue
        const refetch = () => {
          timers.delete(name)
          void queries.invalidateQueries({ queryKey, exact: true })
        }
        timers.set(name, setTimeout(refetch, pauseOf(query)))
      }
    },
    close() {
      unsubscribe()
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
