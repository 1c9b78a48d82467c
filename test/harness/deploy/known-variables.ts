import {
  cloudVariables,
  vaultVariables,
} from '../../../packages/service/src/config/settings/secrets/cloud-variables.js'
import { variables, wholeNumbers } from '../../../packages/service/src/config/settings/variable-table.js'
import { vendorRules } from '../../../packages/service/src/providers/index.js'

/** The variables that the configuration reads, each also from a file. */
export function listKnownVariables(): Set<string> {
  const ofVendors = [...vendorRules.types.values()].flatMap(({ environmentPrefix }) =>
    environmentPrefix === null ? [] : [`${environmentPrefix}_API_KEY`, `${environmentPrefix}_BASE_URL`],
  )
  const names = [
    ...Object.keys(variables),
    ...Object.keys(wholeNumbers),
    ...Object.keys(cloudVariables),
    ...Object.keys(vaultVariables),
    ...ofVendors,
  ]
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]))
}
