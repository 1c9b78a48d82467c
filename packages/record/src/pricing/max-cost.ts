import {
  type CompiledPrice,
  compilePrice,
  toCount,
  toExactNanos,
  toNanos,
  toSafeNumber,
} from './compiled-price.js'
import { exactFeePicos, feePicos } from './cost.js'
import type { Counts } from './counts.js'
import type { Price } from './price.js'
import { type FullRates, max, min, toBigInt } from './rates.js'

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
  const compiled = compilePrice(price)
  const fees = feePicos(compiled, bound.tools)
  let highest = 0
  for (const tier of tiers)
    for (const schedule of compiled.schedulesOf(tier)) {
      let nanos = toNanos(maxTokenPicos(schedule.base.fast, bound), schedule, fees)
      for (const { aboveInputTokens, rates } of schedule.longer)
        if (bound.input > aboveInputTokens)
          nanos = Math.max(nanos, toNanos(maxTokenPicos(rates.fast, bound), schedule, fees))
      if (Number.isNaN(nanos)) return exactMaxCostNanos(compiled, bound, tiers)
      if (nanos > highest) highest = nanos
    }
  return highest
}

/** The same with BigInts, for amounts that do not fit into a number. */
export function exactMaxCostNanos(
  compiled: CompiledPrice,
  bound: CostBound,
  tiers: readonly (string | null)[],
): number {
  const fees = exactFeePicos(compiled, bound.tools)
  const costs = tiers.flatMap((tier) =>
    compiled.schedulesOf(tier).flatMap((schedule) => {
      const longer = schedule.longer.filter(({ aboveInputTokens }) => bound.input > aboveInputTokens)
      return [schedule.base, ...longer.map(({ rates }) => rates)].map((rates) =>
        toExactNanos(exactMaxTokenPicos(rates.exact, bound), schedule, fees),
      )
    }),
  )
  return toSafeNumber(max(...costs))
}

/** Not exact when it is not a safe integer. */
function maxTokenPicos(rates: FullRates<number>, bound: CostBound): number {
  const { input, cached, written, writtenHour, audioIn, output, audioOut, image } = rates
  const text = Math.max(input, cached, written, bound.mayWriteHour ? writtenHour : 0)
  const inputTokens = toCount(bound.input)
  const outputTokens = toCount(bound.output)
  return (
    inputTokens * text +
    Math.min(toCount(bound.audioIn), inputTokens) * Math.max(audioIn - text, 0) +
    outputTokens * output +
    Math.min(toCount(bound.audioOut), outputTokens) * Math.max(audioOut - output, 0) +
    toCount(bound.images) * image
  )
}

function exactMaxTokenPicos(rates: FullRates, bound: CostBound): bigint {
  const { input, cached, written, writtenHour, audioIn, output, audioOut, image } = rates
  const text = max(input, cached, written, bound.mayWriteHour ? writtenHour : 0n)
  return (
    maxOfTotal(toBigInt(bound.input), text, toBigInt(bound.audioIn), audioIn) +
    maxOfTotal(toBigInt(bound.output), output, toBigInt(bound.audioOut), audioOut) +
    toBigInt(bound.images) * image
  )
}

const maxOfTotal = (total: bigint, rate: bigint, audio: bigint, audioRate: bigint): bigint =>
  total * rate + min(audio, total) * max(audioRate - rate, 0n)
