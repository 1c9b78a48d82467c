import type { Db } from '../../db/index.js'
import type { PublicJwk, PublicKey } from '../format/public-key.js'
import { readPublicJwk } from '../format/public-key.js'

/** A key as the database knows it: its public half, which is kept for good. */
export interface KnownSigningKey {
  id: string
  createdAt: Date
  retiredAt: Date | null
}

/**
 * Publishes the key before it seals anything: a stranger must be able to find every key that ever did. Returns what
 * is known of it, since a key that was retired must not seal again.
 */
export async function publishSigningKey(db: Db, key: PublicKey): Promise<KnownSigningKey> {
  await db
    .insertInto('signing_keys')
    .values({ id: key.id, public_key: key.bytes, retired_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return await selectKnown(db).where('id', '=', key.id).executeTakeFirstOrThrow()
}

/** Oldest first. */
export async function listKnownSigningKeys(db: Db): Promise<KnownSigningKey[]> {
  return await selectKnown(db).orderBy('created_at').orderBy('id').execute()
}

const selectKnown = (db: Db) =>
  db.selectFrom('signing_keys').select(['id', 'created_at as createdAt', 'retired_at as retiredAt'])

/** From the moment this is committed on, the database takes no seal of it. Repeating it changes nothing. */
export async function retireSigningKey(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('signing_keys')
    .set({ retired_at: now })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .execute()
}

export async function listSigningKeys(db: Db): Promise<PublicJwk[]> {
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
