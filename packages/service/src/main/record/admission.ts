import { createUsageLoader } from '../../calls/core/index.js'
import { ConfigError } from '../../config/index.js'
import type { Db } from '../../db/index.js'
import {
  type AdmissionStore,
  createMemoryAdmission,
  createRedisAdmission,
  createWorkerAdmission,
  LimitsFault,
} from '../../limits/index.js'
import { readSpend } from '../../resources/budgets/index.js'
import type { Infrastructure } from '../infrastructure/infrastructure.js'

/** Opens the store that counts limits: in Redis, in the supervisor of this worker, or in this process. */
export async function openAdmission({
  config,
  db,
  limits,
  log,
}: Pick<Infrastructure, 'config' | 'db' | 'limits' | 'log'>): Promise<AdmissionStore> {
  if (limits !== null) return createWorkerAdmission(limits)
  if (config.redisUrl === null) return createMemoryAdmission(createLoader(db))
  return await createRedisAdmission({ url: config.redisUrl, usageLoader: createLoader(db), log }).catch(
    (error) => {
      throw error instanceof LimitsFault ? new ConfigError([`REDIS_URL: ${error.message}`]) : error
    },
  )
}

/** Returns what a store loads its state with. */
export const createLoader = (db: Db) =>
  createUsageLoader(db, (tenantId, accounts) => readSpend(db, tenantId, accounts))
