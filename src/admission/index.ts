export type {
  ActualUse,
  AdmissionStore,
  Admitted,
  Claim,
  Decision,
  Pass,
  Refused,
  Standing,
  Unit,
} from './contract.js'
export { createMemoryAdmission } from './memory.js'
