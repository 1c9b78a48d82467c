export { attemptIdOf, attemptIdsOf, callIdOf } from './attempt-id.js'
export { signAttestation } from './attestation-signature.js'
export { canonicalModel, targetFact } from './canonical-model.js'
export {
  type ChainedEntry,
  type ChainedGroup,
  chainEntries,
  genesisHead,
  genesisPrev,
  type RecordHead,
} from './chain.js'
export {
  type Checkpoint,
  createCheckpointVerifiers,
  readCheckpoint,
  signCheckpoint,
  tenantOf,
  verifyCheckpoint,
} from './checkpoint.js'
export {
  type Entry,
  type EntryCheck,
  type EntryOutcome,
  entryFormat,
  entryOutcomes,
  type ReceiptDraft,
  type UsageSource,
} from './entry.js'
export {
  describeException,
  isExceptionEvent,
  type RecordException,
  type RestoreFacts,
  readException,
} from './exceptions.js'
export { type ExportHeader, writeEntryLine, writeLine } from './export-format.js'
export { priceEntryId } from './price-entry-id.js'
export { consistencyRanges, inclusionRanges, type LeafRange } from './proof.js'
export { type PublicJwk, type PublicKey, readPublicJwk, type UntrustedJwk } from './public-key.js'
export { toolFacts } from './tool-facts.js'
export { CompactRange, emptyRoot, HASH_BYTES, leafHash, STORED_LEVEL_STEP, type StoredNode } from './tree.js'
export { type HashSpan, spansFor, TreeHashes } from './tree-hashes.js'
