export type {
  AdmissionStore,
  Admitted,
  Hold,
  LimitStatus,
  ReceiptSpend,
  RefusedBySpend,
  RefusedByWindow,
  SpendRequest,
  WindowClaim,
} from './contract.js'
export { createMemoryAdmission } from './memory/admission.js'
export { createRedisAdmission } from './redis/admission.js'
export { openRedisMarks } from './redis/record-marks.js'
export type { UsageSource } from './usage-source.js'
