/**
 * A mergeable histogram of latencies: bucket i holds whole milliseconds below 1.25^i that bucket i-1 does not. However
 * many calls it counts, it is at most 80 numbers, and a percentile read from it is within a ninth of the true one.
 */
const growth = 1.25
const lastBucket = 79 // 1.25^79 ms: more than twelve hours

export const latencyBucketCount = lastBucket + 1

export function bucketOf(latencyMs: number): number {
  if (latencyMs < 1) return 0
  return Math.min(lastBucket, Math.floor(Math.log(latencyMs) / Math.log(growth)) + 1)
}

/** The latency that `percent` of the calls did not exceed (nearest rank), as its bucket's middle; 0 without calls. */
export function percentileOf(buckets: readonly number[], percent: number): number {
  const calls = buckets.reduce((sum, count) => sum + count, 0)
  const rank = Math.ceil((calls * percent) / 100)
  let counted = 0
  for (const [bucket, count] of buckets.entries()) {
    counted += count
    if (count > 0 && counted >= rank) return middleOf(bucket)
  }
  return 0
}

/** The harmonic mean of a bucket's ends is equally wrong at both: no value between them is further off, relatively. */
function middleOf(bucket: number): number {
  if (bucket === 0) return 0
  const lowestMs = Math.ceil(growth ** (bucket - 1))
  const highestMs = Math.ceil(growth ** bucket) - 1
  return (2 * lowestMs * highestMs) / (lowestMs + highestMs)
}
