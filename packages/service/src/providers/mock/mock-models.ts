import { priceFromUsd } from '@tallystick/record/pricing'
import type { CatalogueModel } from '../catalogue/catalogue.js'
import { defaultProperties } from '../catalogue/default-properties.js'

/** The mock provider counts each word as a token. */
export const mockMaxOutputTokens = 4_096

const price = priceFromUsd({
  inputUsdPerMTok: 1,
  outputUsdPerMTok: 2,
  feesUsd: { image: 0.02, character: 0.00001, second: 0.0001, search: 0.001 },
})
const { properties, ...rest } = defaultProperties('openai')

/**
 * Priced like a small model, so that spend can be observed without an account. Tokens are counted as for OpenAI's
 * models.
 */
export const mockModels: CatalogueModel[] = ['echo', 'slow', 'fail'].map((model) => ({
  ...rest,
  model,
  provider: 'mock',
  mode: 'chat',
  price,
  properties: {
    ...properties,
    contextWindow: 128_000,
    maxOutputTokens: mockMaxOutputTokens,
    toolPromptTokens: 0,
    reasons: false,
  },
}))
