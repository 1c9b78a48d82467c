import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readUsage } from '../../usage'
import type { Paint } from '../types'
import { otherPaint, paintOf } from './colors'

/**
 * Colours of models. The models with the highest spend in 90 days have one each. The ranking is loaded once per page load under its own
 * query key, so that colours are stable and the same on all pages.
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

/** The colour of a model, the same on every page. Undefined while loading. */
export function useModelPaints(): ((model: string | null) => Paint) | undefined {
  const { data, isError } = useQuery(rankQuery)
  return useMemo(() => {
    if (!data) return isError ? () => otherPaint : undefined
    const inks = new Map(data.map((model, n) => [model, paintOf(n)]))
    return (model: string | null) => inks.get(model ?? '') ?? otherPaint
  }, [data, isError])
}
