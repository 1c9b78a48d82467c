import { useQuery } from '@tanstack/react-query'
import { usageQuery } from './usage'

/** Models that were called lately, to be offered where models are listed. */
export function useCalledModels(): { title: string; names: readonly string[] } {
  const called = useQuery(usageQuery({ range: '90d', groupBy: 'model', interval: 'month' }))
  const names = (called.data?.groups ?? []).flatMap(({ key }) => (key === null ? [] : [key]))
  return { title: 'Recently called:', names }
}
