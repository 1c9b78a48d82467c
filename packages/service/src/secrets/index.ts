export { masterKeyIdsOf, readMasterKeysText, storeMasterKeys } from './master-keys.js'
export { openWithPassphrase, sealWithPassphrase } from './passphrase.js'
export { readMasterKeyStatus, replaceLostMasterKey, rotateMasterKey } from './replace-master-key.js'
export { createHeaderSeals, type Headers } from './sealed-headers.js'
export {
  openSecrets,
  type SealedLocation,
  type Secrets,
  type SecretsOptions,
  undecryptable,
} from './secrets.js'
