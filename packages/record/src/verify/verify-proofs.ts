import { entryFormat } from '../format/entry.js'
import { verifyConsistency, verifyInclusion } from '../format/merkle/proof.js'
import { HASH_BYTES, leafHash } from '../format/merkle/tree.js'
import {
  canHaveRecord,
  createCheckpointVerifiers,
  readCheckpoint,
  tenantOf,
  verifyCheckpoint,
} from '../format/signing/checkpoint.js'
import type { PublicKey } from '../format/signing/public-key.js'
import { canonicalize, isPlainObject, parseCanonical } from '../json/index.js'
import type { FaultKind } from './fault.js'

// Proofs come from untrusted sources, so every member may have any type.

type Fields = Readonly<Record<string, unknown>>

export type ProofVerdict<Facts> =
  | ({ ok: true } & Facts)
  | { ok: false; kind: FaultKind | 'malformed_proof'; message: string }

const refuse = (kind: FaultKind | 'malformed_proof', message: string) =>
  ({ ok: false, kind, message }) as const

const noteFaults = {
  malformed: ['malformed_seal', 'is not a signed checkpoint'],
  wrong_origin: ['wrong_tenant', 'belongs to another record'],
  unknown_key: ['unknown_key', 'is signed by none of the trusted keys'],
  bad_signature: ['bad_signature', 'carries a signature that does not verify'],
} as const

/** Verifies that the entry of a receipt is in a record whose checkpoint is signed by a trusted key. */
export function verifyReceiptProof(
  receipt: Fields,
  proof: Fields,
  keys: readonly PublicKey[],
): ProofVerdict<{ tenant: string; seq: number; size: number; keyIds: string[] }> {
  const entry = readEntry(receipt.canonical)
  if (entry === null)
    return refuse('not_canonical', 'The text of the receipt is not the canonical form of an entry')
  const { tenant, seq } = entry
  const differing = Object.keys(receipt).find((name) => !agrees(receipt, entry.fields, name))
  if (differing !== undefined)
    return refuse('changed', `The receipt shows another ${differing} than the text that was hashed`)
  const inclusion = readInclusion(proof)
  if (inclusion === null)
    return refuse('malformed_proof', 'The proof is not in the form of an inclusion proof')
  const { index, size, root, checkpoint } = inclusion
  if (index !== seq - 1)
    return refuse('bad_root', `The proof is for entry ${index + 1}, the receipt is entry ${seq}`)
  if (!inclusion.leafHash.equals(entry.leafHash) || !verifyInclusion(inclusion))
    return refuse('bad_root', 'The proof does not lead from this receipt to its root')
  const signed = verifyCheckpoint(checkpoint, tenant, createCheckpointVerifiers(tenant, keys))
  if (!signed.ok) {
    const [kind, words] = noteFaults[signed.fault]
    return refuse(kind, `The checkpoint of the proof ${words}`)
  }
  if (signed.checkpoint.size !== size || !signed.checkpoint.root.equals(root))
    return refuse('bad_root', 'The checkpoint is over another tree than the proof leads to')
  return { ok: true, tenant, seq, size, keyIds: signed.keyIds }
}

/** Verifies that a record only grew between two sizes. The two notes contain its name and the signed roots. */
export function verifyConsistencyProof(
  proof: Fields,
  notes: readonly string[],
  keys: readonly PublicKey[],
): ProofVerdict<{ tenant: string; from: number; to: number; signedSizes: number[] }> {
  const claim = readConsistency(proof)
  if (claim === null) return refuse('malformed_proof', 'The proof is not in the form of a consistency proof')
  const tenant = notes.map(readCheckpoint).map((each) => each && tenantOf(each))[0] ?? null
  if (tenant === null)
    return refuse('malformed_seal', 'The checkpoint is not a signed checkpoint of a record')
  const rootBySize = new Map([[claim.from, claim.fromRoot] as const, [claim.to, claim.toRoot] as const])
  const signedSizes: number[] = []
  for (const note of notes) {
    const signed = verifyCheckpoint(note, tenant, createCheckpointVerifiers(tenant, keys))
    if (!signed.ok) {
      const [kind, words] = noteFaults[signed.fault]
      return refuse(kind, `The checkpoint ${words}`)
    }
    const { size, root } = signed.checkpoint
    const claimed = rootBySize.get(size)
    if (claimed === undefined)
      return refuse('misplaced_seal', `The checkpoint is of size ${size}, which is neither end of the proof`)
    if (!claimed.equals(root))
      return refuse('bad_root', `At size ${size} the checkpoint has another root than the proof`)
    signedSizes.push(size)
  }
  if (!verifyConsistency(claim))
    return refuse(
      'bad_root',
      `The record of ${claim.to} entries is not shown to begin with that of ${claim.from}`,
    )
  return { ok: true, tenant, from: claim.from, to: claim.to, signedSizes }
}

function readEntry(canonical: unknown) {
  const fields = typeof canonical === 'string' ? parseCanonical(canonical) : undefined
  if (typeof canonical !== 'string' || typeof fields !== 'object' || fields === null) return null
  if (!isPlainObject(fields)) return null
  const { v, tenant, seq } = fields
  if (v !== entryFormat || typeof tenant !== 'string' || !canHaveRecord(tenant) || typeof seq !== 'number')
    return null
  return { tenant, seq, fields, leafHash: leafHash(canonical) }
}

/** A receipt repeats the members of its text. They must be equal, because people read the members instead of the text. */
function agrees(receipt: Fields, entry: Fields, name: string): boolean {
  if (name === 'canonical') return true
  if (name === 'leafHash') return receipt.leafHash === leafHash(String(receipt.canonical)).toString('hex')
  try {
    return name in entry && canonicalize(receipt[name]) === canonicalize(entry[name])
  } catch {
    return false
  }
}

function readInclusion({ seq, index, size, leafHash, root, path, checkpoint }: Fields) {
  const hashes = readHashes([leafHash, root])
  const siblings = readHashes(path)
  if (typeof seq !== 'number' || typeof index !== 'number' || typeof size !== 'number') return null
  if (typeof checkpoint !== 'string' || !siblings || seq !== index + 1) return null
  const [leaf, top] = hashes ?? []
  return leaf && top ? { index, size, leafHash: leaf, root: top, path: siblings, checkpoint } : null
}

function readConsistency({ from, to, fromRoot, toRoot, path }: Fields) {
  const [old, grown] = readHashes([fromRoot, toRoot]) ?? []
  const siblings = readHashes(path)
  if (typeof from !== 'number' || typeof to !== 'number' || !old || !grown || !siblings) return null
  return { from, to, fromRoot: old, toRoot: grown, path: siblings }
}

function readHashes(values: unknown): Buffer[] | null {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return null
  const hashes = values.map((value) => Buffer.from(value, 'hex'))
  const isExact = hashes.every((hash, i) => hash.length === HASH_BYTES && hash.toString('hex') === values[i])
  return isExact ? hashes : null
}
