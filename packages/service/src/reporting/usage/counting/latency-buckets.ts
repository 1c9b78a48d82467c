/**
 * A mergeable histogram of latencies: bucket i counts those from 1.25^(i-1) ms up to, but not including, 1.25^i ms. It has at
 * most 80 numbers however many calls it counts, and a percentile read from it is within a ninth of the exact one.
 */
const growth = 1.25
const lastBucket = 79 // 1.25^79 ms: more than twelve hours

export const latencyBucketCount = lastBucket + 1

export function bucketOf(latencyMs: number): number {
  if (latencyMs < 1) return 0
  return Math.min(lastBucket, Math.floor(Math.log(latencyMs) / Math.log(growth)) + 1)
}

// In the database a histogram is one number in which bucket i counts units of 10^(12 i), because Postgres adds up numbers
// several times faster than arrays. A bucket has room for a trillion calls.
const digitsPerBucket = 12

/** Writes a histogram as the database stores it. */
export function writeBuckets(counts: readonly number[]): string {
  const first = counts.findIndex((count) => count !== 0)
  if (first === -1) return '0'
  const digits = counts.slice(first).map((count) => String(count).padStart(digitsPerBucket, '0'))
  return `${digits.reverse().join('')}e${first * digitsPerBucket}`
}

export function readBuckets(stored: string): number[] {
  const counts: number[] = []
  for (let end = stored.length; end > 0; end -= digitsPerBucket)
    counts.push(Number(stored.slice(Math.max(0, end - digitsPerBucket), end)))
  return counts
}

/**
 * Returns the latency that `percent` of the calls did not exceed (nearest rank), as the middle of its bucket; 0
 * without calls.
 */
export function percentileOfBuckets(buckets: readonly number[], percent: number): number {
  const calls = buckets.reduce((sum, count) => sum + count, 0)
  const rank = Math.ceil((calls * percent) / 100)
  let counted = 0
  for (const [bucket, count] of buckets.entries()) {
    counted += count
    if (count > 0 && counted >= rank) return middleOf(bucket)
  }
  return 0
}

/** The harmonic mean of a bucket's bounds has the same relative error at both, and no value between them has a larger one. */
function middleOf(bucket: number): number {
  if (bucket === 0) return 0
  const lowestMs = Math.ceil(growth ** (bucket - 1))
  const highestMs = Math.ceil(growth ** bucket) - 1
  return (2 * lowestMs * highestMs) / (lowestMs + highestMs)
}
