import { baseUrlOf, findProviderFaults, normalizeBaseUrl } from './find-faults.js'
import { vendors } from './vendors/index.js'

/** What the configuration must know of vendors. */
export const knownProviders = { types: vendors, faultsIn: findProviderFaults, baseUrlOf, normalizeBaseUrl }
