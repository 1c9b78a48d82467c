import { afterAll, beforeAll, describe, expect } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../../../test/harness/redis.js'
import { describeAdmissionStore } from '../contract-suite/index.js'
import { createRedisAdmission } from './admission.js'

describe.skipIf(!hasRedis)('with a Redis', () => {
  let redis: RedisServer
  const warnings: string[] = []
  const warn = (message: string) => warnings.push(message)

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    await redis.close()
    expect(warnings).toEqual([])
  })

  describeAdmissionStore('shared', {
    create: (truth, clock) =>
      createRedisAdmission({ url: redis.url, truth, clock, log: { info: () => undefined, warn } }),
    async lose() {
      await redis.client.flushall()
    },
    replicaCount: 3,
    numRuns: 60,
  })
})
