import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

export interface SpanReceipt {
  seq: number
  ts: Date
  /** The receipt as it was hashed. */
  canonical: string
}

/**
 * Reads the receipts after one number, in order: up to another, or a page. Numbers are given under the lock on the
 * record's head, which is held until the commit: whoever sees a receipt has seen, or sees, every one before it.
 *
 * Plan: a range scan of the primary key.
 */
export async function readReceiptSpan(
  db: Db,
  tenantId: string,
  { after, upTo, limit }: { after: number; upTo: number | null; limit: number },
): Promise<SpanReceipt[]> {
  const { rows } = await sql<SpanReceipt>`
    select seq, ts, canonical from receipts
    where tenant_id = ${tenantId} and seq > ${after} and (${upTo}::bigint is null or seq <= ${upTo}::bigint)
    order by seq limit ${limit}`.execute(db)
  return rows
}
