import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type Call, type CallPage, type CallsQuery, readPage } from './read-page'

/** A page with its cursor and, once it was loaded, its number of rows. */
interface KnownPage {
  cursor: string | null
  first: number
  count: number
}

export interface CallPages {
  /** The number of known rows. */
  count: number
  /** Undefined while the page is loading, also again after it was evicted. */
  rowAt(index: number): Call | undefined
  /** More calls may follow the known rows. */
  hasMore: boolean
  isLoadingMore: boolean
  error: unknown
  retry(): void
}

// Pages out of view are evicted after this time and reloaded when the user scrolls back, so that memory is bounded however
// long the list is.
const forgetAfterMs = 30_000

/**
 * The calls of a query, newest first, in pages that are loaded as they scroll into view.
 * A page is reloaded by the cursor that it was first loaded with.
 */
export function useCallPages(callsQuery: CallsQuery | null, view: { from: number; to: number }): CallPages {
  const queries = useQueryClient()
  const name = JSON.stringify(callsQuery)
  const [known, setKnown] = useState<{ name: string; pages: KnownPage[]; next: string | null | undefined }>({
    name,
    pages: [],
    next: undefined,
  })
  const current = known.name === name ? known : { name, pages: [], next: undefined }
  const count = current.pages.reduce((sum, page) => sum + page.count, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name contains the whole query
  const options = useCallback(
    (cursor: string | null) => ({
      queryKey: ['list of calls', name, cursor] as const,
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<CallPage> =>
        callsQuery ? readPage(callsQuery, { cursor, signal }) : Promise.resolve({ rows: [], next: null }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: forgetAfterMs,
    }),
    [name],
  )

  const hasMore = callsQuery !== null && current.next !== null
  const isMoreWanted = hasMore && view.to >= count - prefetchRows
  const following = useQuery({
    ...options(current.next ?? null),
    enabled: isMoreWanted,
  })
  if (isMoreWanted && following.data && !following.isPlaceholderData) {
    const { rows, next } = following.data
    const page = { cursor: current.next ?? null, first: count, count: rows.length }
    setKnown({ name, pages: [...current.pages, page], next })
  }

  const shown = current.pages.filter(
    ({ first, count: rows }) => first + rows >= view.from && first <= view.to,
  )
  const answers = useQueries({ queries: shown.map(({ cursor }) => options(cursor)) })
  const pages = new Map(shown.map((page, n) => [page, answers[n]?.data]))
  const failed = answers.find(({ error }) => error)

  return {
    count,
    rowAt(index) {
      const page = shown.find(({ first, count: rows }) => index >= first && index < first + rows)
      return page && pages.get(page)?.rows[index - page.first]
    },
    hasMore,
    isLoadingMore: isMoreWanted && following.isFetching,
    error: following.error ?? failed?.error ?? null,
    retry() {
      void queries.refetchQueries({
        queryKey: ['list of calls', name],
        predicate: ({ state }) => state.status === 'error',
      })
    },
  }
}

const prefetchRows = 40
