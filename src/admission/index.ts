export type {
  Account,
  AdmissionStore,
  Admitted,
  Claim,
  Pass,
  RecordedSpend,
  Refused,
  RefusedBySpend,
  SpendRequest,
  Standing,
} from './contract.js'
export { createMemoryAdmission } from './memory.js'
export { createRedisAdmission, type RedisAdmissionOptions } from './shared.js'
export type { AdmissionTruth, LoadedSpend, OpenCall, OpenClaim, TenantTruth, Use } from './truth.js'
