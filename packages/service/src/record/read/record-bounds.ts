import { CompactRange, genesisHead, type RecordHead } from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/** A part of the record, or why there is none: it is not in the record (yet), or it was exported and dropped. */
export type Found<T> = { state: 'found'; value: T } | { state: 'absent' } | { state: 'dropped'; upTo: number }

/** Returns the head before the first kept entry: the genesis, or the end of the newest span that was exported and dropped. */
export async function readRecordStart(db: Db, tenantId: string): Promise<RecordHead> {
  const closing = await db
    .selectFrom('record_closings')
    .select(['size', 'prev', 'frontier'])
    .where('tenant_id', '=', tenantId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!closing) return genesisHead(tenantId)
  const range = CompactRange.fromBuffer(closing.size, closing.frontier)
  return { tenant: tenantId, prev: closing.prev, range }
}

/**
 * The number of entries of a record, dropped ones included. The largest of three tables, so that rows deleted from one
 * of them are noticed.
 */
export async function readRecordSize(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select greatest(
      (select size from record_heads where tenant_id = ${tenantId}),
      (select max(size) from seals where tenant_id = ${tenantId}),
      (select max(seq) from receipts where tenant_id = ${tenantId}), 0) as size`.execute(db)
  return rows[0]?.size ?? 0
}
