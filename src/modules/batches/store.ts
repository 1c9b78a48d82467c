import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { BatchesTable, BatchStatus, Db, Tx } from '../../db/index.js'
import type { ReceiptDraft } from '../../ledger/index.js'
import type { Owner, Page } from './files.js'

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
 * Stores a batch, and takes its lines from the process that reserved them. False when these are no longer all there: the process was
 * taken for dead meanwhile, and they are recorded. Then nothing is stored.
 */
export async function storeBatch(tx: Tx, batch: NewBatch): Promise<boolean> {
  const row = await tx.insertInto('batches').values(batch).returningAll().executeTakeFirstOrThrow()
  const { rows } = await sql`
    update open_calls set process_id = null where batch_id = ${row.id} returning id`.execute(tx)
  return rows.length === batch.call_ids.length
}

/** How many lines of a tenant's batches wait for their answers. */
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
  next_at: sql<Date>`now()`,
}

/** Null where it has ended already, or is not there. */
export async function markCancelled(db: Db, owner: Owner, id: string): Promise<BatchRow | null> {
  const row = await db
    .updateTable('batches')
    .set(beingCancelled)
    .where('tenant_id', '=', owner.tenantId)
    .where('key_id', '=', owner.keyId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Takes a batch that is due and that no living process looks at. */
export async function leaseBatch(db: Db, processId: string): Promise<BatchRow | null> {
  const row = await db
    .updateTable('batches')
    .set({ leased_by: processId })
    .where('id', '=', (query) =>
      query
        .selectFrom('batches as due')
        .select('due.id')
        .where('due.ended_at', 'is', null)
        .where('due.next_at', '<=', sql<Date>`now()`)
        .where(
          sql<boolean>`(due.leased_by is null or not exists (select from processes where id = due.leased_by))`,
        )
        .orderBy('due.next_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** False when another process has taken it over meanwhile. */
export async function updateLeased(
  db: Db | Tx,
  { id, leased_by }: Pick<BatchRow, 'id' | 'leased_by'>,
  changes: Partial<Omit<BatchRow, 'id' | 'status'>> & { status?: BatchStatus | RawBuilder<BatchStatus> },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batches')
    .set(changes)
    .where('id', '=', id)
    .where('leased_by', '=', leased_by)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A batch that was cancelled meanwhile is looked at again at once. */
export async function returnBatch(
  db: Db,
  { id, leased_by, status }: Pick<BatchRow, 'id' | 'leased_by' | 'status'>,
  waitMs: number,
): Promise<void> {
  await sql`
    update batches set leased_by = null,
      next_at = case when status = ${status} then now() + make_interval(secs => ${waitMs / 1_000}) else now() end
    where id = ${id} and leased_by = ${leased_by}`.execute(db)
}

/** A line that has no receipt yet. */
export interface OpenLine {
  draft: ReceiptDraft
  commitmentKey: Buffer | null
}

/** By the id of the call. */
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

/** False when a batch that has not ended needs it. */
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

/** Files after their time, and batches that ended as long ago. */
export async function deleteOldBatches(db: Db): Promise<void> {
  await sql`
    delete from batch_files where expires_at <= now() and not exists (
      select from batches where input_file_id = batch_files.id and ended_at is null)`.execute(db)
  await sql`delete from batches where ended_at <= now() - interval '30 days'`.execute(db)
}

/** Called under the lock that storing waits for. Batches under way are cancelled: nobody may see their answers. */
export async function eraseBatches(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await tx.deleteFrom('batch_files').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
  const ofUser = tx.updateTable('batches').where('tenant_id', '=', tenantId).where('user_id', '=', userId)
  await ofUser
    .set({ sealed: Buffer.alloc(0), refused: null, output_file_id: null, error_file_id: null })
    .execute()
  await ofUser.set(beingCancelled).where('ended_at', 'is', null).execute()
}
