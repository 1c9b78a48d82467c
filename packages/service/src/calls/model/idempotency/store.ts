import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'

/** The virtual key and the hash of the Idempotency-Key. */
export interface IdempotentCallId {
  tenantId: string
  keyId: string
  keyHash: Buffer
}

/** The call whose answer is replayed to repeated requests. */
export interface NewIdempotentCall extends IdempotentCallId {
  requestId: string
  userId: string | null
  processId: string
  salt: Buffer
  fingerprint: Buffer
}

export interface StoredIdempotentCall {
  salt: Buffer
  fingerprint: Buffer
  state: 'calling' | 'answered' | 'not_kept'
  sealed: Buffer | null
  /** Whether the process of the call is gone, so that nobody will store its end. */
  isAbandoned: boolean
}

/** How a call with an Idempotency-Key ends. After `release`, the next request with the key calls again. */
export interface EndedIdempotentCall extends IdempotentCallId {
  requestId: string
  end: { sealed: Buffer } | 'not kept' | 'release'
}

const lifetime = sql`interval '24 hours'`

/** Inserts a call, replacing an expired one. Returns false when there is a current call with the same key. */
export async function insertIdempotentCall(db: Db, call: NewIdempotentCall): Promise<boolean> {
  const { tenantId, keyId, keyHash, requestId, userId, processId, salt, fingerprint } = call
  const { rows } = await sql`
    insert into idempotent_calls as known
      (tenant_id, key_id, key_hash, request_id, user_id, process_id, salt, fingerprint)
    values (${tenantId}, ${keyId}, ${keyHash}, ${requestId}, ${userId}, ${processId}, ${salt}, ${fingerprint})
    on conflict (tenant_id, key_id, key_hash) do update
      set request_id = excluded.request_id, user_id = excluded.user_id, process_id = excluded.process_id,
        salt = excluded.salt, fingerprint = excluded.fingerprint, state = 'calling', sealed = null, created_at = now()
      where known.created_at <= now() - ${lifetime}
    returning true`.execute(db)
  return rows.length > 0
}

export async function findIdempotentCall(
  db: Db,
  { tenantId, keyId, keyHash }: IdempotentCallId,
): Promise<StoredIdempotentCall | undefined> {
  const { rows } = await sql<StoredIdempotentCall>`
    select salt, fingerprint, state, sealed, state = 'calling' and not exists (
      select from processes where processes.id = idempotent_calls.process_id) as "isAbandoned"
    from idempotent_calls
    where tenant_id = ${tenantId} and key_id = ${keyId} and key_hash = ${keyHash}
      and created_at > now() - ${lifetime}`.execute(db)
  return rows[0]
}

/** Counts the stored calls of a key and the size of their answers. Plan: a range of the primary key; nothing is read from TOAST. */
export async function countIdempotentCalls(
  db: Db,
  { tenantId, keyId }: Pick<IdempotentCallId, 'tenantId' | 'keyId'>,
): Promise<{ calls: number; bytes: number }> {
  const { rows } = await sql<{ calls: number; bytes: number }>`
    select count(*)::int as calls, coalesce(sum(pg_column_size(sealed)), 0)::bigint as bytes from idempotent_calls
    where tenant_id = ${tenantId} and key_id = ${keyId} and created_at > now() - ${lifetime}`.execute(db)
  return rows[0] ?? { calls: 0, bytes: 0 }
}

/** Stores how a call ended. Only the request that made the call can do so, and only once. */
export async function endIdempotentCall(
  db: Db,
  { tenantId, keyId, keyHash, requestId, end }: EndedIdempotentCall,
): Promise<void> {
  const own = sql`tenant_id = ${tenantId} and key_id = ${keyId} and key_hash = ${keyHash}
    and request_id = ${requestId} and state = 'calling'`
  if (end === 'release') await sql`delete from idempotent_calls where ${own}`.execute(db)
  else if (end === 'not kept')
    await sql`update idempotent_calls set state = 'not_kept' where ${own}`.execute(db)
  else
    await sql`update idempotent_calls set state = 'answered', sealed = ${end.sealed} where ${own}`.execute(db)
}

const rowsPerStep = 500

/** Deletes some expired calls. Returns true when there may be more. */
export async function deleteExpiredIdempotentCalls(db: Db): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from idempotent_calls where ctid in (
      select ctid from idempotent_calls where created_at <= now() - ${lifetime} limit ${rowsPerStep})`.execute(
    db,
  )
  return Number(numAffectedRows) === rowsPerStep
}
