import type { PublicJwk, PublicKey } from '@tallystick/record/format'
import { readPublicJwk } from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/** A key whose public half is in the database. It is never deleted. */
export interface PublishedKey {
  id: string
  createdAt: Date
  retiredAt: Date | null
}

/**
 * Publishes a key. Call it before the key seals anything: a verifier must be able to find every key that ever sealed.
 * The result says whether the key was retired; then it must not seal again.
 */
export async function publishSigningKey(db: Db, key: PublicKey): Promise<PublishedKey> {
  await db
    .insertInto('signing_keys')
    .values({ id: key.id, public_key: key.bytes, retired_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return await selectKeys(db).where('id', '=', key.id).executeTakeFirstOrThrow()
}

/** Oldest first. */
export async function listPublishedKeys(db: Db): Promise<PublishedKey[]> {
  return await selectKeys(db).orderBy('created_at').orderBy('id').execute()
}

const selectKeys = (db: Db) =>
  db.selectFrom('signing_keys').select(['id', 'created_at as createdAt', 'retired_at as retiredAt'])

/** The key of the newest seal of any record, or null. By the newest seal of each record, which the primary key finds. */
export async function findLastSealingKey(db: Db): Promise<PublishedKey | null> {
  const { rows } = await sql<PublishedKey>`
    select k.id, k.created_at as "createdAt", k.retired_at as "retiredAt"
    from record_heads h
    cross join lateral (
      select s.key_id, s.created_at from seals s where s.tenant_id = h.tenant_id order by s.size desc limit 1) as newest
    join signing_keys k on k.id = newest.key_id
    order by newest.created_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Once this is committed, the database refuses seals by the key. Repeating it changes nothing. */
export async function retireSigningKey(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('signing_keys')
    .set({ retired_at: now })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .execute()
}

/** As they are published in the JWKS, oldest first. */
export async function listPublicJwks(db: Db): Promise<PublicJwk[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .select('public_key')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(
    (row) => readPublicJwk({ kty: 'OKP', crv: 'Ed25519', x: row.public_key.toString('base64url') }).jwk,
  )
}
