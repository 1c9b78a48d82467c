import { fastPermille, usGeoPermille } from './fees.js'
import type { Rates, VendorModel } from './price-book.js'

/** What a call used, as the vendor meters it. Tokens, except where a name says otherwise. */
export interface Metered {
  /** All input: also what is cached, written, and audio. */
  input: number
  cached: number
  written: number
  writtenHour: number
  audioIn: number
  /** All output: also reasoning, audio and rejected predictions. */
  output: number
  reasoning: number
  audioOut: number
  rejectedPrediction: number
  /** Tokens of images that a tool made, which have a price of their own. */
  imageTokens: number
  /** Fees of hosted tools in picodollars. */
  feesPico: number
}

export const nothing: Metered = {
  input: 0,
  cached: 0,
  written: 0,
  writtenHour: 0,
  audioIn: 0,
  output: 0,
  reasoning: 0,
  audioOut: 0,
  rejectedPrediction: 0,
  imageTokens: 0,
  feesPico: 0,
}

export interface BilledAt {
  tier?: string
  fast?: boolean
  geo?: string
}

/** Picodollars of tokens alone. */
export function priceTokens(
  name: string,
  model: VendorModel,
  used: Metered,
  { tier, fast, geo }: BilledAt,
): bigint {
  const rates = ratesFor(model, used.input, tier)
  const fresh = used.input - used.cached - used.written - used.audioIn
  const parts: [number, number][] = [
    [fresh, rates.input],
    [used.cached, rates.cached],
    [used.written - used.writtenHour, rates.written],
    [used.writtenHour, rates.writtenHour],
    [used.audioIn, rates.audioIn],
    [used.output - used.audioOut, rates.output],
    [used.audioOut, rates.audioOut],
  ]
  const sum = parts.reduce((pico, [tokens, rate]) => pico + BigInt(tokens) * BigInt(rate), 0n)
  const permille = (fast ? (fastPermille[name] ?? 1_000) : 1_000) * (geo === 'us' ? usGeoPermille : 1_000)
  return (sum * BigInt(permille)) / 1_000_000n
}

function ratesFor(model: VendorModel, input: number, tier: string | undefined): Rates {
  const tiered = tier === undefined ? undefined : model.tiers?.[tier]
  if (tiered) return tiered
  return model.longer && input > model.longer.above ? model.longer.rates : model.rates
}

/** Nanodollars, rounded up once. */
export const toNanos = (pico: bigint): number => Number((pico + 999n) / 1_000n)
