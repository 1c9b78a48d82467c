import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/index.js'
import { conflict, invalidField } from '../../shared/errors.js'
import { insertTenant, type Tenant } from './store.js'

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

/** Creates the tenant `default` in an empty database; null when there is a tenant. Safe when replicas start together. */
export async function ensureFirstTenant(db: Db): Promise<Tenant | null> {
  return await inTransaction(db, async (tx) => {
    await sql`lock table tenants in share row exclusive mode`.execute(tx)
    const existing = await tx.selectFrom('tenants').select('id').limit(1).executeTakeFirst()
    return existing ? null : await insertTenant(tx, 'default')
  })
}
