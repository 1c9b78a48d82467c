import type { Price } from './catalogue/price.js'

export interface TokenUsage {
  /** All input, including what was read from and written to the provider's cache. */
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  /** Of what was written to the cache, what is kept there for an hour instead of minutes. */
  hourCacheWriteTokens?: number
  outputTokens: number
}

const PICOS_PER_NANO = 1_000n

// Anthropic's rule for every model: what is kept for an hour costs twice the input price.
const HOUR_CACHE_WRITE_FACTOR = 2n

/**
 * What a call costs, in whole nano-dollars. Summed exactly in picodollars and rounded up once, so a call
 * that costs anything never costs nothing, and the record is never below the vendor's bill.
 */
export function costNanos(price: Price, usage: TokenUsage): number {
  const input = wholeTokens(usage.inputTokens)
  // If the parts exceed the reported total, the total stands and the parts are clamped, the most expensive first.
  const written = min(wholeTokens(usage.cacheWriteTokens), input)
  const cached = min(wholeTokens(usage.cachedTokens), input - written)
  const writtenForAnHour = min(wholeTokens(usage.hourCacheWriteTokens ?? 0), written)

  const { longContext } = price
  const isLong = longContext !== undefined && input > BigInt(longContext.aboveInputTokens)
  const rates = isLong ? longContext : price

  const picos =
    (input - written - cached) * BigInt(rates.inputPicosPerToken) +
    (written - writtenForAnHour) * BigInt(rates.cacheWritePicosPerToken) +
    writtenForAnHour * HOUR_CACHE_WRITE_FACTOR * BigInt(rates.inputPicosPerToken) +
    cached * BigInt(rates.cacheReadPicosPerToken) +
    wholeTokens(usage.outputTokens) * BigInt(rates.outputPicosPerToken)
  return Number(min((picos + PICOS_PER_NANO - 1n) / PICOS_PER_NANO, BigInt(Number.MAX_SAFE_INTEGER)))
}

// Counts come from a provider's answer. A nonsense one must not throw while a call is being settled.
function wholeTokens(count: number): bigint {
  return count > 0 ? BigInt(Math.min(Math.ceil(count), Number.MAX_SAFE_INTEGER)) : 0n
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
