import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiPages, useInvalidate } from '../../api'

/** All of them: a tenant has tens, and the worst are to come first. */
export function useBudgets() {
  const budgets = useInfiniteQuery(apiPages('/v1/budgets', { limit: 200 }))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = budgets
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return budgets
}

/** What changes with a budget or a request. */
export const budgetPaths = ['/v1/budgets'] as const
export const useRefreshBudgets = () => useInvalidate(budgetPaths)
