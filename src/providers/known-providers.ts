import { baseUrlOf, findProviderFaults, normalizeBaseUrl } from './find-faults.js'
import { vendors } from './vendors/index.js'

/** What those must know of vendors who let people set providers: the configuration, and the API. */
export const knownProviders = { types: vendors, faultsIn: findProviderFaults, baseUrlOf, normalizeBaseUrl }
