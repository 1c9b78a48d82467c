import type { DensityBucket } from './use-density'

export const bucketParts = [
  { name: 'ok', fill: 'var(--ink-2)', text: 'ok' },
  { name: 'redacted', fill: 'var(--warn)', text: 'redacted' },
  { name: 'blocked', fill: 'var(--warn)', text: 'blocked' },
  { name: 'failed', fill: 'var(--bad)', text: 'failed' },
] as const

type BucketCounts = Pick<DensityBucket, 'ok' | 'redacted' | 'blocked' | 'failed'>

export const countCalls = ({ ok, redacted, blocked, failed }: BucketCounts) =>
  ok + redacted + blocked + failed

export function sumBuckets(
  buckets: readonly DensityBucket[],
  { anchor, head }: { anchor: number; head: number },
) {
  const part = buckets.slice(Math.min(anchor, head), Math.max(anchor, head) + 1)
  const total: BucketCounts = { ok: 0, redacted: 0, blocked: 0, failed: 0 }
  for (const bucket of part) for (const { name } of bucketParts) total[name] += bucket[name]
  const first = part[0]
  const last = part.at(-1)
  return first && last ? { ...total, fromMs: first.fromMs, toMs: last.toMs } : null
}
