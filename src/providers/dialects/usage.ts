import { asCount, asObject, asText, type JsonObject, readCount } from '../../json/index.js'
import type { Counts, Unit } from '../../pricing/index.js'
import { mayCacheForHours } from './cache.js'

/** What a provider reports that it used. Some report the input first and the output last, or never. */
export interface ReportedUsage {
  counts: Counts
  /** The output is in the counts. */
  hasOutput: boolean
  /** The tier that was served, where it is not the standard one. */
  tier: string | null
  /** What is paid by something else than tokens. `asked`: the request alone decides it, as it was reserved. */
  units?: readonly Unit[] | 'asked'
}

/** OpenAI's fields, which have other names in its two formats. */
export interface UsageNames {
  input: string
  inputDetails: string
  output: string
  outputDetails: string
}

/**
 * Null when the input is not reported. Some compatible servers count reasoning beside the output: then the total tells.
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
  const counts = {
    input,
    cached: Math.min(input, asCount(details.cached_tokens)),
    written,
    writtenHour: written > 0 && mayCacheForHours(request) ? written : 0,
    audioIn: Math.min(input, asCount(details.audio_tokens)),
  }
  const total = readCount(usage.total_tokens)
  const reported = readCount(usage[names.output]) ?? (total !== null && total >= input ? total - input : null)
  if (reported === null) return { counts, hasOutput: false }
  const made = asObject(usage[names.outputDetails])
  const reasoning = asCount(made.reasoning_tokens)
  const beside = reasoning > reported ? reported + reasoning : 0
  const output = Math.max(reported, asCount(usage.total_tokens) - input, beside)
  return {
    counts: {
      ...counts,
      output,
      reasoning: Math.min(output, reasoning),
      audioOut: Math.min(output, asCount(made.audio_tokens)),
    },
    hasOutput: true,
  }
}

// Names of the standard tier. With `scale` the vendor is paid in advance, at the standard price.
const standardTiers = new Set(['', 'auto', 'default', 'standard', 'standard_only', 'on_demand', 'scale'])

/** OpenAI tells which tier served the call; a server that does not is taken to have served what was asked for. */
export function readServiceTier(answer: JsonObject, request: JsonObject): string | null {
  return tierNamed(asText(answer.service_tier ?? request.service_tier))
}

/** The vendor may serve a call in the standard tier instead of the one that was asked for. */
export function serviceTiersOf(request: JsonObject): (string | null)[] {
  const asked = asText(request.service_tier)
  if (asked === 'auto') return [null, 'priority']
  const tier = tierNamed(asked)
  return tier === null ? [null] : [null, tier]
}

/** A name that a price may have a tier under; null for the standard one. It enters the record. */
export const tierNamed = (name: string): string | null =>
  standardTiers.has(name) ? null : /^[a-z0-9_.-]{1,32}$/.test(name) ? name : 'unknown'
