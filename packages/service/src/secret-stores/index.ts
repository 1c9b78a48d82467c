export { openSecretReader } from './open-stores.js'
export type { SecretReader } from './secret-reader.js'
