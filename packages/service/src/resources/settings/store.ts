import { sql } from 'kysely'
import { type Db, locks, type Tx } from '../../db/index.js'
import { type ContentCaptureRecord, defaultRetentionDays } from './schema.js'

export async function readContentCapture(db: Db, tenantId: string): Promise<ContentCaptureRecord> {
  const row = await db
    .selectFrom('content_capture')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!row) return { mode: 'off', retentionDays: defaultRetentionDays, updatedAt: null }
  return { mode: row.mode, retentionDays: row.retention_days, updatedAt: row.updated_at.toISOString() }
}

/** `seq` is the entry of the record that announces it. */
export async function upsertContentCapture(
  tx: Tx,
  tenantId: string,
  { mode, retentionDays }: Pick<ContentCaptureRecord, 'mode' | 'retentionDays'>,
  seq: number,
): Promise<void> {
  const columns = { mode, retention_days: retentionDays, updated_at: sql<Date>`clock_timestamp()` }
  const isSameMode = sql<boolean>`content_capture.mode = excluded.mode`
  const modeSeq = sql<number>`case when ${isSameMode} then content_capture.mode_seq else excluded.mode_seq end`
  await tx
    .insertInto('content_capture')
    .values({ tenant_id: tenantId, mode_seq: seq, ...columns })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ ...columns, mode_seq: modeSeq }))
    .execute()
}

/**
 * Until this transaction ends nothing is stored for the tenant, and afterwards nothing under the previous settings.
 */
export async function lockContent(tx: Tx, tenantId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.content}, hashtext(${tenantId}))`.execute(tx)
}
