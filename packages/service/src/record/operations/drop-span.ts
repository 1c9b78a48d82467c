import type { RecordHead } from '@tallystick/record/format'
import { STORED_LEVEL_STEP } from '@tallystick/record/format'
import { type Db, inBoundedTransaction } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'
import { readRecordStart } from '../read/record-bounds.js'
import type { RecordEvent } from '../write/event-recorder.js'

/** The entries to drop: those before a number, or those before the first that was admitted at or after a date. */
export type DropLimit = { beforeSeq: number } | { beforeDate: Date }

export interface DropPlan {
  fromSeq: number
  /** The last entry under a seal that lies before the limit. */
  toSeq: number
}

// Takes some hundred milliseconds. Appends continue in between, and a failed attempt loses little work.
const entriesPerDelete = 10_000
const maxTreeLevel = 48

/** Null when there is no complete group before the limit. */
export async function planDrop(db: Db, tenantId: string, limit: DropLimit): Promise<DropPlan | null> {
  const dropped = (await readRecordStart(db, tenantId)).range.size
  const beforeSeq =
    'beforeSeq' in limit ? limit.beforeSeq : await findFirstSince(db, tenantId, limit.beforeDate)
  let seals = db
    .selectFrom('seals')
    .select('size')
    .where('tenant_id', '=', tenantId)
    .where('size', '>', dropped)
  if (beforeSeq !== null) seals = seals.where('size', '<', beforeSeq)
  const last = await seals.orderBy('size', 'desc').limit(1).executeTakeFirst()
  return last ? { fromSeq: dropped + 1, toSeq: last.size } : null
}

/** Entries are numbered when calls end but carry the time of admission, so the first late one ends the span. */
async function findFirstSince(db: Db, tenantId: string, date: Date): Promise<number | null> {
  const first = await db
    .selectFrom('receipts')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .where('ts', '>=', date)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return first?.seq ?? null
}

/**
 * Closes the record at `end`, whose values come from a verified export, and deletes the entries before it. The closing
 * is committed first, with an entry about it: from then on every reader knows where the record begins, and the next
 * attempt deletes what a failed one left.
 */
export async function dropSpan(
  { db, recordEvent }: { db: Db; recordEvent: RecordEvent },
  end: RecordHead,
  { note, by }: { note: string; by: string },
): Promise<{ deleted: number }> {
  const { tenant, prev, range } = end
  await inBoundedTransaction(db, async (tx) => {
    const dropped = (await readRecordStart(tx, tenant)).range.size
    const subject = `${dropped + 1}-${range.size}`
    // Locks the head of the record: of two concurrent drops the second waits here, and then finds the span dropped.
    await recordEvent(tx, tenant, { event: 'record.drop', subject, by })
    if (dropped >= range.size || (await readRecordStart(tx, tenant)).range.size !== dropped)
      throw conflict(`The entries up to ${range.size} were dropped already`)
    await tx
      .insertInto('record_closings')
      .values({ tenant_id: tenant, size: range.size, prev, frontier: range.toBuffer(), note })
      .execute()
  })
  return { deleted: await deleteDropped(db, tenant) }
}

/** Deletes everything before the newest closing. The seal at the closing itself stays: it may be the newest one. */
export async function deleteDropped(db: Db, tenantId: string): Promise<number> {
  const { size } = (await readRecordStart(db, tenantId)).range
  let deleted = 0
  for (;;) {
    const first = await db
      .selectFrom('receipts')
      .select('seq')
      .where('tenant_id', '=', tenantId)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    if (!first || first.seq > size) break
    const upTo = Math.min(size, first.seq + entriesPerDelete - 1)
    const { numDeletedRows } = await db
      .deleteFrom('receipts')
      .where('tenant_id', '=', tenantId)
      .where('seq', '<=', upTo)
      .executeTakeFirst()
    deleted += Number(numDeletedRows)
    await db.deleteFrom('seals').where('tenant_id', '=', tenantId).where('size', '<', upTo).execute()
  }
  await db.deleteFrom('seals').where('tenant_id', '=', tenantId).where('size', '<', size).execute()
  for (let level = STORED_LEVEL_STEP; level <= maxTreeLevel; level += STORED_LEVEL_STEP)
    await db
      .deleteFrom('record_nodes')
      .where('tenant_id', '=', tenantId)
      .where('level', '=', level)
      .where('index', '<', Math.floor(size / 2 ** level))
      .execute()
  return deleted
}
