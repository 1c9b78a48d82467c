import { join } from 'node:path'
import { inject } from 'vitest'
import { findUndescribed, forgetAnswers } from './check-documented-answers.js'
import { findUndescribedDeliveries } from './check-documented-deliveries.js'
import { createTestDatabase } from './database.js'
import { refuseUndescribed, startTestService, type TestService } from './service.js'
import { addTenant } from './tenant.js'

// The files of a worker run one after another and share its modules, so they can also share one service: starting and stopping one
// takes 0.4 s of processor time, and its database takes as long again.
const services = new Map<string, Promise<TestService>>()
let tenants = 0

/**
 * Creates a tenant of the service that the files of this worker share. For files that need no settings, faults or restarts, and read
 * only their own rows in the database. Services with different settings have different names. A service runs as long as its worker;
 * its database is removed with the database server.
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
  // The folder is not temporary to this file, so that it exists until the run ends.
  const dataDir = join(inject('runFolder'), new URL(database.url).pathname)
  return await startTestService({ database, dataDir, env: await env() })
}
