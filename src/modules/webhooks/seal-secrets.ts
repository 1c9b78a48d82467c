import { type Db, inTransaction } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import { sealSecret, secretStatusOf } from './secret.js'

const batchSize = 100

/**
 * Seals secrets that stand in plain text, from before there was sealing, and empties their columns. Every replica may do it at
 * once: each row is locked by one of them, and a sealed row has nothing left to seal.
 */
export async function sealPlainSecrets(db: Db, secrets: Secrets): Promise<number> {
  let sealed = 0
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      const rows = await tx
        .selectFrom('webhook_endpoints')
        .select(['id', 'tenant_id', 'secret', 'previous_secret'])
        .where((where) => where.or([where('secret', '<>', ''), where('previous_secret', '<>', '')]))
        .orderBy('id')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .execute()
      for (const row of rows) {
        const { secret, previous_secret } = row
        await tx
          .updateTable('webhook_endpoints')
          .set({
            ...(secret !== '' && { secret: '', sealed_secret: await sealSecret(secrets, row, secret) }),
            ...(previous_secret && {
              previous_secret: null,
              sealed_previous_secret: await sealSecret(secrets, row, previous_secret),
            }),
          })
          .where('id', '=', row.id)
          .execute()
      }
      return rows.length
    })
    sealed += count
    if (count < batchSize) return sealed
  }
}

/** The ids of endpoints whose secret cannot be opened. */
export async function listUndecryptableEndpoints(db: Db, secrets: Secrets): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select([
      'id',
      'tenant_id',
      'secret',
      'previous_secret',
      'previous_secret_until',
      'sealed_secret',
      'sealed_previous_secret',
    ])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const statuses = await Promise.all(rows.map((row) => secretStatusOf(secrets, row)))
  return rows.flatMap(({ id }, index) => (statuses[index] === undecryptable ? [id] : []))
}
