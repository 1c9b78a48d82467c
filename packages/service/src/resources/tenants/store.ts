import { type Db, newId, type Tx } from '../../db/index.js'
import { genesisPrev } from '../../record/index.js'

export interface Tenant {
  id: string
  name: string
  createdAt: Date
}

/** Creates a tenant with the start of its record. Null when the name is taken. */
export async function insertTenant(tx: Tx, name: string): Promise<Tenant | null> {
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

export async function findTenantName(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('tenants').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
}

export async function listTenants(db: Db): Promise<Tenant[]> {
  return await db
    .selectFrom('tenants')
    .select(['id', 'name', 'created_at as createdAt'])
    .orderBy('id')
    .execute()
}
