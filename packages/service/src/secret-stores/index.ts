export { openSecretReader, type SecretReader } from './open-stores.js'
