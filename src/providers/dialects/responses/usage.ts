import { asCount, asObject, readCount } from '../../../json/index.js'
import type { ReportedUsage } from '../dialect.js'

export function readUsage(value: unknown): ReportedUsage | null {
  const usage = asObject(value)
  const inputTokens = readCount(usage.input_tokens)
  if (inputTokens === null) return null
  return {
    inputTokens,
    cachedTokens: Math.min(inputTokens, asCount(asObject(usage.input_tokens_details).cached_tokens)),
    cacheWriteTokens: 0,
    outputTokens: readCount(usage.output_tokens),
  }
}
