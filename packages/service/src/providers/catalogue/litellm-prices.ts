import { asObject, isObject } from '@tallystick/record/json'
import type { Catalogue, CatalogueModel, Overrides } from './catalogue.js'
import { defaultProperties } from './default-properties.js'
import { readEntryPrice } from './litellm-entry-price.js'
import { withVendorPrices } from './vendor-prices.js'

export interface LiteLlmPrices extends Overrides {
  models: CatalogueModel[]
  /** Reasons why entries cannot be used, by `provider/model`. */
  refused: Map<string, string>
  /**
   * The number of entries that are not read: images, audio, rerankers. The catalogue's price for them applies,
   * where it has one.
   */
  skipped: number
}

// Lists only the providers that LiteLLM names differently from this catalogue.
const providerNames = new Map([
  ['gemini', 'google'],
  ['cohere_chat', 'cohere'],
])

/**
 * Reads a file in the format of LiteLLM's `model_prices_and_context_window.json`. Each entry is accepted or refused
 * as a whole. Throws only when the file is not a JSON object.
 */
export function readLiteLlmPrices(text: string, catalogue: Catalogue): LiteLlmPrices {
  const file: unknown = JSON.parse(text)
  if (!isObject(file)) throw new Error('price file: expected an object keyed by model name')

  const models = new Map<string, CatalogueModel>()
  const refused = new Map<string, string>()
  let skipped = 0
  for (const [key, value] of Object.entries(file)) {
    if (key === 'sample_spec') continue
    const entry = asObject(value)
    const { provider, model } = nameOf(key, entry, catalogue)
    const known = findModel(catalogue, provider, model)
    const mode = servedMode(entry.mode)
    if (mode === undefined && (known === undefined || !isByTokens(known))) {
      skipped += 1
      continue
    }
    const faults: string[] = []
    if (!isObject(value)) faults.push('the entry is not an object')
    else if (typeof entry.litellm_provider !== 'string') faults.push('litellm_provider is missing')
    if (mode === undefined) faults.push(`mode ${String(entry.mode)} is not served`)
    const read = readEntry({ provider, model, mode: mode ?? 'chat' }, entry, known, faults)
    const name = `${provider}/${model}`
    // The last entry for a model wins, however its name is spelled.
    models.delete(name)
    refused.delete(name)
    if (faults.length > 0) refused.set(name, faults.join('; '))
    else models.set(name, read)
  }
  return { models: [...models.values()], refused, skipped }
}

function readEntry(
  named: Pick<CatalogueModel, 'provider' | 'model' | 'mode'>,
  entry: Record<string, unknown>,
  known: CatalogueModel | undefined,
  faults: string[],
): CatalogueModel {
  const price = readEntryPrice(entry, faults)
  const isEmbedding = named.mode === 'embedding'
  if (price.rates.input === 0) faults.push('input_cost_per_token is missing or zero')
  if (price.rates.output === 0 && !isEmbedding) faults.push('output_cost_per_token is missing or zero')

  const limit = (name: string): number | null => {
    const value = entry[name]
    if (value === undefined || value === null) return null
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
    faults.push(`${name} is not a number of tokens`)
    return null
  }
  const maxTokens = limit('max_tokens')
  // For a chat model, `max_tokens` may be the output limit, and a context window that is too small would make the
  // reservation too small.
  const contextWindow = limit('max_input_tokens') ?? (isEmbedding ? maxTokens : null)
  const maxOutputTokens = limit('max_output_tokens') ?? maxTokens

  const { properties, outputField, hostedToolTokens } = known ?? defaultProperties(named.provider)
  return {
    ...named,
    price: withVendorPrices(price, known?.price),
    properties: {
      ...properties,
      contextWindow: contextWindow ?? properties.contextWindow,
      maxOutputTokens: isEmbedding ? null : (maxOutputTokens ?? properties.maxOutputTokens),
    },
    outputField,
    hostedToolTokens,
  }
}

function findModel({ models }: Catalogue, provider: string, model: string): CatalogueModel | undefined {
  const found = models.get(`${provider}/${model}`) ?? models.get(model)
  return found?.provider === provider ? found : undefined
}

function nameOf(
  key: string,
  entry: Record<string, unknown>,
  { models }: Catalogue,
): { provider: string; model: string } {
  const given = entry.litellm_provider
  if (typeof given !== 'string') return models.get(key) ?? { provider: '', model: key }
  const provider = providerNames.get(given) ?? given
  const prefix = [given, provider].map((name) => `${name}/`).find((name) => key.startsWith(name)) ?? ''
  return { provider, model: key.slice(prefix.length) }
}

function servedMode(mode: unknown): CatalogueModel['mode'] | undefined {
  if (mode === undefined) return 'chat'
  return tokenModes.find((each) => each === mode)
}

/** The modes that have token prices in the file. */
const tokenModes = ['chat', 'responses', 'completion', 'embedding'] as const

const isByTokens = ({ mode }: CatalogueModel): boolean => tokenModes.some((each) => each === mode)
