import { asArray, asCount, asObject, asText, type JsonObject, readCount } from '@tallystick/record/json'
import { type ReportedUsage, toTierName } from '../usage.js'

/**
 * Anthropic counts cached input beside `input_tokens`, not within it. When the vendor ran several rounds, such as
 * to compact the conversation, the top-level figures omit some of them: the sum over all rounds is billed.
 */
export function readUsage(
  usage: JsonObject,
  request: JsonObject,
  hasContainer: boolean,
): ReportedUsage | null {
  if (readCount(usage.input_tokens) === null) return null
  const rounds = asArray(usage.iterations).map(asObject)
  const top = readRound(usage)
  const all = rounds.map(readRound).reduce(addRounds, emptyRound)
  const fresh = Math.max(top.fresh, all.fresh)
  const cached = Math.max(top.cached, all.cached)
  const written = Math.max(top.written, all.written)
  const input = readCount(fresh + cached + written)
  if (input === null) return null
  return {
    counts: {
      input,
      cached,
      written,
      writtenHour: Math.max(top.writtenHour, all.writtenHour),
      output: Math.max(top.output, all.output),
      tools: { ...(hasContainer && { code_execution: 1 }), ...readToolUses(usage) },
    },
    hasOutput: readCount(usage.output_tokens) !== null,
    tier: readTier(usage, request),
  }
}

interface Round {
  fresh: number
  cached: number
  written: number
  writtenHour: number
  output: number
}

const emptyRound: Round = { fresh: 0, cached: 0, written: 0, writtenHour: 0, output: 0 }

const readRound = (usage: JsonObject): Round => ({
  fresh: asCount(usage.input_tokens),
  cached: asCount(usage.cache_read_input_tokens),
  written: asCount(usage.cache_creation_input_tokens),
  writtenHour: asCount(asObject(usage.cache_creation).ephemeral_1h_input_tokens),
  output: asCount(usage.output_tokens),
})

const addRounds = (sum: Round, round: Round): Round => ({
  fresh: sum.fresh + round.fresh,
  cached: sum.cached + round.cached,
  written: sum.written + round.written,
  writtenHour: sum.writtenHour + round.writtenHour,
  output: sum.output + round.output,
})

/** `web_search_requests: 2` means two uses of `web_search`. */
function readToolUses(usage: JsonObject): Record<string, number> {
  const uses: Record<string, number> = {}
  for (const [name, count] of Object.entries(asObject(usage.server_tool_use))) {
    const tool = /^([a-z_]{1,64})_requests$/.exec(name)?.[1]
    if (tool !== undefined && asCount(count) > 0) uses[tool] = asCount(count)
  }
  return uses
}

// Values of `inference_geo` for which the standard price applies.
const standardRegions = new Set(['', 'global', 'not_available'])

/**
 * Faster answers, and those processed in one country, cost more. An answer that does not report its tier is assumed
 * to have been served as requested.
 */
function readTier(usage: JsonObject, request: JsonObject): string | null {
  const speed = toTierName(asText(usage.speed ?? request.speed))
  const region = asText(usage.inference_geo ?? request.inference_geo)
  return joinTiers(speed, standardRegions.has(region) ? null : toTierName(region))
}

/**
 * Returns the tiers in which the vendor may serve a request. When the request does not set the region, a setting of the
 * workspace at the vendor decides it.
 */
export function possibleTiersOf(request: JsonObject): (string | null)[] {
  const requested = readTier({}, request)
  const inUnitedStates = joinTiers(toTierName(asText(request.speed)), 'us')
  return asText(request.inference_geo) === '' ? [null, requested, inUnitedStates] : [null, requested]
}

const joinTiers = (...tiers: (string | null)[]): string | null =>
  tiers.filter((tier) => tier !== null).join('+') || null
