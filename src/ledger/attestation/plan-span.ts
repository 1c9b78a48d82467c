import { sql } from 'kysely'
import { type Db, inSnapshot } from '../../db/index.js'
import { type PublicJwk, readPublicJwk } from '../format/public-key.js'
import type { TreeHashes } from '../format/tree-hashes.js'
import { readRecordSize, readRecordStart } from '../read/record-bounds.js'
import { readTreeHashes } from '../read/stored-tree.js'
import type { Part, SpanTask } from './part.js'
import { findPeriod, type TimeSpan } from './period-bounds.js'
import { TreeSpan } from './tree-span.js'

export interface SpanPlan {
  task: SpanTask
  parts: Part[]
  /** The record before the period, as far as it is stored. Nothing vouches for it before a seal does. */
  tree: TreeSpan
}

// A part takes a thread about a fifth of a second: short enough to take turns, long enough not to notice.
const defaultPartEntries = 16_384

// A signature takes 0.2 ms to check. Every seal is, up to this many; of a longer record so many, evenly spread. A seal
// covers all entries before it, so what is left out costs no entry its proof.
const mostSeals = 4_096
const mostSealsOfPart = 64

/** Which entries a period has, and how they are divided among threads; null when it has none. */
export async function planSpan(
  db: Db,
  tenant: string,
  time: TimeSpan,
  partEntries = defaultPartEntries,
): Promise<SpanPlan | null> {
  return await inSnapshot(db, async (tx) => {
    const start = await readRecordStart(tx, tenant)
    const droppedTo = start.range.size
    const size = await readRecordSize(tx, tenant)
    const { fromSeq, toSeq } = await findPeriod(tx, tenant, { droppedTo, size }, time)
    if (toSeq < fromSeq) return null
    const before = fromSeq - 1
    const hashes = await readTreeHashes(tx, tenant, [{ start: 0, end: before }], start.range)
    const { last_seal, next_seal } = await readSealsAround(tx, tenant, toSeq)
    const parts = divide(before, next_seal ?? Math.min(toSeq + 2, size), partEntries)
    return {
      parts,
      tree: readTree(hashes, before),
      task: {
        tenant,
        keys: await readKeys(tx),
        recordStart: { size: droppedTo, prev: start.prev.toString('hex') },
        fromSeq,
        toSeq,
        lastSeal: last_seal ?? toSeq,
        mostSeals: Math.max(mostSealsOfPart, Math.floor(mostSeals / parts.length)),
      },
    }
  })
}

/** Stored hashes that are missing or maimed are no reason to give up: that no seal fits is what is to be found. */
function readTree(hashes: TreeHashes, size: number): TreeSpan {
  try {
    const range = hashes.rangeOf(size)
    if (range) return TreeSpan.fromRange(range)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return TreeSpan.unknown(size)
}

/** Every key that was ever published. One that was damaged signs nothing, and keeps no other from being tried. */
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
 * The seal over the last entry of the period, and the first that reaches beyond it: that one also covers the entry which
 * shows that the period ends there. Without one, the entry behind that vouches for it.
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

function divide(after: number, upTo: number, partEntries: number): Part[] {
  const parts: Part[] = []
  for (let from = after; from < upTo; from += partEntries)
    parts.push({ after: from, upTo: Math.min(from + partEntries, upTo) })
  return parts
}
