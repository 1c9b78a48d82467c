import { readFileSync } from 'node:fs'
import { mockModels } from '../mock/mock-models.js'
import { type CatalogueModel, loadCatalogue, overrideCatalogue } from './catalogue.js'
import { readLiteLlmPrices } from './litellm-prices.js'

/** The catalogue of this repository, with the operator's own prices over it. */
export function readCatalogue(options: {
  /** In the format of LiteLLM's price list. */
  pricesFile: string | null
  withMock: boolean
  warn(message: string): void
}): ReadonlyMap<string, CatalogueModel> {
  const { pricesFile, withMock, warn } = options
  const catalogue = overrideCatalogue(loadCatalogue(), withMock ? mockModels : [])
  if (pricesFile === null) return catalogue
  const { models, faults } = readLiteLlmPrices(readFileSync(pricesFile, 'utf8'))
  for (const fault of faults) warn(`${pricesFile}: ${fault}`)
  return overrideCatalogue(catalogue, models)
}
