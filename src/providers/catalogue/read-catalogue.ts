import { readFileSync } from 'node:fs'
import { mockModels } from '../mock/mock-models.js'
import { type Catalogue, loadCatalogue, overrideCatalogue } from './catalogue.js'
import { readLiteLlmPrices } from './litellm-prices.js'

/**
 * The catalogue of this repository, with the operator's own prices over it. An entry that cannot be used is reported where a
 * configured provider has these prices; the model can then not be called.
 */
export function readCatalogue(options: {
  /** In the format of LiteLLM's price list. */
  pricesFile: string | null
  withMock: boolean
  /** Whose prices apply to the configured providers. */
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
