import type { EntryOutcome } from '../../../record/index.js'

/** Outcomes that count as errors: the provider failed, or this service did. */
export const errorOutcomes: readonly EntryOutcome[] = ['upstream_error', 'interrupted', 'failed']

/** The sum over some calls: of one rollup row, one interval, one group, or a whole report. */
export interface UsageSum {
  requests: number
  inputTokens: number
  outputTokens: number
  costNanos: number
  blocked: number
  rateLimited: number
  errors: number
  latencyMs: number
  latencyBuckets: number[]
}

export const emptySum = (): UsageSum => ({
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  costNanos: 0,
  blocked: 0,
  rateLimited: 0,
  errors: 0,
  latencyMs: 0,
  latencyBuckets: [],
})

/** Adds, or with a sign of -1 subtracts. */
export function addSum(to: UsageSum, other: UsageSum, sign: 1 | -1 = 1): void {
  to.requests += sign * other.requests
  to.inputTokens += sign * other.inputTokens
  to.outputTokens += sign * other.outputTokens
  to.costNanos += sign * other.costNanos
  to.blocked += sign * other.blocked
  to.rateLimited += sign * other.rateLimited
  to.errors += sign * other.errors
  to.latencyMs += sign * other.latencyMs
  for (const [bucket, count] of other.latencyBuckets.entries())
    addToBucket(to.latencyBuckets, bucket, sign * count)
}

export function addToBucket(buckets: number[], bucket: number, count: number): void {
  while (buckets.length <= bucket) buckets.push(0)
  buckets[bucket] = (buckets[bucket] ?? 0) + count
}
