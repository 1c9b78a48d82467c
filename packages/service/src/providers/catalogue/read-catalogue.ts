import { readFileSync } from 'node:fs'
import { mockModels } from '../mock/mock-models.js'
import { type Catalogue, loadCatalogue, overrideCatalogue } from './catalogue.js'
import { readLiteLlmPrices } from './litellm-prices.js'

/**
 * Reads the built-in catalogue with the operator's own prices applied. An unusable entry is reported when a
 * configured provider uses these prices; the model can then not be called.
 */
export function readCatalogue(options: {
  /** A file in the format of LiteLLM's price list. */
  pricesFile: string | null
  withMock: boolean
  /** The vendors whose prices apply to the configured providers. */
  pricesOf: readonly string[]
  warn(message: string): void
}): Catalogue {
  const { pricesFile, withMock, pricesOf, warn } = options
  const mock = { models: withMock ? mockModels : [], refused: new Map<string, string>() }
  const catalogue = overrideCatalogue(loadCatalogue(), mock)
  if (pricesFile === null) return catalogue
  const overrides = readLiteLlmPrices(readFileSync(pricesFile, 'utf8'), catalogue)
  for (const [name, reason] of overrides.refused) {
    if (pricesOf.some((provider) => name.startsWith(`${provider}/`)))
      warn(`${pricesFile}: ${name} cannot be priced and is not offered: ${reason}`)
  }
  const models = overrides.models.map((model) => ({ ...model, source: 'file' as const }))
  return overrideCatalogue(catalogue, { ...overrides, models })
}
