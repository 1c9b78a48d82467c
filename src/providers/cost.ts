import { costNanos as costOfCounts, type Price } from '../pricing/index.js'

export interface TokenUsage {
  /** All input, including what was read from and written to the provider's cache. */
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  /** Of what was written to the cache, what is kept there for an hour instead of minutes. */
  hourCacheWriteTokens?: number
  outputTokens: number
}

/** What tokens cost in the vendor's standard tier. */
export function costNanos(price: Price, usage: TokenUsage): number {
  const counts = {
    input: usage.inputTokens,
    cached: usage.cachedTokens,
    written: usage.cacheWriteTokens,
    writtenHour: usage.hourCacheWriteTokens ?? 0,
    output: usage.outputTokens,
  }
  return costOfCounts(price, counts, null)
}
