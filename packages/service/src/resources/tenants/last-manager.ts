import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'

/**
 * Runs a change that may remove manager rights, and rolls it back if the tenant would be locked out. The tenant's
 * row is locked first: when two managers revoke each other's key concurrently, the second one sees the change of
 * the first.
 *
 * A key that expires does not count, because it would be lost later without a request that could be refused.
 */
export async function keepLastManager<T>(
  db: Db,
  tenantId: string,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await inTransaction(db, async (tx) => {
    await tx.selectFrom('tenants').select('id').where('id', '=', tenantId).forNoKeyUpdate().execute()
    const before = await hasPermanentManager(tx, tenantId)
    const result = await change(tx)
    if (before && !(await hasPermanentManager(tx, tenantId))) {
      throw conflict(
        'This would leave the tenant without a manager key that lasts; create another manager key first',
      )
    }
    return result
  })
}

async function hasPermanentManager(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('keys')
    .leftJoin('members', (join) =>
      join.onRef('members.tenant_id', '=', 'keys.tenant_id').onRef('members.user_id', '=', 'keys.user_id'),
    )
    .select(sql`1`.as('found'))
    .where('keys.tenant_id', '=', tenantId)
    .where('keys.role', '=', 'manager')
    .where('keys.revoked_at', 'is', null)
    .where('keys.expires_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('keys.user_id', 'is', null),
        eb.and([eb('members.role', '=', 'manager'), eb('members.status', '=', 'active')]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
