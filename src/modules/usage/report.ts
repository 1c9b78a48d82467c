import type { Static } from 'typebox'
import type { Db } from '../../db/index.js'
import { type Owner, toUsd } from '../../http/index.js'
import { percentileOf } from './latency-buckets.js'
import type { Usage } from './schema.js'
import { type Range, spanOf } from './span.js'
import { type Grouping, readSums } from './store.js'
import { addSum, emptySum, type UsageSum } from './usage-sum.js'

export interface UsageFilter {
  tenantId: string
  /** Whose calls; null for all of the tenant's. */
  own: Owner | null
  range: Range
  groupBy: Grouping
}

interface Group {
  key: string | null
  sum: UsageSum
}

/** Totals are the sum of the series, and series and groups are read in one statement: they cannot disagree. */
export async function reportUsage(
  db: Db,
  now: () => Date,
  { tenantId, own, range, groupBy }: UsageFilter,
): Promise<Static<typeof Usage>> {
  const span = spanOf(range, now())
  const sums = await readSums(db, { tenantId, own, span, groupBy })
  // The time after the read: every call that was read was admitted before it. The next interval is not in the report.
  const to = new Date(Math.min(now().getTime(), span.end.getTime()))

  const totals = emptySum()
  const byStart = new Map<number, UsageSum>()
  const groups: Group[] = []
  for (const { start, name, ...sum } of sums) {
    if (start === null) {
      groups.push({ key: name || null, sum })
    } else {
      byStart.set(start.getTime(), sum)
      addSum(totals, sum)
    }
  }
  return {
    range,
    from: span.from.toISOString(),
    to: to.toISOString(),
    interval: span.interval,
    totals: presentSum(totals),
    series: span.starts.map((start) => ({
      ts: start.toISOString(),
      ...presentSum(byStart.get(start.getTime()) ?? emptySum()),
    })),
    groups: groups.sort(bySpend).map(({ key, sum }) => ({ key, ...presentSum(sum) })),
  }
}

function presentSum(sum: UsageSum) {
  return {
    requests: sum.requests,
    inputTokens: sum.inputTokens,
    outputTokens: sum.outputTokens,
    totalTokens: sum.inputTokens + sum.outputTokens,
    spendUsd: toUsd(sum.costNanos),
    blocked: sum.blocked,
    rateLimited: sum.rateLimited,
    errors: sum.errors,
    avgLatencyMs: sum.requests === 0 ? 0 : toTenth(sum.latencyMs / sum.requests),
    p50LatencyMs: toTenth(percentileOf(sum.latencyBuckets, 50)),
    p95LatencyMs: toTenth(percentileOf(sum.latencyBuckets, 95)),
  }
}

const toTenth = (ms: number): number => Math.round(ms * 10) / 10

/** The key comes last, so that the order is always the same. */
function bySpend(a: Group, b: Group): number {
  return (
    b.sum.costNanos - a.sum.costNanos ||
    b.sum.requests - a.sum.requests ||
    ((a.key ?? '') < (b.key ?? '') ? -1 : 1)
  )
}
