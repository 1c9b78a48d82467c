import { piiReach } from './pii/index.js'
import { secretsReach } from './secrets/index.js'

export type { Finding } from './finding.js'
export { findPii, mayHavePii, type PiiEntity, piiReach } from './pii/index.js'
export { findSecrets, mayHaveSecrets, secretsReach } from './secrets/index.js'

/** No finding is longer than this, and none depends on text that is further away from its start. */
export const maxReach = Math.max(piiReach, secretsReach)
