import { keepPreviousData } from '@tanstack/react-query'
import { api, apiQuery, expectSuccess, type GetInit, type ResponseOf } from './api'
import type { Span } from './time/span'
import type { ChosenSpan } from './time/use-span'

export type Usage = ResponseOf<'/v1/usage'>
export type UsageQuery = NonNullable<NonNullable<NonNullable<GetInit<'/v1/usage'>>['params']>['query']>
export type UsageGroup = Usage['groups'][number]

export async function readUsage(query: UsageQuery, signal: AbortSignal): Promise<Usage> {
  const report = await expectSuccess(api.GET('/v1/usage', { params: { query }, signal }))
  if (typeof report === 'string') throw new Error('A table was answered in place of a report')
  return report
}

/** Usage and spend, for `useQuery`. The previous data stays while a new span loads, so that the page does not flicker every minute. */
export const usageQuery = (query: UsageQuery) => ({
  ...apiQuery('/v1/usage', { params: { query } }),
  placeholderData: keepPreviousData,
})

/**
 * The query parameters of the chosen span. Days, weeks and months are sent by name, so that each is compared with the same part of
 * the previous one.
 */
export function spanQuery({ range, from, to, timeZone }: ChosenSpan): UsageQuery {
  if (range === 'week') return { range: 'wtd', timeZone }
  if (range === 'month') return { range: 'mtd', timeZone }
  if (range === 'today' || range === 'yesterday' || range === 'last-week' || range === 'last-month')
    return { range, timeZone }
  return { from: from.toISOString(), to: to.toISOString(), timeZone }
}

/** The span that a report covers. */
export const spanOfReport = (report: { from: string; to: string }): Span => ({
  from: new Date(report.from),
  to: new Date(report.to),
})

/** The start and end of each point of a report. */
export function intervalsOf(report: Usage): Span[] {
  return report.series.map(({ ts }, i) => ({
    from: new Date(ts),
    to: new Date(report.series[i + 1]?.ts ?? report.to),
  }))
}
