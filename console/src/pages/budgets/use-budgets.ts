import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askPages } from '../../api'

/** All of them: a tenant has tens, and the worst are to come first. */
export function useBudgets() {
  const budgets = useInfiniteQuery(askPages('/v1/budgets', { limit: 200 }))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = budgets
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return budgets
}

/** Asks again whatever shows budgets or requests. */
export function useRefreshBudgets() {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(
      ['/v1/budgets', '/v1/budgets/{id}', '/v1/budgets/requests'].map((path) =>
        queries.invalidateQueries({ queryKey: [path] }),
      ),
    )
  }
}
