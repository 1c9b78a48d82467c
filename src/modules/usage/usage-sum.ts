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

export function addSum(to: UsageSum, other: UsageSum): void {
  to.requests += other.requests
  to.inputTokens += other.inputTokens
  to.outputTokens += other.outputTokens
  to.costNanos += other.costNanos
  to.blocked += other.blocked
  to.rateLimited += other.rateLimited
  to.errors += other.errors
  to.latencyMs += other.latencyMs
  for (const [bucket, count] of other.latencyBuckets.entries()) addToBucket(to.latencyBuckets, bucket, count)
}

export function addToBucket(buckets: number[], bucket: number, count: number): void {
  while (buckets.length <= bucket) buckets.push(0)
  buckets[bucket] = (buckets[bucket] ?? 0) + count
}
