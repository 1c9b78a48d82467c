import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readUsage } from '../../usage'
import type { Paint } from '../types'
import { otherPaint, paintOf } from './colors'

/**
 * Which model has which colour: the first by spend in 90 days have one each. Asked once and kept while the page is open, under a key of
 * its own, so that no colour changes hands before one's eyes and all pages agree.
 */
const rankQuery = queryOptions({
  queryKey: ['model colors'],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const { groups } = await readUsage({ range: '90d', groupBy: 'model' }, signal)
    return groups.flatMap(({ key }) => (key === null ? [] : [key]))
  },
})

/** The ink of a model, the same on every page. Undefined until the order is known. */
export function useModelPaints(): ((model: string | null) => Paint) | undefined {
  const { data, isError } = useQuery(rankQuery)
  return useMemo(() => {
    if (!data) return isError ? () => otherPaint : undefined
    const inks = new Map(data.map((model, n) => [model, paintOf(n)]))
    return (model: string | null) => inks.get(model ?? '') ?? otherPaint
  }, [data, isError])
}
