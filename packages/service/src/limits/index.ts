export type {
  AdmissionStore,
  Admitted,
  Claim,
  LimitStatus,
  Pass,
  RecordedSpend,
  Refused,
  RefusedBySpend,
  SpendRequest,
} from './contract.js'
export { createMemoryAdmission } from './memory/admission.js'
export { createRedisAdmission } from './redis/admission.js'
export { openRedisMarks } from './redis/record-marks.js'
export type { AdmissionTruth } from './truth.js'
