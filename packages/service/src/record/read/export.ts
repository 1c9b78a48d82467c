import { type ExportHeader, writeEntryLine, writeLine } from '@tallystick/record/format'
import { type Db, inSnapshot } from '../../db/index.js'
import { listPublicJwks } from '../keys/published-keys.js'
import { readLeafHash } from './receipts.js'
import { type Found, readRecordSize, readRecordStart } from './record-bounds.js'
import { findCoveringSeal, RecordDamageError, type Seal } from './seals.js'
import { readTreeHashes } from './stored-tree.js'

export interface ExportSpan {
  /** Default: the first entry that is kept. */
  fromSeq?: number | undefined
  /** Default: the newest entry. */
  toSeq?: number | undefined
}

// One page is in memory at a time, about 300 kB, beside what the socket has not sent yet.
const pageEntries = 256

/**
 * Returns the header. The span ends where a group ends, so that a seal covers all of it: when `toSeq` lies inside a
 * group, the rest of that group is included.
 */
export async function planExport(
  db: Db,
  tenantId: string,
  { fromSeq: requestedFrom, toSeq }: ExportSpan,
): Promise<Found<ExportHeader>> {
  return await inSnapshot(db, async (tx) => {
    const start = await readRecordStart(tx, tenantId)
    // Not the size of the newest seal: the verifier must notice a seal that was deleted.
    const size = await readRecordSize(tx, tenantId)
    const dropped = start.range.size
    const fromSeq = requestedFrom ?? dropped + 1
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
        keys: { keys: await listPublicJwks(tx) },
      },
    }
  })
}

/** Returns whether a read replica has a span that was planned on the primary. Entries are added in order, and never change. */
export const hasSpan = async (replica: Db, { tenant, toSeq }: ExportHeader): Promise<boolean> =>
  (await readRecordSize(replica, tenant)) >= toSeq

/** How far an export is written. */
export interface ExportPosition {
  /** The last entry that is. */
  upTo: number
  /** What was written so far, as the end of an export counts it. */
  entries: number
  seals: number
}

/** Some lines of an export, and how far it is written with them. */
export interface ExportPiece extends ExportPosition {
  text: string
}

/** Entries of the span were dropped while it was exported: what is missing will not come back. */
export class EntriesDroppedError extends Error {}

/** Yields the lines of an export, some hundred at a time. */
export async function* exportRecord(db: Db, header: ExportHeader): AsyncGenerator<string, void> {
  for await (const { text } of continueExport(db, header, null)) yield text
}

/**
 * Yields the lines after a position, or all of them, as they are stored: finding changes is the verifier's task.
 * Each page is a separate read: a snapshot that stays open while a slow caller reads would keep vacuum from removing
 * dead rows. Entries never change, so all that can happen in between is that the span is dropped.
 */
export async function* continueExport(
  db: Db,
  header: ExportHeader,
  position: ExportPosition | null,
): AsyncGenerator<ExportPiece, void> {
  const { tenant, toSeq } = header
  let { upTo, entries, seals } = position ?? { upTo: header.fromSeq - 1, entries: 0, seals: 0 }
  if (position === null) yield { text: writeLine(header), upTo, entries, seals }
  while (upTo < toSeq) {
    const from = upTo + 1
    upTo = Math.min(upTo + pageEntries, toSeq)
    const page = await readPage(db, tenant, from, upTo)
    entries += page.entries.length
    seals += page.seals.length
    yield { text: writePage(page), upTo, entries, seals }
  }
  yield { text: writeLine({ type: 'end', entries, seals }), upTo, entries, seals }
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
    throw new EntriesDroppedError(`Entries up to ${to} were dropped while they were exported`)
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
