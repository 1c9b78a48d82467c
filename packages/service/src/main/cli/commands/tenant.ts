import { operatorOf } from '../../../resources/audit/index.js'
import { createKey } from '../../../resources/keys/index.js'
import { createTenant, listTenants } from '../../../resources/tenants/index.js'
import type { Storage } from '../../infrastructure/storage.js'

/** Creates a tenant with its first key in one transaction, because a tenant without a key cannot be used. */
export async function createTenantWithKey({ db }: Storage, name: string): Promise<void> {
  const { tenant, value } = await db.transaction().execute(async (tx) => {
    const tenant = await createTenant(tx, name)
    const { value } = await createKey(tx, operatorOf(tenant.id), {
      name: 'First manager key',
      role: 'manager',
    })
    return { tenant, value }
  })
  console.log(`Tenant ${tenant.name} (${tenant.id})\nManager key, shown only once: ${value}`)
}

export async function printTenants({ db }: Storage): Promise<void> {
  const tenants = await listTenants(db)
  for (const { id, name, createdAt } of tenants) console.log(`${name}\t${id}\t${createdAt.toISOString()}`)
  if (tenants.length === 0) console.error('There is no tenant yet: the first `tallystick serve` creates one')
}
