import { newId, openDatabase } from '../../../packages/service/src/db/index.js'
import { generateKeyValue, hashKeyValue, hintOf } from '../../../packages/service/src/resources/keys/value.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import type { Api } from './api.js'
import type { TestService } from './service.js'

/** Creates another tenant of the same service, with a manager key that does not expire. */
export interface TestTenant {
  id: string
  managerKey: string
  managerKeyId: string
  api: Api
}

/** Numbers the names of tenants, because an earlier file may have used the same name on the same service. */
export async function addTenant(service: TestService, name: string): Promise<TestTenant> {
  const { db, close } = openDatabase(service.database.url, () => undefined)
  const taken = await service.database.query('select from tenants where name like $1', [`${name}%`])
  const { id } = await createTenant(db, taken.length === 0 ? name : `${name}-${taken.length + 1}`)
  await close()
  const { keyId, value } = await addManagerKey(service, id, null)
  return { id, managerKey: value, managerKeyId: keyId, api: service.as(value) }
}

/** Uses SQL like a command of the operator, because the tenant may have no manager yet. */
export async function addManagerKey(
  service: TestService,
  tenantId: string,
  userId: string | null,
): Promise<{ keyId: string; value: string }> {
  const value = generateKeyValue()
  const keyId = newId('key')
  await service.database.query(
    `insert into keys (id, tenant_id, name, role, user_id, hash, hint, created_by)
     values ($1, $2, 'Manager', 'manager', $3, $4, $5, 'operator')`,
    [keyId, tenantId, userId, hashKeyValue(value), hintOf(value)],
  )
  return { keyId, value }
}
