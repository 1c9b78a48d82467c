import { baseUrlOf, findProviderFaults, normalizeBaseUrl } from './provider-faults.js'
import { vendors } from './vendors/index.js'

/** What the configuration and the API need to know about vendors to accept provider settings. */
export const vendorRules = { types: vendors, faultsIn: findProviderFaults, baseUrlOf, normalizeBaseUrl }
