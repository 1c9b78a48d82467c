import { operatorOf } from '../../../resources/audit/index.js'
import { createKey } from '../../../resources/keys/index.js'
import { findTenant } from '../../../resources/tenants/index.js'
import { notFound } from '../../../shared/errors.js'
import type { Storage } from '../../infrastructure/storage.js'
import type { Role } from '../arguments.js'

export async function createKeyOfTenant(
  { db }: Storage,
  options: { tenant: string; role: Role; keyName: string },
): Promise<void> {
  const tenant = await findTenant(db, options.tenant)
  if (!tenant) throw notFound(`tenant: ${options.tenant}; tallystick tenant list shows all of them`)
  const { row, value } = await createKey(db, operatorOf(tenant.id), {
    name: options.keyName,
    role: options.role,
  })
  console.log(`Key ${row.id} (${row.role}) of tenant ${tenant.name}\nValue, shown only once: ${value}`)
}
