import { afterAll, beforeAll, describe, expect } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../../../../../test/harness/processes/redis.js'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
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
    // Nothing here is about a server that is slow to answer, as one on a busy machine is.
    create: (usageLoader, clock) =>
      createRedisAdmission({
        ...{ url: redis.url, usageLoader, clock, log: { info: () => undefined, warn } },
        commandTimeoutMs: 120_000,
      }),
    async loseState() {
      await redis.client.flushall()
    },
    replicaCount: 3,
    numRuns: propertyRuns / 2,
  })
})
