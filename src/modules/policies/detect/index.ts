export type { Finding } from './finding.js'
export { findPii, type PiiEntity } from './pii/index.js'
export { findSecrets } from './secrets/index.js'
export { findPiiInSlices, findSecretsInSlices, piiReach, reach } from './slices.js'
