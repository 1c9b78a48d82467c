export { readMasterKeyStatus, replaceLostMasterKey, rotateMasterKey } from './replace-master-key.js'
export {
  openSecrets,
  type SealedPlace,
  type Secrets,
  type SecretsOptions,
  undecryptable,
} from './secrets.js'
