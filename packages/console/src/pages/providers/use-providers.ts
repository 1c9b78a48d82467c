import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { apiPages, type ResponseOf, useInvalidate } from '../../api'
import { useTimeZone } from '../../time/use-span'
import { spanOfReport, type UsageGroup, usageQuery } from '../../usage'

export type Provider = ResponseOf<'/v1/providers'>['data'][number]
export type Credential = Provider['credentials'][number]
export type CatalogueModel = ResponseOf<'/v1/catalogue'>['data'][number]
export type Route = ResponseOf<'/v1/routes'>['data'][number]

/** Loads all pages: a tenant has some dozens of providers. */
export function useProviders() {
  const list = useInfiniteQuery(apiPages('/v1/providers', { limit: 200 }))
  const { hasNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage) void fetchNextPage()
  }, [hasNextPage, fetchNextPage])
  return {
    rows: hasNextPage ? undefined : list.data,
    error: list.error,
    retry: () => void list.refetch(),
  }
}

/** The paths to refetch after a change. Providers, routes and prices depend on each other. */
export const providerPaths = ['/v1/providers', '/v1/routes', '/v1/catalogue', '/v1/attention'] as const
export const useRefresh = () => useInvalidate(providerPaths)

/** The last 24 hours of each provider, by name. */
export function useLastDay() {
  const timeZone = useTimeZone()
  const all = useQuery(usageQuery({ range: '24h', groupBy: 'provider', interval: 'hour', timeZone }))
  const ends = useQuery(usageQuery({ range: '24h', groupBy: 'provider,outcome', interval: 'hour', timeZone }))
  return useMemo(() => {
    const groups = new Map(all.data?.groups.map((group) => [group.key, group]))
    const failed = new Map(ends.data?.groups.filter(isFailed).map((group) => [group.key, group.requests]))
    return {
      span: all.data && spanOfReport(all.data),
      error: all.error ?? ends.error,
      isLoading: (!all.data && !all.error) || (!ends.data && !ends.error),
      /** Undefined if unknown. */
      of(name: string): { calls: number; failed: number; p50Ms: number; p95Ms: number } | undefined {
        if (!all.data || !ends.data) return undefined
        const group = groups.get(name)
        return {
          calls: group?.requests ?? 0,
          failed: failed.get(name) ?? 0,
          p50Ms: group?.p50LatencyMs ?? 0,
          p95Ms: group?.p95LatencyMs ?? 0,
        }
      },
    }
  }, [all.data, all.error, ends.data, ends.error])
}
export type LastDay = ReturnType<typeof useLastDay>

const isFailed = ({ second }: UsageGroup) => second?.key === 'upstream_error'
