import type { Config } from './config.js'
import { namesOfFields } from './settings/setting-names.js'

export type { Config } from './config.js'
export { ConfigError, MissingSecretsError } from './config-error.js'
export { describeSample } from './file/sample.js'
export { type ConfigSource, loadConfig } from './load-config.js'
export { type LogFormat, readLogFormat } from './settings/logging.js'
export type { CommandNeed } from './settings/needs.js'
export { readProbeUrl, readStartPlaces } from './settings/network/address.js'
export { defaultLimits, defaultTimeouts } from './settings/providers/provider-defaults.js'
export { readProviderNames } from './settings/providers/provider-names.js'
export type { CloudEnvironment } from './settings/secrets/cloud-environment.js'
export { parseMasterKeys } from './settings/secrets/master-key.js'
export {
  parseReference,
  pickMember,
  type SecretValues,
  type StoreScheme,
} from './settings/secrets/references.js'
export {
  readSecretStores,
  type SecretStoresConfig,
  type VaultConfig,
} from './settings/secrets/secret-stores.js'
export { readVersion } from './version.js'

/** The setting that each field comes from, as messages name it. */
export const settingNames: Readonly<Record<keyof Config, string>> = namesOfFields
