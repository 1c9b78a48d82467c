import { createTestDatabase, type TestDatabase } from '../service/database.js'
import { startTestService, type TestService } from '../service/service.js'
import { masterKey } from './master-key.js'
import { type RedisServer, startRedis } from './redis.js'

/** Services that share one database and one Redis. */
export interface Replicas {
  services: TestService[]
  database: TestDatabase
  redis: RedisServer
  stop(): Promise<void>
}

/** Starts one replica for each environment, all with the manager key of the first. */
export async function startReplicas(
  first: Record<string, string>,
  ...others: Record<string, string>[]
): Promise<Replicas & { one: TestService; other: TestService }> {
  const database = await createTestDatabase()
  const redis = await startRedis()
  const start = (env: Record<string, string>, managerKey = '') =>
    startTestService({
      database,
      managerKey,
      env: { REDIS_URL: redis.url, TALLYSTICK_MASTER_KEY: masterKey, ...env },
    })
  const one = await start(first)
  const services = [one, ...(await Promise.all(others.map((env) => start(env, one.managerKey))))]
  return {
    services,
    one,
    other: services[1] ?? one,
    database,
    redis,
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      await redis.close()
      await database.drop()
    },
  }
}
