export { type ExportVerdict, type Finding, type VerifyExportOptions, verifyExport } from './export.js'
export type { Jwk, TrustedKeys } from './keys.js'
export {
  type CheckpointFacts,
  type ConsistencyFacts,
  type ReceiptFacts,
  type Verdict,
  verifyCheckpoint,
  verifyConsistency,
  verifyReceipt,
} from './proofs.js'
export { UnusableInputError } from './unusable-input-error.js'
