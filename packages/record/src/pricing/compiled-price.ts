import type { Counts } from './counts.js'
import type { Price, Rates } from './price.js'
import { type FullRates, fullRates, ratesOfTier, toBigInt, unnamedFee } from './rates.js'

/** The kinds of input tokens that have a rate of their own. */
export type InputKind = 'written' | 'writtenHour' | 'cached' | 'audioIn'

/**
 * An amount as a BigInt, and as a number for calculations that stay below 2^53, which take a tenth of the time. The number is NaN when the
 * amount itself does not fit, so that every calculation with it is made with BigInts.
 */
export interface Amount {
  exact: bigint
  fast: number
}

/** The rates for input of some length. */
export interface CompiledRates {
  /** Without the kinds that the price does not name. */
  named: Rates
  exact: FullRates
  fast: FullRates<number>
  /** The kinds of input tokens, the most expensive first. */
  inputKinds: readonly InputKind[]
}

/** One way to price the tokens of a call: rates by the length of its input, times a factor. */
export interface Schedule {
  base: CompiledRates
  /** Ascending by threshold. */
  longer: readonly { aboveInputTokens: number; rates: CompiledRates }[]
  /** The numerator of the factor, and its denominator. */
  factor: Amount
  scale: Amount
}

/** A price with everything worked out that does not depend on the counts of a call. */
export interface CompiledPrice {
  /** Returns every way to price a call of this tier, of which the most expensive one applies. */
  schedulesOf(tier: string | null): readonly Schedule[]
  /** Returns the fee for one use of a tool. */
  feeOf(tool: string): Amount
}

// A provider may report any number of tiers, so a price keeps the schedules of this many.
const maxTiers = 64

const compiledPrices = new WeakMap<Price, CompiledPrice>()

/** Returns the compiled form of a price. It is kept as long as the price, which must not be changed in place. */
export function compilePrice(price: Price): CompiledPrice {
  const known = compiledPrices.get(price)
  if (known !== undefined) return known
  const compiled = compile(price)
  compiledPrices.set(price, compiled)
  return compiled
}

function compile(price: Price): CompiledPrice {
  const fees = new Map(Object.entries(price.fees ?? {}).map(([tool, fee]) => [tool, toAmount(toBigInt(fee))]))
  const unnamed = toAmount(unnamedFee(price))
  const standard = compileTier(price, null)
  // Bounded: maxTiers.
  const tiers = new Map<string, readonly Schedule[]>()
  return {
    feeOf: (tool) => fees.get(tool) ?? unnamed,
    schedulesOf(tier) {
      if (tier === null) return standard
      const known = tiers.get(tier)
      if (known !== undefined) return known
      const schedules = compileTier(price, tier)
      if (tiers.size < maxTiers) tiers.set(tier, schedules)
      return schedules
    },
  }
}

const compileTier = (price: Price, tier: string | null): Schedule[] =>
  ratesOfTier(price, tier).map(({ rates, longer, factor, scale }) => ({
    base: compileRates(rates),
    longer: longer.map((each) => ({
      aboveInputTokens: toCount(each.aboveInputTokens),
      rates: compileRates(each.rates),
    })),
    factor: toAmount(factor),
    scale: toAmount(scale),
  }))

function compileRates(named: Rates): CompiledRates {
  const exact = fullRates(named)
  const inputKinds: InputKind[] = ['written', 'writtenHour', 'cached', 'audioIn']
  inputKinds.sort((a, b) => (exact[a] < exact[b] ? 1 : exact[a] > exact[b] ? -1 : 0))
  const fast = {
    input: toFast(exact.input),
    cached: toFast(exact.cached),
    written: toFast(exact.written),
    writtenHour: toFast(exact.writtenHour),
    audioIn: toFast(exact.audioIn),
    output: toFast(exact.output),
    audioOut: toFast(exact.audioOut),
    image: toFast(exact.image),
  }
  return { named, exact, fast, inputKinds }
}

const toAmount = (exact: bigint): Amount => ({ exact, fast: toFast(exact) })

const toFast = (exact: bigint): number => (exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : Number.NaN)

/** Converts a count of another system to a whole number that is not negative. The same as `toBigInt`, as a number. */
export const toCount = (value: number | undefined): number =>
  value !== undefined && value > 0 ? Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER) : 0

/** Returns the last rates whose threshold the input exceeds. */
export function ratesForInput({ base, longer }: Schedule, { input }: Counts): CompiledRates {
  if (longer.length === 0) return base
  const count = toCount(input)
  return longer.findLast(({ aboveInputTokens }) => count > aboveInputTokens)?.rates ?? base
}

const picosPerNano = 1_000

/**
 * Converts to nano-dollars, rounded up once. The factor does not apply to fees. NaN when the sum does not fit into a number: all terms are
 * positive, so a sum within 2^53 was calculated without rounding.
 */
export function toNanos(tokenPicos: number, { factor, scale }: Schedule, feePicos: number): number {
  const divisor = scale.fast * picosPerNano
  const sum = tokenPicos * factor.fast + feePicos * scale.fast + divisor - 1
  return sum <= Number.MAX_SAFE_INTEGER ? (sum - (sum % divisor)) / divisor : Number.NaN
}

/** The same with BigInts. */
export function toExactNanos(tokenPicos: bigint, { factor, scale }: Schedule, feePicos: bigint): bigint {
  const divisor = scale.exact * BigInt(picosPerNano)
  return (tokenPicos * factor.exact + feePicos * scale.exact + divisor - 1n) / divisor
}

export const toSafeNumber = (nanos: bigint): number =>
  nanos < Number.MAX_SAFE_INTEGER ? Number(nanos) : Number.MAX_SAFE_INTEGER
