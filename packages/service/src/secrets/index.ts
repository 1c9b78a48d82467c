export { readMasterKeyStatus, replaceLostMasterKey, rotateMasterKey } from './replace-master-key.js'
export { createHeaderSeals, type Headers } from './sealed-headers.js'
export {
  openSecrets,
  type SealedLocation,
  type Secrets,
  type SecretsOptions,
  undecryptable,
} from './secrets.js'
