import { sql } from 'kysely'
import type { Db, Tx } from '../../db/index.js'

/** The caller and its Idempotency-Key. */
export interface AnswerId {
  tenantId: string
  caller: string
  keyHash: Buffer
}

export interface StoredAnswer {
  salt: Buffer
  fingerprint: Buffer
  sealed: Buffer
}

const lifetime = sql`interval '24 hours'`

export async function findAnswer(
  db: Db,
  { tenantId, caller, keyHash }: AnswerId,
): Promise<StoredAnswer | undefined> {
  const { rows } = await sql<StoredAnswer>`
    select salt, fingerprint, sealed from idempotent_answers
    where tenant_id = ${tenantId} and caller = ${caller} and key_hash = ${keyHash}
      and created_at > now() - ${lifetime}`.execute(db)
  return rows[0]
}

/**
 * Claims the key for this transaction. Waits for a running request with the same key: false when that one
 * committed, true when it failed. An expired answer is overwritten.
 */
export async function claimAnswer(
  tx: Tx,
  { tenantId, caller, keyHash }: AnswerId,
  { salt, fingerprint }: Pick<StoredAnswer, 'salt' | 'fingerprint'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotent_answers as known (tenant_id, caller, key_hash, salt, fingerprint)
    values (${tenantId}, ${caller}, ${keyHash}, ${salt}, ${fingerprint})
    on conflict (tenant_id, caller, key_hash) do update
      set salt = excluded.salt, fingerprint = excluded.fingerprint, sealed = null, created_at = now()
      where known.created_at <= now() - ${lifetime}
    returning true`.execute(tx)
  return rows.length > 0
}

export async function storeAnswer(
  tx: Tx,
  { tenantId, caller, keyHash }: AnswerId,
  sealed: Buffer,
): Promise<void> {
  await sql`update idempotent_answers set sealed = ${sealed}
    where tenant_id = ${tenantId} and caller = ${caller} and key_hash = ${keyHash}`.execute(tx)
}

export async function deleteOldAnswers(db: Db): Promise<void> {
  await sql`delete from idempotent_answers where created_at <= now() - ${lifetime}`.execute(db)
}

/** Erases the stored answers of these keys and sessions. */
export async function eraseAnswers(tx: Tx, tenantId: string, callers: readonly string[]): Promise<void> {
  await sql`delete from idempotent_answers where tenant_id = ${tenantId} and caller = any(${callers}::text[])`.execute(
    tx,
  )
}
