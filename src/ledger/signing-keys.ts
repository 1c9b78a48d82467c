import type { Db } from '../db/index.js'
import type { PublicJwk, PublicKey } from './public-key.js'
import { readPublicJwk } from './public-key.js'

/** Publishes the key before it seals anything: a stranger must be able to find every key that ever did. */
export async function publishSigningKey(db: Db, key: PublicKey): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({ id: key.id, public_key: key.bytes, retired_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
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
