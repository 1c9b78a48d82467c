import { HASH_BYTES } from '../merkle/tree.js'
import {
  createNoteVerifier,
  decodeBase64,
  isNoteName,
  type NoteFault,
  type NoteVerifier,
  parseNote,
  signNote,
  verifyNote,
} from './note.js'
import type { PublicKey } from './public-key.js'

// C2SP tlog-checkpoint (c2sp.org/tlog-checkpoint): three lines (origin, size, base64 root) in a signed note whose
// key name is the origin. Extension lines are refused: ours has none, and a reader must understand all that is signed.

const BODY = /^([^\n]+)\n(0|[1-9][0-9]*)\n([^\n]+)\n$/

export interface Checkpoint {
  origin: string
  size: number
  root: Buffer
}

export type CheckpointVerdict =
  | { ok: true; checkpoint: Checkpoint; keyIds: string[] }
  | { ok: false; fault: NoteFault | 'wrong_origin' }

const ORIGIN_PREFIX = 'tallystick/'

/** Returns whether the record of a tenant can be sealed. The name of the tenant is part of the signed text. */
export function canHaveRecord(tenant: string): boolean {
  return tenant !== '' && isNoteName(`${ORIGIN_PREFIX}${tenant}`)
}

export function checkpointOrigin(tenant: string): string {
  const origin = `${ORIGIN_PREFIX}${tenant}`
  if (!canHaveRecord(tenant)) {
    throw new Error(`Tenant "${tenant}" cannot have a record: its name is empty or has a blank or a plus`)
  }
  return origin
}

/** Returns the tenant whose record a checkpoint describes. Null when the origin is not that of a Tallystick record. */
export function tenantOf({ origin }: Checkpoint): string | null {
  const tenant = origin.startsWith(ORIGIN_PREFIX) ? origin.slice(ORIGIN_PREFIX.length) : ''
  return canHaveRecord(tenant) ? tenant : null
}

/** Reads a note without checking its signature. Null when it is not a checkpoint. */
export function readCheckpoint(note: string): Checkpoint | null {
  const parsed = parseNote(note)
  return parsed && parseCheckpoint(parsed.text)
}

export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} is not the size of a record`)
  if (root.length !== HASH_BYTES) throw new RangeError(`A root has ${HASH_BYTES} bytes, not ${root.length}`)
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

export function parseCheckpoint(text: string): Checkpoint | null {
  const [, origin, digits, encodedRoot] = BODY.exec(text) ?? []
  if (origin === undefined || digits === undefined || encodedRoot === undefined) return null
  const size = Number(digits)
  const root = decodeBase64(encodedRoot)
  if (!Number.isSafeInteger(size) || root?.length !== HASH_BYTES) return null
  return { origin, size, root }
}

export interface CheckpointSigner {
  publicKey: PublicKey
  sign(message: Uint8Array): Uint8Array
}

export function signCheckpoint(
  { tenant, size, root }: { tenant: string; size: number; root: Buffer },
  { publicKey, sign }: CheckpointSigner,
): string {
  const origin = checkpointOrigin(tenant)
  return signNote(formatCheckpoint({ origin, size, root }), { name: origin, publicKey, sign })
}

/** Create once per tenant and set of keys, then pass to every `verifyCheckpoint`. */
export function createCheckpointVerifiers(tenant: string, keys: readonly PublicKey[]): NoteVerifier[] {
  const origin = checkpointOrigin(tenant)
  return keys.map((key) => createNoteVerifier(origin, key))
}

export function verifyCheckpoint(
  text: string,
  tenant: string,
  verifiers: readonly NoteVerifier[],
): CheckpointVerdict {
  const note = parseNote(text)
  const checkpoint = note && parseCheckpoint(note.text)
  if (note === null || checkpoint === null) return { ok: false, fault: 'malformed' }
  // The origin is checked first. Otherwise a seal of another record would be reported as signed by an unknown key.
  if (checkpoint.origin !== checkpointOrigin(tenant)) return { ok: false, fault: 'wrong_origin' }
  const verdict = verifyNote(note, verifiers)
  if (!verdict.ok) return verdict
  return { ok: true, checkpoint, keyIds: verdict.signedBy.map((signer) => signer.publicKey.id) }
}
