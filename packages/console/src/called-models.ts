import { useQuery } from '@tanstack/react-query'
import { usageQuery } from './usage'

/** Suggestions for model lists: the models called in the last 90 days. */
export function useCalledModels(): { title: string; names: readonly string[] } {
  const called = useQuery(usageQuery({ range: '90d', groupBy: 'model', interval: 'month' }))
  const names = (called.data?.groups ?? []).flatMap(({ key }) => (key === null ? [] : [key]))
  return { title: 'Recently called:', names }
}
