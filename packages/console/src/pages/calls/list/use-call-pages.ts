import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type Call, type CallPage, type CallsQuestion, readPage } from './read-page'

/** A page whose place in the list is known: where it begins, and how many rows it has once it was read. */
interface KnownPage {
  cursor: string | null
  first: number
  count: number
}

export interface CallPages {
  /** How many rows are known to be there. */
  count: number
  /** Undefined while its page is on its way, also again after it was forgotten. */
  rowAt(index: number): Call | undefined
  /** There may be more after those that are known. */
  hasMore: boolean
  isLoadingMore: boolean
  error: unknown
  retry(): void
}

// A page that nobody looks at is forgotten after this long, and read again when somebody scrolls back to it: the list holds what is on
// the screen and around it, however long it is.
const forgetAfterMs = 30_000

/**
 * The calls of a question, newest first, in pages that are read as they come into view.
 * A page is found again by the cursor that it was read with.
 */
export function useCallPages(question: CallsQuestion | null, view: { from: number; to: number }): CallPages {
  const queries = useQueryClient()
  const name = JSON.stringify(question)
  const [book, setBook] = useState<{ name: string; pages: KnownPage[]; next: string | null | undefined }>({
    name,
    pages: [],
    next: undefined,
  })
  const current = book.name === name ? book : { name, pages: [], next: undefined }
  const count = current.pages.reduce((sum, page) => sum + page.count, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its name says all of the question
  const options = useCallback(
    (cursor: string | null) => ({
      queryKey: ['list of calls', name, cursor] as const,
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<CallPage> =>
        question ? readPage(question, { cursor, signal }) : Promise.resolve({ rows: [], next: null }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: forgetAfterMs,
    }),
    [name],
  )

  const hasMore = question !== null && current.next !== null
  const isMoreWanted = hasMore && view.to >= count - prefetchRows
  const following = useQuery({
    ...options(current.next ?? null),
    enabled: isMoreWanted,
  })
  if (isMoreWanted && following.data && !following.isPlaceholderData) {
    const { rows, next } = following.data
    const page = { cursor: current.next ?? null, first: count, count: rows.length }
    setBook({ name, pages: [...current.pages, page], next })
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
