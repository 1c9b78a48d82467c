import type { CatalogueModel } from './catalogue.js'
import type { ModelProperties } from './model-properties.js'

type Known = Pick<CatalogueModel, 'properties' | 'outputField' | 'hostedToolTokens'>

/**
 * Returns the properties of a model that is not in the catalogue. The vendor determines the tokenizer: all of
 * Anthropic's models share one family of encodings, and OpenAI's models with an encoding other than o200k are in
 * the catalogue. For any other model, the only certainty is that no token is shorter than a byte.
 */
export function defaultProperties(pricesOf: string): Known {
  const properties: ModelProperties = {
    tokenizer: 'bytes',
    contextWindow: null,
    maxOutputTokens: null,
    images: null,
    audioTokensPerSecond: null,
    toolPromptTokens: 1_000,
    vendorToolTokens: 5_500,
    usesPerCall: {},
  }
  const others: Known = { properties, outputField: 'max_tokens', hostedToolTokens: {} }
  switch (pricesOf) {
    case 'openai':
      return {
        ...others,
        properties: { ...properties, tokenizer: 'o200k' },
        outputField: 'max_completion_tokens',
      }
    case 'anthropic':
      return { ...others, properties: { ...properties, tokenizer: 'claude' } }
    default:
      return others
  }
}
