import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { masterKey } from '../harness/processes/master-key.js'
import { hasPgBouncer, startPgBouncer } from '../harness/processes/pgbouncer.js'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { readEvents } from '../harness/providers/event-stream.js'
import { sendJson, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { createEndpoint, makeViolations, nthSeen, waitForDelivery } from '../harness/reporting/webhooks.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { type DatabaseProxy, startDatabaseProxy } from '../harness/service/database-proxy.js'
import { startTestService, type TestService } from '../harness/service/service.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

// Two replicas behind a PgBouncer in transaction mode, with fewer connections than one of them would open by itself.

const test = anyTest.skipIf(!hasRedis || !hasPgBouncer)

let database: TestDatabase
let redis: RedisServer
let pooler: Awaited<ReturnType<typeof startPgBouncer>>
let upstream: Upstream
let receiver: Upstream
let directOfOne: DatabaseProxy
let one: TestService
let other: TestService

const start = (env: Record<string, string>, managerKey = '') =>
  startTestService({
    database,
    managerKey,
    env: {
      DATABASE_URL: pooler.url,
      TALLYSTICK_DATABASE_CONNECTIONS: '5',
      REDIS_URL: redis.url,
      TALLYSTICK_MASTER_KEY: masterKey,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ...env,
    },
  })

beforeAll(async () => {
  if (!hasRedis || !hasPgBouncer) return
  database = await createTestDatabase()
  redis = await startRedis()
  pooler = await startPgBouncer(database.url, 4)
  upstream = await startUpstream(answerChat)
  receiver = await startUpstream((_, response) => sendJson(response, 200, {}))
  directOfOne = await startDatabaseProxy(database.url)
  one = await start({ TALLYSTICK_DATABASE_DIRECT_URL: directOfOne.url })
  other = await start({ TALLYSTICK_DATABASE_DIRECT_URL: database.url }, one.managerKey)
})
afterAll(async () => {
  await one?.stop()
  await other?.stop()
  await receiver?.close()
  await upstream?.close()
  await directOfOne?.close()
  await pooler?.close()
  await redis?.close()
  await database?.drop()
})

test('a pooler without the direct URL, or in its place, or of another database, is found out at the start', async () => {
  await expect(start({})).rejects.toThrow('Set TALLYSTICK_DATABASE_DIRECT_URL to the database itself')
  await expect(start({ TALLYSTICK_DATABASE_DIRECT_URL: pooler.url })).rejects.toThrow(
    'TALLYSTICK_DATABASE_DIRECT_URL: leads to a transaction pooler',
  )
  const elsewhere = await createTestDatabase()
  await expect(start({ TALLYSTICK_DATABASE_DIRECT_URL: elsewhere.url })).rejects.toThrow(
    'leads to another database than DATABASE_URL',
  )
  await elsewhere.drop()
})

test('keys, budgets, calls, the record, webhooks and events work on both replicas', async () => {
  const key = (await one.api.post('/v1/keys', { name: 'Behind a pooler' })).body
  const reader = await readEvents(other.address, one.managerKey)
  await reader.until('hello')
  const calls = Array.from({ length: 40 }, (_, i) =>
    (i % 2 ? one : other).as(key.key).post('/v1/chat/completions', chatCall(i % 4 < 2)),
  )
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  await reader.until('call', 40)
  reader.close()

  await one.api.post('/v1/budgets', {
    name: 'Little',
    scope: { type: 'key', id: key.id },
    amountUsd: 0.000001,
    period: 'daily',
  })
  const spend = async () => (await other.as(key.key).post('/v1/chat/completions', chatCall(false))).status
  expect(await spend()).toBe(402)

  const endpoint = await createEndpoint(one.api, { url: receiver.url })
  const { violate } = await makeViolations(other)
  await violate()
  await nthSeen(receiver, 1)
  await waitForDelivery(one.api, endpoint.id, 'delivered')

  await one.api.delete(`/v1/keys/${key.id}`)
  await waitFor('the key to be refused by the other replica', async () => (await spend()) === 401)
  const { receipts } = await verifyRecord(database)
  expect(receipts.filter(({ key: id, outcome }) => id === key.id && outcome === 'ok')).toHaveLength(40)
})

test('a replica has four connections past the pooler, however many calls it makes', async () => {
  // Indexes of calls, which an hourly job builds, need one more for a moment.
  await waitFor('four connections', () => directOfOne.connections() === 4)
})
