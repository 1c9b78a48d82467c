import { afterAll, beforeAll, describe } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../../test/harness/redis.js'
import { describeAdmissionStore } from './contract-suite/index.js'
import { createRedisAdmission } from './shared.js'

describe.skipIf(!hasRedis)('with a Redis', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    await redis.close()
  })

  describeAdmissionStore(
    'shared',
    async (truth, clock) =>
      createRedisAdmission({ url: redis.url, truth, clock, onWarning: () => undefined }),
    { numRuns: 60 },
  )
})
