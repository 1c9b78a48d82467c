import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type BatchesTable, type BatchStatus, type Db, inTransaction, type Tx } from '../../db/index.js'
import { enqueueJob, type Job, wakeJobs } from '../../jobs/index.js'
import type { ReceiptDraft } from '../../record/index.js'
import type { Owner, Page } from './files.js'

/** The name of this kind of job. */
export const batchJob = 'batch'

export type BatchRow = Selectable<BatchesTable>

const ofOwner = (db: Db | Tx, { tenantId, keyId }: Owner) =>
  db.selectFrom('batches').selectAll().where('tenant_id', '=', tenantId).where('key_id', '=', keyId)

export const findBatch = (db: Db, owner: Owner, id: string): Promise<BatchRow | undefined> =>
  ofOwner(db, owner).where('id', '=', id).executeTakeFirst()

export const listBatches = (db: Db, owner: Owner, { limit, after }: Page): Promise<BatchRow[]> =>
  ofOwner(db, owner)
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type NewBatch = Pick<
  BatchRow,
  | 'id'
  | 'tenant_id'
  | 'key_id'
  | 'user_id'
  | 'endpoint'
  | 'model'
  | 'provider_id'
  | 'price'
  | 'sealed'
  | 'input_file_id'
  | 'call_ids'
  | 'expires_at'
>

/**
 * Stores a batch and takes over the reservations of its lines from the process that made them. False when they are
 * no longer complete: the process was considered dead in the meantime, and they were recorded. Nothing is stored in that
 * case.
 */
export async function storeBatch(tx: Tx, batch: NewBatch): Promise<boolean> {
  const row = await tx.insertInto('batches').values(batch).returningAll().executeTakeFirstOrThrow()
  const { rows } = await sql`
    update open_calls set process_id = null where batch_id = ${row.id} returning id`.execute(tx)
  await enqueueJob(tx, { id: row.id, kind: batchJob, tenantId: row.tenant_id })
  return rows.length === batch.call_ids.length
}

/** Counts the lines of a tenant's batches that wait for their answers. */
export async function countOpenLines(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select count(*)::int as lines from open_calls where tenant_id = ${tenantId} and batch_id is not null`.execute(
    db,
  )
  return rows[0]?.lines ?? 0
}

const beingCancelled = {
  status: 'cancelling' as const,
  cancelling_at: sql<Date>`coalesce(cancelling_at, now())`,
}

/** Returns null when it has already ended or does not exist. */
export async function markCancelled(db: Db, owner: Owner, id: string): Promise<BatchRow | null> {
  return await inTransaction(db, async (tx) => {
    const row = await tx
      .updateTable('batches')
      .set(beingCancelled)
      .where('tenant_id', '=', owner.tenantId)
      .where('key_id', '=', owner.keyId)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return null
    await wakeJobs(sql`${row.id}`).execute(tx)
    return row
  })
}

/** Takes over a batch: holders of earlier leases can no longer write. Null when nothing is left to do. */
export async function takeBatch(db: Db, { id, lease_number: number }: Job): Promise<BatchRow | null> {
  const row = await db
    .updateTable('batches')
    .set({ lease_number: number })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`coalesce(lease_number, 0) <= ${number}`)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Returns false when another process has taken the batch over in the meantime. */
export async function updateLeased(
  db: Db | Tx,
  { id, lease_number: number }: Pick<BatchRow, 'id' | 'lease_number'>,
  changes: Partial<Omit<BatchRow, 'id' | 'status'>> & { status?: BatchStatus | RawBuilder<BatchStatus> },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batches')
    .set(changes)
    .where('id', '=', id)
    .where('lease_number', '=', number)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A line that has no receipt yet. */
export interface OpenLine {
  draft: ReceiptDraft
  commitmentKey: Buffer | null
}

/** Returns the open lines by the id of the call. */
export async function readOpenLines(db: Db, batchId: string): Promise<Map<string, OpenLine>> {
  const rows = await db
    .selectFrom('open_calls')
    .select(['id', 'draft', 'commitment_key'])
    .where('batch_id', '=', batchId)
    .execute()
  return new Map(
    rows.map(({ id, draft, commitment_key }) => [
      id,
      { draft: JSON.parse(draft), commitmentKey: commitment_key },
    ]),
  )
}

/** Returns false when a batch that has not ended needs the file. */
export async function deleteFile(db: Db, { tenantId, keyId }: Owner, id: string): Promise<boolean> {
  const { rows } = await sql<{ needed: boolean }>`
    with needed as (
      select from batches where tenant_id = ${tenantId} and input_file_id = ${id} and ended_at is null),
    gone as (
      delete from batch_files
      where tenant_id = ${tenantId} and key_id = ${keyId} and id = ${id} and not exists (select from needed))
    select exists (select from needed) as needed`.execute(db)
  return rows[0]?.needed !== true
}

/** Deletes expired files, and batches that ended as long ago. */
export async function deleteOldBatches(db: Db): Promise<void> {
  await sql`
    delete from batch_files where expires_at <= now() and not exists (
      select from batches where input_file_id = batch_files.id and ended_at is null)`.execute(db)
  await sql`delete from batches where ended_at <= now() - interval '30 days'`.execute(db)
}

/**
 * Called under the lock that storing waits for. Running batches are cancelled, because nobody may see their
 * answers.
 */
export async function eraseBatches(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await tx.deleteFrom('batch_files').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
  const ofUser = tx.updateTable('batches').where('tenant_id', '=', tenantId).where('user_id', '=', userId)
  await ofUser
    .set({ sealed: Buffer.alloc(0), refused: null, output_file_id: null, error_file_id: null })
    .execute()
  const cancelled = await ofUser.set(beingCancelled).where('ended_at', 'is', null).returning('id').execute()
  await wakeJobs(sql`select unnest(${cancelled.map(({ id }) => id)}::text[])`).execute(tx)
}
