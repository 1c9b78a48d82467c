import type { ModelFacts } from '../model-facts.js'
import type { CatalogueModel } from './catalogue.js'

type Known = Pick<CatalogueModel, 'facts' | 'outputField' | 'hosted'>

/**
 * Of a model that no catalogue knows. Whose models they are tells how they count: all of Anthropic's have one family of encodings,
 * and OpenAI's that have another than o200k are in the catalogue. Of any other model nothing is known but that no token is shorter
 * than a byte.
 */
export function defaultFacts(pricesOf: string): Known {
  const facts: ModelFacts = {
    tokenizer: 'bytes',
    contextWindow: null,
    maxOutputTokens: null,
    images: null,
    audioTokensPerSecond: null,
    toolPromptTokens: 1_000,
    vendorToolTokens: 5_500,
    usesPerCall: {},
  }
  const others: Known = { facts, outputField: 'max_tokens', hosted: {} }
  switch (pricesOf) {
    case 'openai':
      return { ...others, facts: { ...facts, tokenizer: 'o200k' }, outputField: 'max_completion_tokens' }
    case 'anthropic':
      return { ...others, facts: { ...facts, tokenizer: 'claude' } }
    default:
      return others
  }
}
