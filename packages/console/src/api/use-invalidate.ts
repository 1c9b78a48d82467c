import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Refetches all queries whose path starts with one of the prefixes. The list must be a constant. */
export function useInvalidate(prefixes: readonly string[]): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => prefixes.some((prefix) => String(queryKey[0]).startsWith(prefix)),
      }),
    [queries, prefixes],
  )
}
