import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { genesisHead, type RecordHead } from '../format/chain.js'
import { CompactRange } from '../format/tree.js'

/** Where the kept part of a record begins: at its genesis, or after the newest span that was exported and dropped. */
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
 * How many entries a record has, the dropped ones included: as many as anything in the database speaks of, so that
 * what was cut off in one place is missed by another.
 */
export async function readRecordSize(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select greatest(
      (select size from record_heads where tenant_id = ${tenantId}),
      (select max(size) from seals where tenant_id = ${tenantId}),
      (select max(seq) from receipts where tenant_id = ${tenantId}), 0) as size`.execute(db)
  return rows[0]?.size ?? 0
}
