import { toUsd } from '../../http/index.js'
import { percentileOf } from './latency-buckets.js'
import type { UsageSum } from './usage-sum.js'

/** A sum as it is told. */
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
    p50LatencyMs: toTenth(percentileOf(sum.latencyBuckets, 50)),
    p95LatencyMs: toTenth(percentileOf(sum.latencyBuckets, 95)),
  }
}

/** As it is told of one group in one interval, where there may be thousands. */
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
