import { consistencyRanges, inclusionRanges, leafHash } from '@tallystick/record/format'
import { type Db, inSnapshot } from '../../db/index.js'
import { findReceipt } from './receipts.js'
import { type Found, readRecordStart } from './record-bounds.js'
import { findNewestSeal, findSeals, RecordDamageError, sealedRoot } from './seals.js'
import { readTreeHashes } from './stored-tree.js'

export interface InclusionProof {
  seq: number
  leafHash: Buffer
  size: number
  root: Buffer
  path: Buffer[]
  /** The signed note over the tree that the path leads to. */
  checkpoint: string
}

export interface ConsistencyProof {
  from: number
  to: number
  fromRoot: Buffer
  toRoot: Buffer
  path: Buffer[]
}

/** Proves that an entry is in the tree of the newest seal. */
export async function readInclusionProof(
  db: Db,
  tenantId: string,
  seq: number,
): Promise<Found<InclusionProof>> {
  return await inSnapshot(db, async (tx) => {
    const { range: dropped } = await readRecordStart(tx, tenantId)
    if (seq <= dropped.size) return { state: 'dropped', upTo: dropped.size }
    const seal = await findNewestSeal(tx, tenantId)
    if (!seal || seq > seal.size) return { state: 'absent' }
    const receipt = await findReceipt(tx, tenantId, seq)
    if (!receipt) throw new RecordDamageError(seal.size)

    const own = { start: seq - 1, end: seq }
    const whole = { start: 0, end: seal.size }
    const siblings = inclusionRanges(seq - 1, seal.size)
    const hashes = await readTreeHashes(tx, tenantId, [own, whole, ...siblings], dropped)
    const path = hashes.rootsOf(siblings)
    const root = hashes.rootOf(whole)
    // Hashes the stored text: a proof must be about that text, not about what the hash column says.
    const leaf = leafHash(receipt.canonical)
    const holds = leaf.equals(hashes.rootOf(own) ?? Buffer.of()) && root?.equals(sealedRoot(seal))
    if (!path || !root || !holds) throw new RecordDamageError(seal.size)
    const { size, note: checkpoint } = seal
    return { state: 'found', value: { seq, leafHash: leaf, size, root, path, checkpoint } }
  })
}

/** Proves that the record of `to` entries begins with that of `from` entries. Without `to`: up to the newest seal. */
export async function readConsistencyProof(
  db: Db,
  tenantId: string,
  { from, to }: { from: number; to?: number | undefined },
): Promise<Found<ConsistencyProof>> {
  return await inSnapshot(db, async (tx) => {
    const { range: dropped } = await readRecordStart(tx, tenantId)
    const newest = (await findNewestSeal(tx, tenantId))?.size ?? 0
    const grown = to ?? newest
    if (grown > newest || from > grown) return { state: 'absent' }
    // Every tree begins with the empty one, so `from` = 0 works even when the beginning is dropped.
    if ((from !== 0 && from < dropped.size) || grown < dropped.size)
      return { state: 'dropped', upTo: dropped.size }

    const siblings = consistencyRanges(from, grown)
    const wholes = [from, grown, newest].map((end) => ({ start: 0, end }))
    const hashes = await readTreeHashes(tx, tenantId, [...siblings, ...wholes], dropped)
    const path = hashes.rootsOf(siblings)
    const [fromRoot, toRoot] = hashes.rootsOf(wholes) ?? []
    if (!path || !fromRoot || !toRoot) throw new RecordDamageError(newest)
    for (const seal of await findSeals(tx, tenantId, [from, grown, newest])) {
      if (!hashes.rootOf({ start: 0, end: seal.size })?.equals(sealedRoot(seal)))
        throw new RecordDamageError(seal.size)
    }
    return { state: 'found', value: { from, to: grown, fromRoot, toRoot, path } }
  })
}
