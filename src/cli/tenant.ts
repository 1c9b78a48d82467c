import { notFound } from '../errors.js'
import type { Storage } from '../main.js'
import { operatorOf } from '../modules/audit/index.js'
import { createKey } from '../modules/keys/index.js'
import { createTenant, findTenant, listTenants } from '../modules/tenants/index.js'
import type { Role } from './arguments.js'

/** A tenant without a key is of no use to anyone: both are made, or neither. */
export async function makeTenant({ db }: Storage, name: string): Promise<void> {
  const { tenant, value } = await db.transaction().execute(async (tx) => {
    const tenant = await createTenant(tx, name)
    const { value } = await createKey(tx, operatorOf(tenant.id), {
      name: 'First manager key',
      role: 'manager',
    })
    return { tenant, value }
  })
  console.log(`Tenant ${tenant.name} (${tenant.id})\nManager key, shown this once: ${value}`)
}

export async function showTenants({ db }: Storage): Promise<void> {
  const tenants = await listTenants(db)
  for (const { id, name, createdAt } of tenants) console.log(`${name}\t${id}\t${createdAt.toISOString()}`)
  if (tenants.length === 0) console.error('There is no tenant yet: the first `tallystick serve` makes one')
}

export async function makeKey(
  { db }: Storage,
  options: { tenant: string; role: Role; keyName: string },
): Promise<void> {
  const tenant = await findTenant(db, options.tenant)
  if (!tenant) throw notFound(`tenant: ${options.tenant}; tallystick tenant list shows all of them`)
  const { row, value } = await createKey(db, operatorOf(tenant.id), {
    name: options.keyName,
    role: options.role,
  })
  console.log(`Key ${row.id} (${row.role}) of tenant ${tenant.name}\nValue, shown this once: ${value}`)
}
