import { sql } from 'kysely'
import { type Db, locks, type Tx } from '../../db/index.js'
import type { CapturedAttempt } from './captured.js'

export interface SealedAttempt {
  attempt: CapturedAttempt
  sealed: Buffer
}

/**
 * Stores the content that may still be stored: not that of a call during which the mode changed, or that began
 * before its user was erased. The locks make an erasure wait for content that is being stored, and later content
 * see the erasure.
 */
export async function insertContent(tx: Tx, group: readonly SealedAttempt[]): Promise<void> {
  const tenants = [...new Set(group.map(({ attempt }) => attempt.tenantId))].sort()
  await sql`select pg_advisory_xact_lock_shared(${locks.content}, hash) from
    (select distinct hashtext(id) as hash from unnest(${tenants}::text[]) as id order by hash) as locked`.execute(
    tx,
  )
  const rows = group.map(
    ({ attempt: each, sealed }) =>
      sql`(${each.tenantId}::text, ${each.capturedAt}::timestamptz, ${each.requestId}::text, ${each.attempt}::smallint,
        ${each.userId}::text, ${sealed}::bytea, ${each.modeSeq}::bigint, ${each.erasedTo}::bigint)`,
  )
  await sql`
    insert into call_content (tenant_id, captured_at, request_id, attempt, user_id, sealed)
    select given.tenant_id, captured_at, request_id, attempt, given.user_id, sealed
    from (values ${sql.join(rows)})
      as given (tenant_id, captured_at, request_id, attempt, user_id, sealed, mode_seq, erased_to)
    join content_capture on content_capture.tenant_id = given.tenant_id and content_capture.mode_seq = given.mode_seq
    where not exists (
      select from erasures
      where erasures.tenant_id = given.tenant_id and erasures.user_id = given.user_id
        and erasures.control_seq > given.erased_to)
    on conflict do nothing`.execute(tx)
}

/** Deletes all content of a person's calls. Content that is being stored is waited for and deleted too. */
export async function eraseContent(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.content}, hashtext(${tenantId}))`.execute(tx)
  await tx
    .deleteFrom('call_content')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  // Open calls leave no content either. Their claims stay, so that none of them is stored twice.
  await tx
    .updateTable('idempotent_calls')
    .set({ state: 'not_kept', sealed: null })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Returns the times up to which everybody's content has expired, and that of some tenant. Null when no content was
 * ever captured.
 */
export async function readCutoffs(db: Db): Promise<{ everybody: Date; tenants: string[] } | null> {
  const { rows } = await sql<{ everybody: Date | null; tenants: string[] | null }>`
    select min(now() - make_interval(days => retention_days)) as everybody, array_agg(tenant_id order by tenant_id) as tenants
    from content_capture`.execute(db)
  const [row] = rows
  return row?.everybody && row.tenants ? { everybody: row.everybody, tenants: row.tenants } : null
}

const rowsPerStep = 500

/** Deletes some expired content of a tenant. Returns whether there may be more. */
export async function deleteDueContent(db: Db, tenantId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from call_content as content using (
      select tenant_id, captured_at, request_id, attempt from call_content
      where tenant_id = ${tenantId} and captured_at <= (
        select now() - make_interval(days => retention_days) from content_capture where tenant_id = ${tenantId})
      order by captured_at limit ${rowsPerStep}) as due
    where content.tenant_id = due.tenant_id and content.captured_at = due.captured_at
      and content.request_id = due.request_id and content.attempt = due.attempt`.execute(db)
  return Number(numAffectedRows) === rowsPerStep
}
