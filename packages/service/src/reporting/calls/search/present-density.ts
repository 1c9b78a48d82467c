import { toUsd } from '../../../http/index.js'
import type { CallDensity } from '../schema.js'
import type { DensityRow, DensitySpan } from './density.js'

export function presentDensity(rows: readonly DensityRow[], { from, to, buckets }: DensitySpan): CallDensity {
  const byBucket = new Map<number, DensityRow[]>()
  for (const row of rows) byBucket.set(row.bucket, [...(byBucket.get(row.bucket) ?? []), row])
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    bucketMs: (to.getTime() - from.getTime()) / buckets,
    total: countOf(rows),
    outcomes: outcomesOf(rows),
    costUsd: toUsd(costOf(rows)),
    buckets: [...byBucket].map(([index, some]) => ({
      index,
      calls: countOf(some),
      outcomes: outcomesOf(some),
      costUsd: toUsd(costOf(some)),
    })),
  }
}

const countOf = (rows: readonly DensityRow[]): number => rows.reduce((sum, { calls }) => sum + calls, 0)
const costOf = (rows: readonly DensityRow[]): number =>
  rows.reduce((sum, { costNanos }) => sum + costNanos, 0)

function outcomesOf(rows: readonly DensityRow[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome, calls } of rows)
    counts[outcome ?? 'unknown'] = (counts[outcome ?? 'unknown'] ?? 0) + calls
  return counts
}
