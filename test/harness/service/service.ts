import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, type Service, startService } from '../../../packages/service/src/main/index.js'
import { type Api, createApi } from './api.js'
import { findUndescribed, forgetServer } from './check-documented-answers.js'
import { findUndescribedDeliveries } from './check-documented-deliveries.js'
import { createTestDatabase, type TestDatabase } from './database.js'

/** A whole service in this process, on a database of its own and a free port. */
export interface TestService {
  address: string
  database: TestDatabase
  dataDir: string
  /** The tenant of the manager's key. */
  tenantId: string
  managerKey: string
  /** Management and gateway calls with the manager's key. */
  api: Api
  /** Calls with another key. */
  as(key: string): Api
  service: Service
  stop(): Promise<void>
}

export interface TestServiceOptions {
  env?: Record<string, string>
  /** An existing database, for a second replica or a restart. */
  database?: TestDatabase
  dataDir?: string
  managerKey?: string
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase())
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'tallystick-data-')))
  const config = readConfig({
    cwd: dataDir,
    env: {
      DATABASE_URL: database.url,
      TALLYSTICK_DATA_DIR: dataDir,
      TALLYSTICK_PORT: '0',
      TALLYSTICK_LOG_LEVEL: 'silent',
      ...options.env,
    },
  })
  const service = await startService(config)
  let isStopped = false
  const [tenant] = await database.query<{ id: string }>('select id from tenants order by id limit 1')
  const managerKey = service.firstKey ?? options.managerKey ?? ''
  return {
    address: service.address,
    database,
    dataDir,
    tenantId: tenant?.id ?? '',
    managerKey,
    service,
    api: createApi(service.address, managerKey),
    as: (key) => createApi(service.address, key),
    async stop() {
      await service.stop()
      // Every answer and every webhook delivery of the service must match its own OpenAPI document.
      const undescribed = isStopped
        ? []
        : [...findUndescribed(service.address), ...(await findUndescribedDeliveries(database))]
      isStopped = true
      forgetServer(service.address)
      if (!options.database) await database.drop()
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
      refuseUndescribed(undescribed)
    },
  }
}

export function refuseUndescribed(undescribed: readonly string[]): void {
  if (undescribed.length > 0)
    throw new Error(`The OpenAPI document does not describe:\n  ${undescribed.join('\n  ')}`)
}
