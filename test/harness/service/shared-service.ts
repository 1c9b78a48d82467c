import { join } from 'node:path'
import { inject } from 'vitest'
import { createTestDatabase } from './database.js'
import { findUndescribed, forgetAnswers } from './described-answers.js'
import { findUndescribedDeliveries } from './described-deliveries.js'
import { refuseUndescribed, startTestService, type TestService } from './service.js'
import { addTenant } from './tenant.js'

// The files of a worker run one after the other and share its modules, so they can share one service too: starting and stopping one
// takes 0.4 s of processor time, and its database as long again.
const services = new Map<string, Promise<TestService>>()
let tenants = 0

/**
 * A new tenant of the one service of this worker, for a file that needs no settings, faults or restarts, and looks at nothing in
 * the database but what is its own. Services whose settings differ have different names. The service runs for as long as the
 * worker; what is left of it goes with the server of the databases.
 */
export async function shareTestService(
  name = 'plain',
  env: () => Promise<Record<string, string>> = async () => ({}),
): Promise<TestService> {
  const starting = services.get(name) ?? start(env)
  services.set(name, starting)
  const service = await starting
  const { id, managerKey, api } = await addTenant(service, `file-${++tenants}`)
  return {
    ...service,
    tenantId: id,
    managerKey,
    api,
    async stop() {
      const undescribed = [
        ...findUndescribed(service.address),
        ...(await findUndescribedDeliveries(service.database, id)),
      ]
      forgetAnswers(service.address)
      refuseUndescribed(undescribed)
    },
  }
}

async function start(env: () => Promise<Record<string, string>>): Promise<TestService> {
  const database = await createTestDatabase()
  // The folder is given, so that it stays until the run ends.
  const dataDir = join(inject('runFolder'), new URL(database.url).pathname)
  return await startTestService({ database, dataDir, env: await env() })
}
