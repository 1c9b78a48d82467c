import type { ReceiptDraft } from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/** An entry of a record, as it was written. */
export interface RecordedEntry {
  tenantId: string
  seq: number
  draft: ReceiptDraft
}

/** Up to where a reader has read the record of a tenant. */
export interface RecordPosition {
  tenantId: string
  seq: number
}

/** The number of the last entry of a record; 0 for one that is empty. */
export async function readLastSeq(db: Db, tenantId: string): Promise<number> {
  const head = await db
    .selectFrom('record_heads')
    .select('size')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return head?.size ?? 0
}

/**
 * The entries after each position, in order, at most `limit` of each record. Numbers are given under the lock on the record's head,
 * which is held until the commit: whoever sees an entry has seen, or sees, every one before it.
 *
 * Plan: for each record a range scan of the primary key of receipts.
 */
export async function readEntriesAfter(
  db: Db,
  positions: readonly RecordPosition[],
  limit: number,
): Promise<RecordedEntry[]> {
  const { rows } = await sql<{ tenant_id: string; seq: number; canonical: string }>`
    select p.tenant_id, r.seq, r.canonical
    from unnest(
      ${positions.map(({ tenantId }) => tenantId)}::text[],
      ${positions.map(({ seq }) => seq)}::bigint[]) as p (tenant_id, seq)
    cross join lateral (
      select seq, canonical from receipts
      where receipts.tenant_id = p.tenant_id and receipts.seq > p.seq order by seq limit ${limit}) r
    order by p.tenant_id, r.seq`.execute(db)
  return rows.map(({ tenant_id, seq, canonical }) => ({
    tenantId: tenant_id,
    seq,
    draft: JSON.parse(canonical),
  }))
}
