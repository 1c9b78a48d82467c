import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import {
  findFreePort,
  hasRedis,
  type RedisServer,
  startRedis,
} from '../../../../../test/harness/processes/redis.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { InMemoryUsageLoader } from '../contract-suite/in-memory-usage-loader.js'
import { createRedisAdmission } from './admission.js'
import { connectToRedis } from './connection.js'

// A real cluster of two primaries. That one shard works is in outage.process.test.ts.

const test = anyTest.skipIf(!hasRedis)
const log = { info: () => undefined, warn: () => undefined }
const nodes: RedisServer[] = []

beforeAll(async () => {
  if (!hasRedis) return
  const busPorts = [await findFreePort(), await findFreePort()]
  for (const port of busPorts)
    nodes.push(await startRedis('--cluster-enabled', 'yes', '--cluster-port', String(port)))
  const [one, other] = nodes as [RedisServer, RedisServer]
  await one.client.cluster('ADDSLOTSRANGE', 0, 8191)
  await other.client.cluster('ADDSLOTSRANGE', 8192, 16383)
  await one.client.call('CLUSTER', 'MEET', '127.0.0.1', new URL(other.url).port, String(busPorts[1]))
  await waitFor('the cluster', async () => {
    const info = String(await one.client.cluster('INFO'))
    return info.includes('cluster_state:ok') && info.includes('cluster_size:2')
  })
})
afterAll(async () => {
  for (const node of nodes) await node.close()
})

const message = 'the server is part of a Redis Cluster with 2 shards, which is not supported: use one primary'

test('a cluster of several shards is refused at the start', async () => {
  const url = nodes[0]?.url ?? ''
  await expect(createRedisAdmission({ url, usageLoader: new InMemoryUsageLoader(), log })).rejects.toThrow(
    message,
  )
})

test('a service that is led to one while it runs says so in its probe', async () => {
  const connection = await connectToRedis({ url: nodes[0]?.url ?? '', commandTimeoutMs: 60_000, log })
  await expect(connection.check()).rejects.toMatchObject({
    kind: 'redis_refuses_writes',
    message: `Redis: ${message}`,
  })
  await connection.close()
})
