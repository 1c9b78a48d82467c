import { toUsd } from '../../../http/index.js'
import { percentileOfBuckets } from '../counting/latency-buckets.js'
import type { UsageSum } from '../counting/usage-sum.js'

/** Presents a sum in the API. */
export function presentSum(sum: UsageSum) {
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
    p50LatencyMs: toTenth(percentileOfBuckets(sum.latencyBuckets, 50)),
    p95LatencyMs: toTenth(percentileOfBuckets(sum.latencyBuckets, 95)),
  }
}

/** Presents a sum of one group in one interval, of which there may be thousands. */
export const presentGroupPoint = (sum: UsageSum) => ({
  requests: sum.requests,
  inputTokens: sum.inputTokens,
  outputTokens: sum.outputTokens,
  totalTokens: sum.inputTokens + sum.outputTokens,
  spendUsd: toUsd(sum.costNanos),
  blocked: sum.blocked,
  errors: sum.errors,
})

export const presentBefore = (sum: UsageSum) => ({
  requests: sum.requests,
  totalTokens: sum.inputTokens + sum.outputTokens,
  spendUsd: toUsd(sum.costNanos),
})

export const presentChange = (sum: UsageSum, before: UsageSum) => ({
  requests: sum.requests - before.requests,
  totalTokens: sum.inputTokens + sum.outputTokens - before.inputTokens - before.outputTokens,
  spendUsd: toUsd(sum.costNanos - before.costNanos),
  spendPct: before.costNanos === 0 ? null : toTenth((sum.costNanos / before.costNanos - 1) * 100),
})

const toTenth = (value: number): number => Math.round(value * 10) / 10
