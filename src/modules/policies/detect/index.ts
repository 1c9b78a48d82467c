export type { Finding } from './finding.js'
export { canHavePii, findPii, type PiiEntity } from './pii/index.js'
export { canHaveSecrets, findSecrets } from './secrets/index.js'
export { findPiiInSlices, findSecretsInSlices, piiReach, reach } from './slices.js'
