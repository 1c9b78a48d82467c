import {
  verifyCheckpoint as check,
  createCheckpointVerifiers,
  readCheckpoint,
  tenantOf,
} from '@tallystick/record/format'
import { verifyConsistencyProof, verifyReceiptProof } from '@tallystick/record/verify'
import type { TrustedKeys } from './keys.js'
import { readKeys } from './read-keys.js'

/** A fault has the kind that `tallystick verify` reports, and a sentence for people. */
export type Verdict<Facts> = ({ ok: true } & Facts) | { ok: false; kind: string; message: string }

export interface ReceiptFacts {
  tenant: string
  seq: number
  /** The number of entries under the checkpoint. */
  size: number
  /** The thumbprints of the keys that signed it. */
  keyIds: string[]
}

/**
 * Verifies that a receipt is in the signed record. `receipt` is what `getReceipt` returns, `proof` what `getInclusionProof` returns. Every
 * member of the receipt is compared with the text that was hashed.
 */
export function verifyReceipt(receipt: object, proof: object, keys: TrustedKeys): Verdict<ReceiptFacts> {
  return verifyReceiptProof({ ...receipt }, { ...proof }, readKeys(keys))
}

export interface ConsistencyFacts {
  tenant: string
  from: number
  to: number
  /** The sizes whose roots are signed by a checkpoint. Other roots are only claimed by the proof. */
  signedSizes: number[]
}

/**
 * Verifies that a record only grew between two sizes. `proof` is what `getConsistencyProof` returns, `checkpoints` are those of the two
 * sizes, one of them kept from before.
 */
export function verifyConsistency(
  proof: object,
  checkpoints: readonly string[],
  keys: TrustedKeys,
): Verdict<ConsistencyFacts> {
  return verifyConsistencyProof({ ...proof }, checkpoints, readKeys(keys))
}

export interface CheckpointFacts {
  tenant: string
  size: number
  /** The root of the tree, in hex. */
  root: string
  keyIds: string[]
}

const checkpointFaults = {
  malformed: ['malformed_seal', 'The text is not a signed checkpoint of a record'],
  wrong_origin: ['wrong_tenant', 'The checkpoint belongs to another record'],
  unknown_key: ['unknown_key', 'The checkpoint is signed by none of the trusted keys'],
  bad_signature: ['bad_signature', 'The checkpoint carries a signature that does not verify'],
} as const

/** Verifies a signed checkpoint: the size and the root of a record at one moment. */
export function verifyCheckpoint(note: string, keys: TrustedKeys): Verdict<CheckpointFacts> {
  const trusted = readKeys(keys)
  const claimed = readCheckpoint(note)
  const tenant = claimed && tenantOf(claimed)
  const verdict =
    tenant === null
      ? ({ ok: false, fault: 'malformed' } as const)
      : check(note, tenant, createCheckpointVerifiers(tenant, trusted))
  if (tenant === null || !verdict.ok) {
    const [kind, message] = checkpointFaults[verdict.ok ? 'malformed' : verdict.fault]
    return { ok: false, kind, message }
  }
  const { size, root } = verdict.checkpoint
  return { ok: true, tenant, size, root: root.toString('hex'), keyIds: verdict.keyIds }
}
