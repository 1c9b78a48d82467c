import type { LongerRates, Price, Rates, TierPrice } from './price.js'

/** Rates as vendors publish them: USD per million tokens, and for an image USD each. */
export interface UsdRates {
  inputUsdPerMTok: number
  outputUsdPerMTok?: number
  cacheReadUsdPerMTok?: number
  cacheWriteUsdPerMTok?: number
  cacheWriteHourUsdPerMTok?: number
  audioInputUsdPerMTok?: number
  audioOutputUsdPerMTok?: number
  imageUsd?: number
}

export interface UsdLongerRates extends UsdRates {
  aboveInputTokens: number
}

/** A tier with its own rates, a factor on the standard rates, or both. */
export interface UsdTier extends Partial<UsdRates> {
  longer?: readonly UsdLongerRates[]
  factor?: number
}

export interface UsdPrice extends UsdRates {
  longer?: readonly UsdLongerRates[]
  tiers?: Readonly<Record<string, UsdTier>>
  /** USD for each use of a hosted tool, by its name. */
  feesUsd?: Readonly<Record<string, number>>
}

const PER_MTOK_DECIMALS = 6
const EACH_DECIMALS = 12
const PERMILLE_DECIMALS = 3

/** Converts a price. Throws, and names the field, when an amount is negative or has fractions of a picodollar. */
export function priceFromUsd(usd: UsdPrice): Price {
  const { tiers, feesUsd } = usd
  return {
    ...pricedRates(usd),
    ...(tiers && {
      tiers: mapValues(tiers, (tier, name) => withContext(`tier ${name}`, () => tierFromUsd(tier))),
    }),
    ...(feesUsd && {
      fees: mapValues(feesUsd, (fee, tool) => picosFromUsd(`fee of ${tool}`, fee)),
    }),
  }
}

function tierFromUsd({ factor, inputUsdPerMTok, ...others }: UsdTier): TierPrice {
  if (inputUsdPerMTok === undefined && (Object.keys(others).length > 0 || factor === undefined))
    throw new Error('has neither rates nor a factor')
  return {
    ...(inputUsdPerMTok !== undefined && pricedRates({ ...others, inputUsdPerMTok })),
    ...(factor !== undefined && { permille: toInteger('factor', factor, PERMILLE_DECIMALS) }),
  }
}

function pricedRates(usd: UsdRates & { longer?: readonly UsdLongerRates[] }): {
  rates: Rates
  longer?: LongerRates[]
} {
  const longer = usd.longer?.map((rates) => ({
    aboveInputTokens: rates.aboveInputTokens,
    rates: withContext(`above ${rates.aboveInputTokens} tokens`, () => ratesFromUsd(rates)),
  }))
  if (
    longer?.some(({ aboveInputTokens }, at) => aboveInputTokens <= (longer[at - 1]?.aboveInputTokens ?? -1))
  )
    throw new Error('thresholds of longer input must ascend')
  return { rates: ratesFromUsd(usd), ...(longer && longer.length > 0 && { longer }) }
}

function ratesFromUsd(usd: UsdRates): Rates {
  const perMTok = (name: string, amount: number) => toInteger(`${name} price`, amount, PER_MTOK_DECIMALS)
  const rates: Rates = {
    input: perMTok('input', usd.inputUsdPerMTok),
    output: perMTok('output', usd.outputUsdPerMTok ?? 0),
  }
  if (usd.cacheReadUsdPerMTok !== undefined) rates.cached = perMTok('cache read', usd.cacheReadUsdPerMTok)
  if (usd.cacheWriteUsdPerMTok !== undefined) rates.written = perMTok('cache write', usd.cacheWriteUsdPerMTok)
  if (usd.cacheWriteHourUsdPerMTok !== undefined)
    rates.writtenHour = perMTok('hour cache write', usd.cacheWriteHourUsdPerMTok)
  if (usd.audioInputUsdPerMTok !== undefined) rates.audioIn = perMTok('audio input', usd.audioInputUsdPerMTok)
  if (usd.audioOutputUsdPerMTok !== undefined)
    rates.audioOut = perMTok('audio output', usd.audioOutputUsdPerMTok)
  if (usd.imageUsd !== undefined) rates.image = picosFromUsd('image price', usd.imageUsd)
  return withCacheRates(rates)
}

/**
 * Adds the rates that vendors do not publish: reading from a cache without a discount costs as much as input, and writing to the cache
 * for an hour costs twice as much as input, as Anthropic charges for every model.
 */
export function withCacheRates(rates: Rates): Rates {
  const { input, cached = input, written, writtenHour } = rates
  if (written === undefined) return { ...rates, cached }
  return { ...rates, cached, writtenHour: writtenHour ?? Math.max(written, 2 * input) }
}

/** Converts USD for one token or one use to picodollars. */
export const picosFromUsd = (name: string, usd: number): number => toInteger(name, usd, EACH_DECIMALS)

// Works on the shortest decimal form of the number, as it was typed. Multiplying floats would turn 1.005 × 1e6 into
// 1004999.9999999999.
function toInteger(name: string, value: number, decimals: number): number {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (match === null) throw new Error(`${name} ${value} is not an amount`)
  const [, integer = '', fraction = '', exponent = '0'] = match
  const shift = decimals + Number(exponent) - fraction.length
  const digits = BigInt(integer + fraction)
  const divisor = 10n ** BigInt(Math.max(0, -shift))
  if (digits % divisor !== 0n) throw new Error(`${name} ${value} has more than ${decimals} decimal places`)
  const result = Number((digits / divisor) * 10n ** BigInt(Math.max(0, shift)))
  if (!Number.isSafeInteger(result)) throw new Error(`${name} ${value} is too large`)
  return result
}

function withContext<T>(context: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new Error(`${context}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))
}
