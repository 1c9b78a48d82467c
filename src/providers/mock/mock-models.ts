import { priceFromUsd } from '../../pricing/index.js'
import type { CatalogueModel } from '../catalogue/catalogue.js'

const price = priceFromUsd({ inputUsdPerMTok: 1, outputUsdPerMTok: 2 })
const limits = { maxInputTokens: 128_000, maxOutputTokens: 4_096 }

/** Priced like a small model, so that spend can be watched without an account. */
export const mockModels: CatalogueModel[] = ['echo', 'slow', 'fail'].map((model) => ({
  model,
  provider: 'mock',
  mode: 'chat',
  price,
  ...limits,
}))
