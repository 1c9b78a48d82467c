import type { LongerRates, Price, Rates } from './price.js'

/** Every kind with a rate: one without its own has the dearest that is known for its direction. */
export interface FullRates {
  input: bigint
  cached: bigint
  written: bigint
  writtenHour: bigint
  audioIn: bigint
  output: bigint
  audioOut: bigint
  image: bigint
}

/** One way in which the tokens of a call can be priced: rates by the length of its input, times a factor. */
export interface Schedule {
  rates: Rates
  longer: readonly LongerRates[]
  /** Over `scale`, so that no factor rounds. */
  factor: bigint
  scale: bigint
}

/**
 * What an image or the use of a tool counts as where the price names nothing to compare it with: more tokens than any image
 * of today's vendors, at the dearest rate. It is too much on purpose, and `unpricedKinds` tells of it.
 */
const UNPRICED_USE_TOKENS = 10_000n

/** Counts and rates come from elsewhere. A nonsense one must not throw while a call is being settled. */
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

/** The fee for one use. A tool without one costs as much as the dearest that the price names. */
export function feeOf({ fees = {}, rates }: Price, tool: string): bigint {
  if (Object.hasOwn(fees, tool)) return toBigInt(fees[tool])
  const known = Object.values(fees).map(toBigInt)
  if (known.length > 0) return max(...known)
  const { input, audioIn, output, audioOut } = fullRates(rates)
  return UNPRICED_USE_TOKENS * max(input, audioIn, output, audioOut)
}

/** The last rates whose threshold is passed. */
export function ratesForInput({ rates, longer }: Schedule, input: bigint): Rates {
  return longer.findLast(({ aboveInputTokens }) => input > toBigInt(aboveInputTokens))?.rates ?? rates
}

export const tierNames = (tier: string | null): string[] => (tier ? [...new Set(tier.split('+'))] : [])

/**
 * Every way in which a call of this tier can be priced: the dearest applies. That is one, unless several of the joined tiers have
 * rates of their own, or one is not known: it stands for the known tier that makes the call dearest.
 */
export function schedulesOf(price: Price, tier: string | null): Schedule[] {
  const { tiers = {} } = price
  const names = tierNames(tier)
  const known = names.filter((name) => Object.hasOwn(tiers, name))
  const others = Object.keys(tiers).filter((name) => !known.includes(name))
  const combinations =
    known.length === names.length ? [known] : [known, ...others.map((name) => [...known, name])]
  return combinations.flatMap((reading) => schedulesOfTiers(price, reading))
}

function schedulesOfTiers(price: Price, names: readonly string[]): Schedule[] {
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

const PICOS_PER_NANO = 1000n

/** Rounded up, once. Fees have no factor. */
export function toNanos(tokenPicos: bigint, { factor, scale }: Schedule, feePicos: bigint): bigint {
  const divisor = scale * PICOS_PER_NANO
  return (tokenPicos * factor + feePicos * scale + divisor - 1n) / divisor
}

export const toSafeNumber = (nanos: bigint): number => Number(min(nanos, BigInt(Number.MAX_SAFE_INTEGER)))
