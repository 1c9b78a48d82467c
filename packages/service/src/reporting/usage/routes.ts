import { Type } from 'typebox'
import type { Aged, Db, ReplicaReads } from '../../db/index.js'
import {
  type App,
  dataAsOfHeader,
  downloadHeader,
  ownerFilter,
  type Principal,
  principalOf,
  withDataAge,
} from '../../http/index.js'
import { invalidField } from '../../shared/errors.js'
import { LatencyQuery, UsageLatency } from './query/latency-schema.js'
import type { UsageFilter } from './query/report-query.js'
import { Usage, UsageQuery } from './query/schema.js'
import type { NamedSpan } from './query/span.js'
import { isTimeZone } from './query/time-zone.js'
import { refuseUnknownIds } from './query/unknown-ids.js'
import { writeCsv } from './reports/csv.js'
import { csvFileName, readFilterColumns } from './reports/csv-filters.js'
import { presentSum } from './reports/figures.js'
import { ForecastQuery, forecastMonth, UsageForecast } from './reports/forecast.js'
import { readReport, reportUsage } from './reports/report.js'
import { reportLatency } from './reports/report-latency.js'
import type { RunReport } from './reports/report-slots.js'
import { SharedReads } from './reports/shared-reads.js'

export function registerUsageRoutes(
  app: App,
  { db, reads, now, runReport }: { db: Db; reads: ReplicaReads; now(): Date; runReport: RunReport },
): void {
  const usageReads = new SharedReads<Aged<Awaited<ReturnType<typeof reportUsage>>>>()
  const latencyReads = new SharedReads<Aged<Awaited<ReturnType<typeof reportLatency>>>>()
  app.get(
    '/v1/usage',
    {
      config: {
        access: 'member',
        errors: ['rate_limit_exceeded'],
        answerHeaders: { success: { ...downloadHeader, ...dataAsOfHeader } },
      },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsage',
        summary: 'Get usage and spend',
        description: `Returns requests, tokens, spend and latency: in total, over time and by one or two dimensions. Managers and auditors see the
whole tenant. Members see the usage of their user or, for a key without an owner, of the key.

The report covers the calls admitted from \`from\` up to, but not including, \`to\`. It equals the sum of their receipts to the
token and the nano-dollar, whatever the filters. Calls in progress are not included. Without \`from\`, the range \`1h\` has 60
points of a minute, \`24h\` has 24 points of an hour, and every other range has one point per day. The last point is the
current minute, hour or day.

The filters are those of calls, and a call must match all of them. A tag has its own parameter, \`tag.<name>=<value>\`, such as
\`tag.project=alpha\`. Filters and dimensions by session, route, agent, cache, batch, policy, request or cost only work for as
long as calls are stored. So do tags in an hour with more than 1,000 different combinations of them.

\`format=csv\` returns one table in the time zone of the report, with a line for each group or, if \`interval\` is given, for
each interval and group. Filters are columns as well, and part of the file name.

For managers and auditors, an id of a key, user, team or policy that never existed is refused with 400. Those that were
deleted can be asked for. Only a few reports run at a time, and a key can have 32 open.`,
        querystring: UsageQuery,
        produces: ['application/json', 'text/csv'],
        response: {
          200: {
            description: 'The report',
            content: {
              'application/json': { schema: Usage },
              'text/csv': {
                schema: Type.String({
                  description: 'The report as a table in the format of RFC 4180, with a header line',
                }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const filter = filterOf(principal, request)
      if (request.query.format !== 'csv') {
        const shared = { reads: usageReads, question: filter }
        const readUsage = () => reads.run((db) => reportUsage(db, now, filter))
        const usage = withDataAge(reply, await runReport(principal, readUsage, shared))
        if (isEmpty(usage.totals)) await refuseUnknownIdsOf(db, filter)
        return usage
      }
      const readTable = () =>
        reads.run((db) => readReport(db, now, filter, filter.interval === undefined ? 0 : 'all'))
      const report = withDataAge(reply, await runReport(principal, readTable))
      if (isEmpty(presentSum(report.sums.totals))) await refuseUnknownIdsOf(db, filter)
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${csvFileName(report)}"`)
        .send(writeCsv(report, await readFilterColumns(db, report)))
    },
  )

  app.get(
    '/v1/usage/latency',
    {
      config: {
        access: 'member',
        errors: ['rate_limit_exceeded'],
        answerHeaders: { success: dataAsOfHeader },
      },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsageLatency',
        summary: 'Get latency percentiles',
        description: `Returns percentiles of the latency and of the time to the first token: in total, over time and by one or two dimensions, with
the spans, intervals and filters of usage. They are computed from individual calls, for as long as these are stored, and are
within 3 % of the exact percentiles. Blocked calls and calls that failed in this service are excluded, unless
\`outcome=blocked\` or \`outcome=failed\` selects them. Interrupted calls are excluded, because they have no latency.

These reports share the limits of usage reports. A report over too many calls is refused: choose a shorter span.`,
        querystring: LatencyQuery,
        response: { 200: UsageLatency },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const question = filterOf(principal, request)
      const shared = { reads: latencyReads, question }
      const readLatency = () => reads.run((db) => reportLatency(db, now, question))
      const latency = withDataAge(reply, await runReport(principal, readLatency, shared))
      if (latency.totals.latency.calls === 0) await refuseUnknownIdsOf(db, question)
      return latency
    },
  )

  app.get(
    '/v1/usage/forecast',
    {
      config: {
        access: 'member',
        errors: ['rate_limit_exceeded'],
        answerHeaders: { success: dataAsOfHeader },
      },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsageForecast',
        summary: 'Forecast the month',
        description: `Returns the expected spend of this calendar month, in total and by day. The forecast of a remaining day is the mean of the
same weekday in the previous four weeks; for today, it is the remaining part of that mean. Managers and auditors see the
whole tenant, members only their own spend.`,
        querystring: ForecastQuery,
        response: { 200: UsageForecast },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { timeZone = 'UTC' } = request.query
      const asked = { tenantId: principal.tenantId, own: ownerFilter(principal), timeZone }
      if (!isTimeZone(timeZone))
        throw invalidField('timeZone', 'must be the name of a time zone, such as UTC or Europe/Berlin')
      const forecast = () => reads.run((db) => forecastMonth(db, now, asked))
      return withDataAge(reply, await runReport(principal, forecast))
    },
  )
}

const isEmpty = ({ requests, rateLimited }: { requests: number; rateLimited: number }): boolean =>
  requests === 0 && rateLimited === 0

/** Members see only their own calls, and are not told which ids exist. */
async function refuseUnknownIdsOf(db: Db, filter: UsageFilter): Promise<void> {
  if (filter.own === null) await refuseUnknownIds(db, filter.tenantId, filter)
}

/** Returns the owner and the query of a usage request. */
function filterOf<Query extends { range?: NamedSpan; from?: string; to?: string }>(
  principal: Principal,
  { query: { range, ...query }, url }: { query: Query; url: string },
) {
  return {
    ...query,
    tenantId: principal.tenantId,
    own: ownerFilter(principal),
    // The validator fills the default in, also beside `from`: only one that the caller sent contradicts it.
    ...(range !== undefined &&
      ((query.from ?? query.to) === undefined || hasParameter(url, 'range')) && { range }),
  }
}

const hasParameter = (url: string, name: string): boolean =>
  new URL(url, 'http://localhost').searchParams.has(name)
