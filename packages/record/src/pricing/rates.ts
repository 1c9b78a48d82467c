import type { LongerRates, Price, Rates } from './price.js'

/** A rate for every kind. A kind that the price does not name has the most expensive rate of its direction. */
export type FullRates<Amount = bigint> = Record<keyof Rates, Amount>

/** One way to price the tokens of a call: rates by the length of its input, times a factor. */
export interface TierRates {
  rates: Rates
  longer: readonly LongerRates[]
  /** The numerator of the factor. `scale` is the denominator, so that no factor is rounded. */
  factor: bigint
  scale: bigint
}

/**
 * The number of tokens that an image or the use of a tool counts as when the price has no fee for it: more than an image of any vendor
 * has, at the most expensive rate. It is too much on purpose, and `unpricedKinds` reports it.
 */
const UNPRICED_USE_TOKENS = 10_000n

/** Converts a count or a rate. Both come from other systems, and an invalid one must not throw while a call is being settled. */
export function toBigInt(value: number | undefined): bigint {
  return value !== undefined && value > 0 ? BigInt(Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER)) : 0n
}

export const max = (...values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), 0n)
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

export function fullRates(rates: Rates): FullRates {
  const text = max(...[rates.input, rates.cached, rates.written, rates.writtenHour].map(toBigInt))
  const or = (rate: number | undefined, fallback: bigint) => (rate === undefined ? fallback : toBigInt(rate))
  const output = toBigInt(rates.output)
  const audioIn = or(rates.audioIn, text)
  const audioOut = or(rates.audioOut, output)
  return {
    input: toBigInt(rates.input),
    cached: or(rates.cached, text),
    written: or(rates.written, text),
    writtenHour: or(rates.writtenHour, text),
    audioIn,
    output,
    audioOut,
    image: or(rates.image, UNPRICED_USE_TOKENS * max(text, audioIn, output, audioOut)),
  }
}

/** Returns the fee for one use of a tool that the price does not name: as much as the most expensive one that it does. */
export function unnamedFee({ fees = {}, rates }: Price): bigint {
  const known = Object.values(fees).map(toBigInt)
  if (known.length > 0) return max(...known)
  const { input, audioIn, output, audioOut } = fullRates(rates)
  return UNPRICED_USE_TOKENS * max(input, audioIn, output, audioOut)
}

export const tierNames = (tier: string | null): string[] => (tier ? [...new Set(tier.split('+'))] : [])

/**
 * Returns every way to price a call of this tier, of which the most expensive one applies. There is only one unless several of the joined
 * tiers have their own rates, or a tier is unknown. An unknown tier counts as the known tier that makes the call most expensive.
 */
export function ratesOfTier(price: Price, tier: string | null): TierRates[] {
  const { tiers = {} } = price
  const names = tierNames(tier)
  const known = names.filter((name) => Object.hasOwn(tiers, name))
  const others = Object.keys(tiers).filter((name) => !known.includes(name))
  const combinations =
    known.length === names.length ? [known] : [known, ...others.map((name) => [...known, name])]
  return combinations.flatMap((combination) => ratesOfCombination(price, combination))
}

function ratesOfCombination(price: Price, names: readonly string[]): TierRates[] {
  const tiers = names.flatMap((name) => price.tiers?.[name] ?? [])
  const permilles = tiers.flatMap(({ permille }) => (permille === undefined ? [] : [toBigInt(permille)]))
  const factor = permilles.reduce((product, permille) => product * permille, 1n)
  const scale = 1000n ** BigInt(permilles.length)
  const withRates = tiers.flatMap(({ rates, longer = [] }) =>
    rates === undefined ? [] : [{ rates, longer }],
  )
  const { rates, longer = [] } = price
  return (withRates.length > 0 ? withRates : [{ rates, longer }]).map((each) => ({ ...each, factor, scale }))
}
