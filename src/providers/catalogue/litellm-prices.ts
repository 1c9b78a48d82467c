import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  type LongerRates,
  type Price,
  picosFromUsd,
  type Rates,
  withCacheRates,
} from '../../pricing/index.js'
import type { CatalogueModel } from './catalogue.js'

export interface LiteLlmPrices {
  models: CatalogueModel[]
  /** Entries that are not ours to price: images, audio, rerankers, anything without a price per token. */
  skipped: number
  /** One sentence for each entry that has a price per token but cannot be used as it stands. */
  faults: string[]
}

const Usd = Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()]))
const Limit = Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]))

const LiteLlmEntry = Type.Object({
  litellm_provider: Type.String({ minLength: 1 }),
  mode: Type.Optional(Type.String()),
  input_cost_per_token: Usd,
  output_cost_per_token: Usd,
  cache_read_input_token_cost: Usd,
  cache_creation_input_token_cost: Usd,
  max_input_tokens: Limit,
  max_output_tokens: Limit,
  max_tokens: Limit,
})
type LiteLlmEntry = Static<typeof LiteLlmEntry>

// Only where LiteLLM's name for a provider is not the one our catalogue and config use.
const providerNames = new Map([['gemini', 'google']])

/** Reads a file in the format of LiteLLM's `model_prices_and_context_window.json`. Throws only when it is not a JSON object. */
export function readLiteLlmPrices(text: string): LiteLlmPrices {
  const file: unknown = JSON.parse(text)
  if (!isRecord(file)) throw new Error('price file: expected an object keyed by model name')

  const shape = Compile(LiteLlmEntry)
  const result: LiteLlmPrices = { models: [], skipped: 0, faults: [] }
  for (const [key, entry] of Object.entries(file)) {
    if (key === 'sample_spec') continue
    const mode = isRecord(entry) ? servedMode(entry.mode) : undefined
    if (!isRecord(entry) || mode === undefined || !hasTokenPrice(entry, mode)) {
      result.skipped += 1
    } else if (!shape.Check(entry)) {
      const [first] = shape.Errors(entry)
      result.faults.push(`${key}${first?.instancePath ?? ''}: ${first?.message ?? 'not understood'}`)
    } else {
      try {
        result.models.push(toModel(key, mode, entry))
      } catch (error) {
        result.faults.push(`${key}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  return result
}

function toModel(key: string, mode: CatalogueModel['mode'], entry: LiteLlmEntry): CatalogueModel {
  const maxInputTokens = entry.max_input_tokens ?? entry.max_tokens
  if (maxInputTokens == null) throw new Error('neither max_input_tokens nor max_tokens is given')
  const maxOutputTokens = mode === 'embedding' ? null : (entry.max_output_tokens ?? entry.max_tokens ?? null)

  const prefix = `${entry.litellm_provider}/`
  return {
    model: key.startsWith(prefix) ? key.slice(prefix.length) : key,
    provider: providerNames.get(entry.litellm_provider) ?? entry.litellm_provider,
    mode,
    price: toPrice(entry),
    maxInputTokens,
    maxOutputTokens,
  }
}

function toPrice(entry: LiteLlmEntry): Price {
  const usd = {
    input: entry.input_cost_per_token ?? 0,
    output: entry.output_cost_per_token ?? 0,
    cacheRead: positive(entry.cache_read_input_token_cost),
    cacheWrite: positive(entry.cache_creation_input_token_cost),
  }
  const longer = longerRates(entry, usd)
  return { rates: ratesFromUsdPerToken(usd), ...(longer && { longer: [longer] }) }
}

// LiteLLM writes a dearer price for long prompts as `<field>_above_200k_tokens`. Ignoring it would record
// half of what the vendor charges. A part that has no long price of its own keeps the short one.
function longerRates(
  entry: Record<string, unknown>,
  base: { input: number; output: number },
): LongerRates | undefined {
  const thresholds = new Set(
    Object.keys(entry).flatMap(
      (field) => /^(?:in|out)put_cost_per_token_above_(\d+)k_tokens$/.exec(field)?.[1] ?? [],
    ),
  )
  const [threshold] = thresholds
  if (threshold === undefined) return undefined
  if (thresholds.size > 1) throw new Error('more than one long-context price; only one is supported')

  const longPrice = (field: string) => positive(entry[`${field}_above_${threshold}k_tokens`])
  const rates = ratesFromUsdPerToken({
    input: longPrice('input_cost_per_token') ?? base.input,
    output: longPrice('output_cost_per_token') ?? base.output,
    cacheRead: longPrice('cache_read_input_token_cost'),
    cacheWrite: longPrice('cache_creation_input_token_cost'),
  })
  return { aboveInputTokens: Number(threshold) * 1000, rates }
}

function ratesFromUsdPerToken(usd: {
  input: number
  output: number
  cacheRead: number | undefined
  cacheWrite: number | undefined
}): Rates {
  const rates: Rates = {
    input: picosFromUsd('input price', usd.input),
    output: picosFromUsd('output price', usd.output),
  }
  if (usd.cacheRead !== undefined) rates.cached = picosFromUsd('cache read price', usd.cacheRead)
  if (usd.cacheWrite !== undefined) rates.written = picosFromUsd('cache write price', usd.cacheWrite)
  return withCacheRates(rates)
}

function servedMode(mode: unknown): CatalogueModel['mode'] | undefined {
  if (mode === undefined) return 'chat'
  return mode === 'chat' || mode === 'responses' || mode === 'embedding' ? mode : undefined
}

// Zero means "nobody filled this in" as often as "free", so it is no price. A price of the wrong
// type does count as one here: it is then named as a fault instead of vanishing among the skipped.
function hasTokenPrice(entry: Record<string, unknown>, mode: CatalogueModel['mode']): boolean {
  const given = (value: unknown) => value !== undefined && value !== null && value !== 0
  return given(entry.input_cost_per_token) && (mode === 'embedding' || given(entry.output_cost_per_token))
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
