import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiPages, useInvalidate } from '../../api'

/** Loads all pages: a tenant has dozens of budgets, and the list is sorted by state. */
export function useBudgets() {
  const budgets = useInfiniteQuery(apiPages('/v1/budgets', { limit: 200 }))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = budgets
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return budgets
}

/** The paths to refetch after a change of a budget or request. */
export const budgetPaths = ['/v1/budgets'] as const
export const useRefreshBudgets = () => useInvalidate(budgetPaths)
