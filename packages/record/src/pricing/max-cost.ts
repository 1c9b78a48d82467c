import { feePicos } from './cost.js'
import type { Counts } from './counts.js'
import type { Price, Rates } from './price.js'
import { fullRates, max, min, schedulesOf, toBigInt, toNanos, toSafeNumber } from './rates.js'

/** An upper bound of what a call can use. */
export interface CostBound {
  /** All input tokens, including audio. */
  input: number
  audioIn?: number
  /** All output tokens, including reasoning and audio. */
  output: number
  audioOut?: number
  images?: number
  /** The call may ask the provider to keep its input for an hour. */
  mayWriteHour: boolean
  tools: NonNullable<Counts['tools']>
}

/**
 * Returns the highest cost of a call within the bound, over all tiers that may apply. Only the provider knows how much of the input it
 * reads from its cache or writes to it, and how many tokens it counts, so every rate that can apply is tried.
 *
 * The result never decreases when the output bound grows.
 */
export function maxCostNanos(price: Price, bound: CostBound, tiers: readonly (string | null)[]): number {
  const fees = feePicos(price, bound.tools)
  const schedules = tiers.flatMap((tier) => schedulesOf(price, tier))
  const costs = schedules.flatMap((schedule) => {
    const longer = schedule.longer.filter(({ aboveInputTokens }) => bound.input > aboveInputTokens)
    return [schedule, ...longer].map(({ rates }) => toNanos(maxTokenPicos(rates, bound), schedule, fees))
  })
  return toSafeNumber(max(...costs))
}

function maxTokenPicos(rates: Rates, bound: CostBound): bigint {
  const { input, cached, written, writtenHour, audioIn, output, audioOut, image } = fullRates(rates)
  const text = max(input, cached, written, bound.mayWriteHour ? writtenHour : 0n)
  return (
    maxOfTotal(toBigInt(bound.input), text, toBigInt(bound.audioIn), audioIn) +
    maxOfTotal(toBigInt(bound.output), output, toBigInt(bound.audioOut), audioOut) +
    toBigInt(bound.images) * image
  )
}

const maxOfTotal = (total: bigint, rate: bigint, audio: bigint, audioRate: bigint): bigint =>
  total * rate + min(audio, total) * max(audioRate - rate, 0n)
