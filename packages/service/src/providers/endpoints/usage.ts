import { asCount, asObject, asText, type JsonObject, readCount } from '@tallystick/record/json'
import type { Counts, Unit } from '@tallystick/record/pricing'
import { mayCacheForAnHour } from './prompt-caching.js'

/** The usage that a provider reports. Some report the input first, and the output last or never. */
export interface ReportedUsage {
  counts: Counts
  /** True when the counts include the output. */
  hasOutput: boolean
  /** The tier that served the call, if it was not the standard one. */
  tier: string | null
  /** Usage that is billed other than by tokens. `as reserved`: the request alone determines it, and it was reserved. */
  units?: readonly Unit[] | 'as reserved'
}

/** OpenAI's fields, which have different names in its two formats. */
export interface UsageNames {
  input: string
  inputDetails: string
  output: string
  outputDetails: string
}

/**
 * Returns null when the input is not reported. Some compatible servers count reasoning outside the output; the
 * total then reveals it.
 */
export function readOpenAiUsage(
  value: unknown,
  request: JsonObject,
  names: UsageNames,
): Omit<ReportedUsage, 'tier'> | null {
  const usage = asObject(value)
  const input = readCount(usage[names.input])
  if (input === null) return null
  const details = asObject(usage[names.inputDetails])
  const written = Math.min(input, asCount(details.cache_write_tokens))
  const cached = Math.min(input, asCount(details.cached_tokens))
  const writtenHour = written > 0 && mayCacheForAnHour(request) ? written : 0
  const audioIn = Math.min(input, asCount(details.audio_tokens))
  const total = readCount(usage.total_tokens)
  const reported = readCount(usage[names.output]) ?? (total !== null && total >= input ? total - input : null)
  if (reported === null) return { counts: { input, cached, written, writtenHour, audioIn }, hasOutput: false }
  const outputDetails = asObject(usage[names.outputDetails])
  const reasoning = asCount(outputDetails.reasoning_tokens)
  const withReasoning = reasoning > reported ? reported + reasoning : 0
  const output = Math.max(reported, asCount(usage.total_tokens) - input, withReasoning)
  return {
    counts: {
      input,
      cached,
      written,
      writtenHour,
      audioIn,
      output,
      reasoning: Math.min(output, reasoning),
      audioOut: Math.min(output, asCount(outputDetails.audio_tokens)),
    },
    hasOutput: true,
  }
}

// Names of the standard tier. The tier `scale` is paid for in advance, at the standard price.
const standardTiers = new Set(['', 'auto', 'default', 'standard', 'standard_only', 'on_demand', 'scale'])

/**
 * OpenAI reports which tier served the call; a server that does not is assumed to have served the requested one.
 */
export function readServiceTier(answer: JsonObject, request: JsonObject): string | null {
  return toTierName(asText(answer.service_tier ?? request.service_tier))
}

/** The vendor may serve a call in the standard tier instead of the requested one. */
export function serviceTiersOf(request: JsonObject): (string | null)[] {
  const requested = asText(request.service_tier)
  if (requested === 'auto') return [null, 'priority']
  const tier = toTierName(requested)
  return tier === null ? [null] : [null, tier]
}

/**
 * Returns a name under which a price may list a tier; null for the standard tier. It is recorded in the receipt.
 */
export const toTierName = (name: string): string | null =>
  standardTiers.has(name) ? null : /^[a-z0-9_.-]{1,32}$/.test(name) ? name : 'unknown'
