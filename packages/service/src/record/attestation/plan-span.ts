import type { TreeHashes } from '@tallystick/record/format'
import { type PublicJwk, readPublicJwk } from '@tallystick/record/format'
import { sql } from 'kysely'
import { type Db, inSnapshot } from '../../db/index.js'
import { readRecordSize, readRecordStart } from '../read/record-bounds.js'
import { readTreeHashes } from '../read/stored-tree.js'
import type { Chunk, SpanTask } from './chunk.js'
import { findPeriod, type TimeSpan } from './period-bounds.js'
import { TreeSpan } from './tree-span.js'

export interface SpanPlan {
  task: SpanTask
  chunks: Chunk[]
  /** The tree before the period, from stored hashes. Not verified until a seal matches it. */
  tree: TreeSpan
}

// A chunk takes a thread about 0.2 s: short enough for tenants to take turns, long enough for small overhead.
const defaultChunkEntries = 16_384

// Checking a signature takes 0.2 ms, so of a long period only this many seals are checked, evenly spread. A seal covers
// all entries before it, so every entry is still covered by one that was checked.
const maxSealsPerPeriod = 4_096
const minSealsPerChunk = 64

export interface SpanBounds {
  /** Entries per chunk; set by tests only. */
  chunkEntries?: number | undefined
  /** The record as it was when it had this size: what was added since is in no period. Default: all of it. */
  recordSize?: number | undefined
}

/** Finds the entries of a period and divides them into chunks; null when it has none. */
export async function planSpan(
  db: Db,
  tenant: string,
  time: TimeSpan,
  { chunkEntries = defaultChunkEntries, recordSize = Number.POSITIVE_INFINITY }: SpanBounds,
): Promise<SpanPlan | null> {
  return await inSnapshot(db, async (tx) => {
    const start = await readRecordStart(tx, tenant)
    const droppedTo = start.range.size
    const size = Math.min(await readRecordSize(tx, tenant), recordSize)
    const { fromSeq, toSeq } = await findPeriod(tx, tenant, { droppedTo, size }, time)
    if (toSeq < fromSeq) return null
    const before = fromSeq - 1
    const hashes = await readTreeHashes(tx, tenant, [{ start: 0, end: before }], start.range)
    const { last_seal, next_seal } = await readSealsAround(tx, tenant, toSeq)
    const chunks = divideIntoChunks(before, next_seal ?? Math.min(toSeq + 2, size), chunkEntries)
    return {
      chunks,
      tree: readTree(hashes, before),
      task: {
        tenant,
        keys: await readKeys(tx),
        recordStart: { size: droppedTo, prev: start.prev.toString('hex') },
        fromSeq,
        toSeq,
        lastSeal: last_seal ?? toSeq,
        maxSeals: Math.max(minSealsPerChunk, Math.floor(maxSealsPerPeriod / chunks.length)),
      },
    }
  })
}

/** When stored hashes are missing or damaged the check goes on: it will report that no seal matches. */
function readTree(hashes: TreeHashes, size: number): TreeSpan {
  try {
    const range = hashes.rangeOf(size)
    if (range) return TreeSpan.fromRange(range)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return TreeSpan.unknown(size)
}

/** All published keys. A damaged one is left out, so that seals by the others can still be checked. */
async function readKeys(db: Db): Promise<PublicJwk[]> {
  const rows = await db.selectFrom('signing_keys').select('public_key').orderBy('id').execute()
  return rows.flatMap(({ public_key }) => {
    try {
      return [readPublicJwk({ kty: 'OKP', crv: 'Ed25519', x: public_key.toString('base64url') }).jwk]
    } catch {
      return []
    }
  })
}

/**
 * The seal over the last entry of the period, and the first seal beyond it: that one covers the next entry too, which
 * shows that the period ends there. Without it, the chain to the entry after that one confirms it.
 */
async function readSealsAround(
  db: Db,
  tenant: string,
  toSeq: number,
): Promise<{ last_seal: number | null; next_seal: number | null }> {
  const { rows } = await sql<{ last_seal: number | null; next_seal: number | null }>`
    select (select min(size) from seals where tenant_id = ${tenant} and size >= ${toSeq}) as last_seal,
           (select min(size) from seals where tenant_id = ${tenant} and size > ${toSeq}) as next_seal`.execute(
    db,
  )
  return rows[0] ?? { last_seal: null, next_seal: null }
}

function divideIntoChunks(after: number, upTo: number, chunkEntries: number): Chunk[] {
  const chunks: Chunk[] = []
  for (let from = after; from < upTo; from += chunkEntries)
    chunks.push({ after: from, upTo: Math.min(from + chunkEntries, upTo) })
  return chunks
}
