import { type Db, inSnapshot } from '../../db/index.js'
import { type ExportHeader, writeEntryLine, writeLine } from '../format/export-format.js'
import { listSigningKeys } from '../keys/published-keys.js'
import type { Found } from './proofs.js'
import { readLeafHash } from './receipts.js'
import { readRecordSize, readRecordStart } from './record-bounds.js'
import { findCoveringSeal, RecordDamageError, type Seal } from './seals.js'
import { readTreeHashes } from './stored-tree.js'

export interface ExportSpan {
  /** The first entry that is kept, when left out. */
  fromSeq?: number | undefined
  /** The newest entry, when left out. */
  toSeq?: number | undefined
}

// A page is what is in memory at a time, besides what the socket has not taken yet: about 300 kB.
const pageEntries = 256

/**
 * What the header says. The span ends where a group ends, so that a seal covers all of it: when `toSeq` lies inside
 * a group, the rest of that group comes along.
 */
export async function planExport(
  db: Db,
  tenantId: string,
  { fromSeq: asked, toSeq }: ExportSpan,
): Promise<Found<ExportHeader>> {
  return await inSnapshot(db, async (tx) => {
    const start = await readRecordStart(tx, tenantId)
    // Not that of the newest seal: a seal that was taken away is to be missed.
    const size = await readRecordSize(tx, tenantId)
    const dropped = start.range.size
    const fromSeq = asked ?? dropped + 1
    if (fromSeq <= dropped || (toSeq !== undefined && toSeq <= dropped))
      return { state: 'dropped', upTo: dropped }
    if (fromSeq > size + 1 || (toSeq ?? size) > size) return { state: 'absent' }
    const end = toSeq === undefined ? size : (await findCoveringSeal(tx, tenantId, toSeq))?.size

    const before = fromSeq - 1
    const hashes = await readTreeHashes(tx, tenantId, [{ start: 0, end: before }], start.range)
    const frontier = hashes.rangeOf(before)?.hashes
    const prev = before === dropped ? start.prev : await readLeafHash(tx, tenantId, before)
    if (!frontier || !prev) throw new RecordDamageError(before)
    return {
      state: 'found',
      value: {
        type: 'tallystick-export',
        v: 1,
        tenant: tenantId,
        fromSeq,
        toSeq: end ?? size,
        prev: prev.toString('hex'),
        frontier: frontier.map((hash) => hash.toString('hex')),
        keys: { keys: await listSigningKeys(tx) },
      },
    }
  })
}

/**
 * The lines of an export, some hundred at a time, as they are stored: what was tampered with is for the verifier to
 * find. Each page is a read of its own: a snapshot held for as long as a slow caller takes would keep the database
 * from clearing up. Entries never change, so all that can happen in between is that the span is dropped.
 */
export async function* exportRecord(db: Db, header: ExportHeader): AsyncGenerator<string, void> {
  const { tenant, toSeq } = header
  let entries = 0
  let seals = 0
  yield writeLine(header)
  for (let from = header.fromSeq; from <= toSeq; from += pageEntries) {
    const page = await readPage(db, tenant, from, Math.min(from + pageEntries - 1, toSeq))
    entries += page.entries.length
    seals += page.seals.length
    yield writePage(page)
  }
  yield writeLine({ type: 'end', entries, seals })
}

interface Page {
  entries: { seq: number; canonical: string }[]
  seals: Seal[]
}

async function readPage(db: Db, tenantId: string, from: number, to: number): Promise<Page> {
  const [entries, seals] = await Promise.all([
    db
      .selectFrom('receipts')
      .select(['seq', 'canonical'])
      .where('tenant_id', '=', tenantId)
      .where('seq', '>=', from)
      .where('seq', '<=', to)
      .orderBy('seq')
      .execute(),
    db
      .selectFrom('seals')
      .select(['size', 'note'])
      .where('tenant_id', '=', tenantId)
      .where('size', '>=', from)
      .where('size', '<=', to)
      .orderBy('size')
      .execute(),
  ])
  if (entries.length <= to - from && (await readRecordStart(db, tenantId)).range.size >= from)
    throw new Error(`Entries up to ${to} were dropped while they were exported`)
  return { entries, seals }
}

function writePage({ entries, seals }: Page): string {
  let text = ''
  let next = 0
  const writeSealsBefore = (seq: number) => {
    for (let seal = seals[next]; seal !== undefined && seal.size < seq; seal = seals[++next])
      text += writeLine({ type: 'seal', ...seal })
  }
  for (const { seq, canonical } of entries) {
    writeSealsBefore(seq)
    text += writeEntryLine(seq, canonical)
  }
  writeSealsBefore(Number.POSITIVE_INFINITY)
  return text
}
