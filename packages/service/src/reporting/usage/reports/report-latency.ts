import type { Db } from '../../../db/index.js'
import type { Owner } from '../../../http/index.js'
import type { LatencyQuery, UsageLatency } from '../query/latency-schema.js'
import { parseReportQuery } from '../query/report-query.js'
import { percentileOf, relativeError } from './latency-percentiles.js'
import { type Latencies, readLatency } from './read-latency.js'
import { endOf, findLabels } from './report.js'

export async function reportLatency(
  db: Db,
  now: () => Date,
  filter: LatencyQuery & { tenantId: string; own: Owner | null },
): Promise<UsageLatency> {
  const query = parseReportQuery(filter, now())
  const dimensions = filter.groupBy === undefined ? [] : query.dimensions
  const sums = await readLatency(db, query, dimensions)
  const to = endOf(query, now())
  const labelsOf = await findLabels(db, { ...query, dimensions }, sums.groups, to)
  const { range, timeZone, span } = query
  return {
    range,
    from: span.from.toISOString(),
    to: to.toISOString(),
    timeZone,
    interval: span.interval,
    relativeError,
    totals: presentLatencies(sums.totals),
    series: span.starts.map((start, i) => ({
      ts: start.toISOString(),
      ...presentLatencies(sums.points[i] ?? { total: new Map(), firstToken: new Map() }),
    })),
    groups: sums.groups.map((group) => {
      const [first = { key: null }, second] = labelsOf(group)
      return { ...first, ...(second && { second }), ...presentLatencies(group.sums) }
    }),
  }
}

const presentLatencies = ({ total, firstToken }: Latencies): UsageLatency['totals'] => ({
  latency: present(total),
  firstToken: present(firstToken),
})

const present = (histogram: Latencies['total']): UsageLatency['totals']['latency'] => ({
  calls: [...histogram.values()].reduce((sum, calls) => sum + calls, 0),
  p50Ms: percentileOf(histogram, 50),
  p95Ms: percentileOf(histogram, 95),
  p99Ms: percentileOf(histogram, 99),
})
