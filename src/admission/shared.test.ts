import { afterAll, beforeAll, describe, expect } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../../test/harness/redis.js'
import { describeAdmissionStore } from './contract-suite/index.js'
import { createRedisAdmission } from './shared.js'

describe.skipIf(!hasRedis)('with a Redis', () => {
  let redis: RedisServer
  const warnings: string[] = []

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    await redis.close()
    expect(new Set(warnings)).toEqual(new Set(['Redis is there']))
  })

  describeAdmissionStore('shared', {
    create: (truth, clock) =>
      createRedisAdmission({ url: redis.url, truth, clock, onWarning: (message) => warnings.push(message) }),
    async lose() {
      await redis.client.flushall()
    },
    replicaCount: 3,
    numRuns: 60,
  })
})
