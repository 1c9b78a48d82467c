export { attemptIdOf, attemptIdsOf, callIdOf } from './attempt-id.js'
export { canonicalModel, targetField } from './canonical-model.js'
export {
  type ChainedEntry,
  type ChainedGroup,
  chainEntries,
  genesisHead,
  genesisPrev,
  type RecordHead,
} from './chain.js'
export {
  type Entry,
  type EntryCheck,
  type EntryOutcome,
  entryFields,
  entryFormat,
  entryOutcomes,
  type ReceiptDraft,
  type UsageSource,
} from './entry.js'
export {
  describeException,
  isExceptionEvent,
  type RecordException,
  type RestoreDetails,
  readException,
} from './exceptions.js'
export { type ExportHeader, writeEntryLine, writeLine } from './export-format.js'
export { consistencyRanges, inclusionRanges, type LeafRange } from './merkle/proof.js'
export {
  CompactRange,
  emptyRoot,
  HASH_BYTES,
  leafHash,
  STORED_LEVEL_STEP,
  type StoredNode,
} from './merkle/tree.js'
export { type HashSpan, spansFor, TreeHashes } from './merkle/tree-hashes.js'
export { priceEntryId } from './price-entry-id.js'
export { signAttestation } from './signing/attestation-signature.js'
export {
  type Checkpoint,
  createCheckpointVerifiers,
  readCheckpoint,
  signCheckpoint,
  tenantOf,
  verifyCheckpoint,
} from './signing/checkpoint.js'
export { type PublicJwk, type PublicKey, readPublicJwk, type UntrustedJwk } from './signing/public-key.js'
export { toolCallFields } from './tool-call-fields.js'
