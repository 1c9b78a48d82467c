import { queryOptions } from '@tanstack/react-query'
import { type Answer, api, expectSuccess, type GetInit, keyOf } from './api'

/** A report as JSON; the same address also answers CSV, which browsers download and pages do not read. */
export type Usage = Exclude<Answer<'/v1/usage'>, string>
export type UsageQuery = NonNullable<NonNullable<NonNullable<GetInit<'/v1/usage'>>['params']>['query']>
export type UsageFigures = Usage['totals']
export type UsageGroup = Usage['groups'][number]

export async function readUsage(query: UsageQuery, signal: AbortSignal): Promise<Usage> {
  const report = await expectSuccess(api.GET('/v1/usage', { params: { query }, signal }))
  if (typeof report === 'string') throw new Error('A table was answered in place of a report')
  return report
}

/** Usage and spend, for `useQuery`. */
export const askUsage = (query: UsageQuery) =>
  queryOptions({
    queryKey: keyOf('/v1/usage', { query }),
    queryFn: ({ signal }) => readUsage(query, signal),
  })
