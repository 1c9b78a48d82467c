/**
 * A mergeable histogram of latencies: bucket i holds times below 1.25^i ms. Neighbours differ by a quarter, so a
 * percentile read from it is within 12.5 % of the true one; an hour of calls takes 60 numbers, however many they are.
 */
const growth = 1.25
const lastBucket = 79 // 1.25^79 ms: more than twelve hours

export function bucketOf(latencyMs: number): number {
  if (latencyMs < 1) return 0
  return Math.min(lastBucket, Math.floor(Math.log(latencyMs) / Math.log(growth)) + 1)
}
