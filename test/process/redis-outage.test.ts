import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { hasRedis } from '../harness/processes/redis.js'
import { startReplicas } from '../harness/processes/replicas.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor, withinAMinute } from '../harness/run/wait.js'
import { makeGate } from '../harness/service/gateway.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const test = anyTest.skipIf(!hasRedis)

let upstream: Upstream
let replicas: Awaited<ReturnType<typeof startReplicas>> | undefined

beforeAll(async () => {
  if (!hasRedis) return
  upstream = await startUpstream(answerChat)
  const env = { OPENAI_API_KEY: 'sk-upstream', OPENAI_BASE_URL: `${upstream.url}/v1` }
  replicas = await startReplicas(env, env)
})
afterAll(async () => {
  await replicas?.stop()
  await upstream?.close()
})

function parts() {
  if (!replicas) throw new Error('there is no Redis')
  return replicas
}

const echo = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello' }] }

test('while Redis is away, calls that need it get 503, others go on, and it recovers by itself', async () => {
  const { one, other, redis } = parts()
  const limit = async () => {
    const { body: limited } = await one.api.post('/v1/keys', { name: 'limited', rpmLimit: 3 })
    const { body: alert } = await one.api.post('/v1/budgets', {
      name: `Another team ${limited.id}`,
      scope: { type: 'key', id: limited.id },
      amountUsd: 5,
    })
    return { alert, call: () => other.as(limited.key).post('/v1/chat/completions', echo) }
  }
  const comeBack = async () => {
    await redis.restart()
    await waitFor('Redis to be used again', async () => (await other.api.get('/v1/budgets')).status === 200)
    await waitFor('the probe to say so', async () => (await other.api.get('/readyz')).body.status === 'ready')
  }
  const { alert, call } = await limit()
  expect((await call()).status).toBe(200)

  await redis.kill()
  const refused = await call()
  expect(refused.status).toBe(503)
  expect(refused.body.error).toMatchObject({ type: 'unavailable', code: 503 })
  expect((await other.api.post('/v1/chat/completions', echo)).status).toBe(200)
  // Ready for what still works, and it says what does not.
  expect(await other.api.get('/readyz')).toMatchObject({
    status: 200,
    body: {
      status: 'degraded',
      checks: {
        database: { state: 'ready' },
        limits: {
          state: 'degraded',
          cause: 'redis_unreachable',
          message: expect.stringContaining(
            'Calls of keys with limits or budgets, and reading budgets, get 503',
          ),
        },
      },
    },
  })
  expect((await other.api.get('/v1/budgets')).status).toBe(503)
  expect((await other.api.post('/v1/keys', { name: 'Made without Redis' })).status).toBe(201)
  expect((await fetch(`${other.address}/metrics`)).status).toBe(200)

  await comeBack()
  await one.api.delete(`/v1/budgets/${alert.id}`)
  // What was counted before it went is counted still, though it lost everything.
  const statuses = await withinAMinute(async () => {
    const { call: ask } = await limit()
    const before = (await ask()).status
    await redis.kill()
    await comeBack()
    return [before, (await ask()).status, (await ask()).status, (await ask()).status]
  })
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('a call that ends while Redis is away is settled all the same: nothing stays reserved, and no dollar is missing', async () => {
  const { one, other, redis, database } = parts()
  const budget = { name: 'All', scope: { type: 'tenant' }, amountUsd: 5, period: 'monthly' }
  const { body } = await one.api.post('/v1/budgets', budget)
  const gate = makeGate()
  upstream.answerWith(async (request, response) => {
    await gate.passed
    answerChat(request, response)
  })
  const underWay = one.api.post('/v1/chat/completions', chatCall(true))
  const isOpen = async () => (await database.query('select from open_calls')).length === 1
  await waitFor('the call to be under way', isOpen)
  const { body: held } = await other.api.get(`/v1/budgets/${body.id}`)
  expect(held.reservedUsd).toBeGreaterThan(0)

  await redis.kill()
  gate.open()
  expect((await underWay).body).toContain('data: [DONE]')
  await redis.restart()
  const settled = await waitFor('the settlement', async () => {
    const { status, body: now } = await other.api.get(`/v1/budgets/${body.id}`)
    return status === 200 && now.reservedUsd === 0 && now
  })
  const { receipts } = await verifyRecord(database)
  const spent = receipts.reduce((sum, { costNanos }) => sum + costNanos, 0)
  expect(settled.spentUsd).toBe(spent / 1e9)
})
