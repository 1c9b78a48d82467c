import { baseUrlOf, findProviderFaults, normalizeBaseUrl, type ProviderShape } from './find-faults.js'
import { vendors } from './vendors/index.js'

/** What the configuration must know of vendors. The operator's credentials may name files. */
export const knownProviders = {
  types: vendors,
  faultsIn: (shape: Omit<ProviderShape, 'mayReadFiles'>) =>
    findProviderFaults({ ...shape, mayReadFiles: true }),
  baseUrlOf,
  normalizeBaseUrl,
}
