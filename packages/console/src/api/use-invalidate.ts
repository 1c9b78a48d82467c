import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Fetches again whatever was read from these API paths, or from paths that begin so. The list must be a constant. */
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
