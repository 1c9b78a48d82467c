import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'

/** The virtual key and the hash of the Idempotency-Key. */
export interface ClaimId {
  tenantId: string
  keyId: string
  keyHash: Buffer
}

/** The call whose answer is replayed to repeated requests. */
export interface Claim extends ClaimId {
  requestId: string
  userId: string | null
  processId: string
  salt: Buffer
  fingerprint: Buffer
}

export interface ClaimedCall {
  salt: Buffer
  fingerprint: Buffer
  state: 'calling' | 'answered' | 'not_kept'
  sealed: Buffer | null
  /** Whether the process of the call is gone, so that nobody will end the claim. */
  isAbandoned: boolean
}

/** How a claim ends. After `release`, the next request with the key calls again. */
export interface EndedClaim extends ClaimId {
  requestId: string
  end: { sealed: Buffer } | 'not kept' | 'release'
}

const lifetime = sql`interval '24 hours'`

/** Inserts a claim, replacing an expired one. Returns false when there is a current claim. */
export async function insertClaim(db: Db, claim: Claim): Promise<boolean> {
  const { tenantId, keyId, keyHash, requestId, userId, processId, salt, fingerprint } = claim
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

export async function findClaim(
  db: Db,
  { tenantId, keyId, keyHash }: ClaimId,
): Promise<ClaimedCall | undefined> {
  const { rows } = await sql<ClaimedCall>`
    select salt, fingerprint, state, sealed, state = 'calling' and not exists (
      select from processes where processes.id = idempotent_calls.process_id) as "isAbandoned"
    from idempotent_calls
    where tenant_id = ${tenantId} and key_id = ${keyId} and key_hash = ${keyHash}
      and created_at > now() - ${lifetime}`.execute(db)
  return rows[0]
}

/** Counts the stored calls of a key and the size of their answers. Plan: a range of the primary key; nothing is read from TOAST. */
export async function countClaims(
  db: Db,
  { tenantId, keyId }: Pick<ClaimId, 'tenantId' | 'keyId'>,
): Promise<{ calls: number; bytes: number }> {
  const { rows } = await sql<{ calls: number; bytes: number }>`
    select count(*)::int as calls, coalesce(sum(pg_column_size(sealed)), 0)::bigint as bytes from idempotent_calls
    where tenant_id = ${tenantId} and key_id = ${keyId} and created_at > now() - ${lifetime}`.execute(db)
  return rows[0] ?? { calls: 0, bytes: 0 }
}

/** Ends a claim. Only the call that made it can end it, and only once. */
export async function endClaim(
  db: Db,
  { tenantId, keyId, keyHash, requestId, end }: EndedClaim,
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

/** Deletes some expired claims. Returns true when there may be more. */
export async function deleteOldClaims(db: Db): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from idempotent_calls where ctid in (
      select ctid from idempotent_calls where created_at <= now() - ${lifetime} limit ${rowsPerStep})`.execute(
    db,
  )
  return Number(numAffectedRows) === rowsPerStep
}
