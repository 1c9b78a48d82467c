import { feePicos } from './cost.js'
import type { Counts } from './counts.js'
import type { Price, Rates } from './price.js'
import { fullRates, max, min, schedulesOf, toBigInt, toNanos, toSafeNumber } from './rates.js'

/** The most that a call can use. */
export interface CostBound {
  /** All input, audio included. */
  input: number
  audioIn?: number
  /** All output, reasoning and audio included. */
  output: number
  audioOut?: number
  images?: number
  /** The call may ask the provider to keep its input for an hour. */
  mayWriteHour: boolean
  tools: NonNullable<Counts['tools']>
}

/**
 * The cost of the dearest call within the bound, over the tiers that it may get. Only the provider decides what of the input it
 * reads from its cache or writes there, and how long the input is by its own count: each rate that can apply is tried.
 *
 * It never falls when the output grows.
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
