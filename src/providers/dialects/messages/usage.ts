import { asCount, asObject, type JsonObject, readCount } from '../../../json/index.js'
import type { ReportedUsage } from '../dialect.js'

/** Anthropic counts cached input beside `input_tokens`, not within it. */
export function readUsage(usage: JsonObject): ReportedUsage | null {
  const freshTokens = readCount(usage.input_tokens)
  const cachedTokens = asCount(usage.cache_read_input_tokens)
  const cacheWriteTokens = asCount(usage.cache_creation_input_tokens)
  const inputTokens = freshTokens === null ? null : readCount(freshTokens + cachedTokens + cacheWriteTokens)
  if (inputTokens === null) return null
  return {
    inputTokens,
    cachedTokens,
    cacheWriteTokens,
    hourCacheWriteTokens: asCount(asObject(usage.cache_creation).ephemeral_1h_input_tokens),
    outputTokens: readCount(usage.output_tokens),
  }
}
