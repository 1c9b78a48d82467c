import { sql, type Transaction } from 'kysely'
import { type Db, inTransaction, newId, type Tables } from '../../db/index.js'
import { conflict, invalidField } from '../../errors.js'
import { genesisPrev } from '../../ledger/index.js'

export interface Tenant {
  id: string
  name: string
  createdAt: Date
}

/** A tenant and the start of its record, both or none. */
export async function createTenant(db: Db, name: string): Promise<Tenant> {
  if (!/^[a-z0-9][a-z0-9._-]{0,62}$/.test(name)) {
    throw invalidField(
      'name',
      'must be 1 to 63 of a-z, 0-9, dot, hyphen and underscore, and start with a letter or digit',
    )
  }
  return await inTransaction(db, async (tx) => {
    const tenant = await insertTenant(tx, name)
    if (!tenant) throw conflict(`There is already a tenant called ${name}`)
    return tenant
  })
}

/** The tenant `default` on an empty database; null when there is a tenant already. Safe when replicas start together. */
export async function ensureFirstTenant(db: Db): Promise<Tenant | null> {
  return await inTransaction(db, async (tx) => {
    await sql`lock table tenants in share row exclusive mode`.execute(tx)
    const any = await tx.selectFrom('tenants').select('id').limit(1).executeTakeFirst()
    return any ? null : await insertTenant(tx, 'default')
  })
}

async function insertTenant(tx: Transaction<Tables>, name: string): Promise<Tenant | null> {
  const row = await tx
    .insertInto('tenants')
    .values({ id: newId('tenant'), name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(['id', 'name', 'created_at as createdAt'])
    .executeTakeFirst()
  if (!row) return null
  await tx
    .insertInto('record_heads')
    .values({ tenant_id: row.id, prev: genesisPrev(row.id) })
    .execute()
  return row
}

export async function findTenant(db: Db, name: string): Promise<Tenant | undefined> {
  return await db
    .selectFrom('tenants')
    .select(['id', 'name', 'created_at as createdAt'])
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function listTenants(db: Db): Promise<Tenant[]> {
  return await db
    .selectFrom('tenants')
    .select(['id', 'name', 'created_at as createdAt'])
    .orderBy('id')
    .execute()
}
