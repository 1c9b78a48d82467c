export type {
  Account,
  ActualUse,
  AdmissionStore,
  Admitted,
  Claim,
  Decision,
  Pass,
  RecordedSpend,
  Refused,
  RefusedBySpend,
  SpendClaim,
  SpendRequest,
  Standing,
  Unit,
} from './contract.js'
export { createMemoryAdmission } from './memory.js'
export type { LoadSpend } from './spend-accounts.js'
