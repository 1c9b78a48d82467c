import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, downloadHeader, ownerFilter, type Principal, principalOf } from '../../http/index.js'
import { invalidField } from '../../shared/errors.js'
import { LatencyQuery, UsageLatency } from './questions/latency-schema.js'
import { Usage, UsageQuery } from './questions/schema.js'
import type { NamedSpan } from './questions/span.js'
import { isTimeZone } from './questions/time-zone.js'
import { writeCsv } from './reports/csv.js'
import { ForecastQuery, forecastMonth, UsageForecast } from './reports/forecast.js'
import { readReport, reportUsage } from './reports/report.js'
import { reportLatency } from './reports/report-latency.js'
import type { InTurn } from './reports/report-slots.js'

export function registerUsageRoutes(
  app: App,
  { db, now, inTurn }: { db: Db; now(): Date; inTurn: InTurn },
): void {
  app.get(
    '/v1/usage',
    {
      config: {
        access: 'member',
        errors: ['rate_limit_exceeded'],
        answerHeaders: { success: downloadHeader },
      },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsage',
        summary: 'Read usage and spend',
        description: `Requests, tokens, spend and latency: in total, over time and by one or two dimensions. Of the whole tenant for managers and
auditors; a member reads its own, which is that of its user or, for a key without an owner, of the key.

Counts the calls admitted from \`from\` up to \`to\`, and equals the sum over their receipts to the token and the
nano-dollar, whatever the filters. Calls in progress are not included yet. Without \`from\`: \`1h\` is shown in 60 minutes, \`24h\` in
24 hours, the other ranges in days; the last one is the current minute, hour or day.

Filters are those of calls; all of them must hold. A tag is filtered by a parameter of its own, \`tag.<name>=<value>\`, such as
\`tag.project=alpha\`. What a session, a route, an agent, the cache, a batch, a policy, a request or the cost of one call decides is answered only for as long as calls are kept.

\`format=csv\` is one table, in the time zone of the report: a line for each group or, where \`interval\` is given, for each interval and
group. A few reports are added up at a time, and a key may have 32 of them under way.`,
        querystring: UsageQuery,
        produces: ['application/json', 'text/csv'],
        response: {
          200: {
            description: 'The report',
            content: {
              'application/json': { schema: Usage },
              'text/csv': { schema: Type.String({ description: 'With a header line; RFC 4180' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const filter = askedOf(principal, request)
      if (request.query.format !== 'csv') return await inTurn(principal, () => reportUsage(db, now, filter))
      const report = await inTurn(principal, () =>
        readReport(db, now, filter, filter.interval === undefined ? 0 : 'all'),
      )
      const date = (at: Date) => at.toISOString().slice(0, 10)
      const name = `usage-${date(report.question.span.from)}-${date(report.to)}.csv`
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(writeCsv(report))
    },
  )

  app.get(
    '/v1/usage/latency',
    {
      config: { access: 'member', errors: ['rate_limit_exceeded'] },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsageLatency',
        summary: 'Read how long calls took',
        description: `Percentiles of the latency and of the time to the first token: in all, over time and by one or two dimensions, with the spans, intervals and
filters of usage. Read from the calls one by one, so for as long as they are kept, and within 3 % of the exact percentile. Calls that were blocked, or failed in this
service, are left out, unless \`outcome=blocked\` or \`outcome=failed\` asks for them; so are calls that were interrupted, which have no latency.

Reports take turns, as those of usage do, and one over too many calls is refused: ask for a shorter span.`,
        querystring: LatencyQuery,
        response: { 200: UsageLatency },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      return await inTurn(principal, () => reportLatency(db, now, askedOf(principal, request)))
    },
  )

  app.get(
    '/v1/usage/forecast',
    {
      config: { access: 'member', errors: ['rate_limit_exceeded'] },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsageForecast',
        summary: 'Forecast the month',
        description: `What will be spent at the end of this calendar month, if nothing stops it, and day by day: for each day that is left the mean of the
same weekday in the four weeks before; of today, the part that is left. Of the whole tenant for managers and auditors; of a member, its own.`,
        querystring: ForecastQuery,
        response: { 200: UsageForecast },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { timeZone = 'UTC' } = request.query
      const asked = { tenantId: principal.tenantId, own: ownerFilter(principal), timeZone }
      if (!isTimeZone(timeZone))
        throw invalidField('timeZone', 'must be the name of a time zone, such as UTC or Europe/Berlin')
      return await inTurn(principal, () => forecastMonth(db, now, asked))
    },
  )
}

/** Returns the owner and the query of a usage request. */
function askedOf<Query extends { range?: NamedSpan; from?: string; to?: string }>(
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
