export type {
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
export { createMemoryAdmission } from './memory/admission.js'
export { createRedisAdmission } from './shared/admission.js'
export { openRedisMarks } from './shared/record-marks.js'
export type { AdmissionTruth } from './truth.js'
