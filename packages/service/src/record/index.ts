export type { ExportHeader } from '@tallystick/record/format'
export {
  attemptIdOf,
  attemptIdsOf,
  callIdOf,
  canonicalModel,
  describeException,
  type Entry,
  type EntryCheck,
  type EntryOutcome,
  entryFields,
  entryOutcomes,
  genesisPrev,
  type ReceiptDraft,
  type RecordException,
  signAttestation,
  targetField,
  toolCallFields,
  type UsageSource,
} from '@tallystick/record/format'
export { canonicalize } from '@tallystick/record/json'
export { createDailyAnchor } from './anchor/daily-anchor.js'
export { describeAnchor } from './anchor/describe-anchor.js'
export { listAnchors, readLastAnchor } from './anchor/store.js'
export { createSpanVerifier, type SpanVerifier } from './attestation/span-verifier.js'
export type { VerifiedSpan } from './attestation/verify-span.js'
export { openCurrentSigningKey } from './keys/current-key.js'
export { storeKeyFile } from './keys/key-file.js'
export { listPublicJwks, listPublishedKeys, publishSigningKey } from './keys/published-keys.js'
export {
  loadOrCreateSigningKey,
  loadSigningKey,
  readSigningKey,
  readSigningPem,
  type SigningKey,
} from './keys/signing-key.js'
export { createAnchorMarks } from './marks/anchor-marks.js'
export { readReportedMarks } from './marks/contradicted-marks.js'
export { createFileMarks } from './marks/file-marks.js'
export { type MarkStore, readMark, writeMark } from './marks/mark.js'
export { noMarks, openRecordMarks, type RecordMarks } from './marks/record-marks.js'
export { startRecordingForgotten } from './open-calls/forgotten.js'
export { recordInterrupted, withoutUsage } from './open-calls/interrupted.js'
export { closeCalls, createOpenCalls, type OpenCalls } from './open-calls/open-calls.js'
export { markAllDead, type RegisteredProcess, registerProcess } from './open-calls/processes.js'
export {
  type EndedCalls,
  readLimitsVersion,
  readRecentCalls,
  type StoredOpenCall,
} from './open-calls/recent-calls.js'
export { acceptRestores, restoreDetailsOf } from './operations/accept-restore.js'
export { findContradictedCheckpoints, largestFaultPerTenant } from './operations/compare-checkpoints.js'
export { type DropLimit, deleteDropped, dropSpan, planDrop } from './operations/drop-span.js'
export { retireOtherKey, rotateSigningKey } from './operations/rotate-key.js'
export { readStoredCheckpoints, type StoredCheckpoint } from './operations/stored-checkpoints.js'
export { startThinningSeals } from './operations/thin-seals.js'
export { listExceptions } from './read/exceptions.js'
export { continueExport, EntriesDroppedError, exportRecord, hasSpan, planExport } from './read/export.js'
export { type RecordedEntry, readEntriesAfter, readLastSeq } from './read/new-entries.js'
export { readConsistencyProof, readInclusionProof } from './read/proofs.js'
export { readReceiptSpan, type SpanReceipt } from './read/receipt-span.js'
export { findPrice, findReceipt, listReceipts, type StoredReceipt } from './read/receipts.js'
export { type Found, readRecordSize, readRecordStart } from './read/record-bounds.js'
export { findNewestSeal, findSeal, listSeals } from './read/seals.js'

export { createEventRecorder, type RecordEvent } from './write/event-recorder.js'
export { createPriceEntries, type PriceEntries } from './write/price-entries.js'
export type { IssuedIds, NewReceipt, NumberedReceipt, Projection } from './write/receipt.js'
export { type Ledger, type LedgerOptions, openLedger } from './write/writer.js'
