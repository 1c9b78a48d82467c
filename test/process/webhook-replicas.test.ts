import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { hasRedis } from '../harness/processes/redis.js'
import { type Replicas, startReplicas } from '../harness/processes/replicas.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { createEndpoint, makeViolations } from '../harness/reporting/webhooks.js'
import { aSecondMs, waitFor } from '../harness/run/wait.js'

const test = anyTest.skipIf(!hasRedis)

let replicas: Replicas
let receiver: Upstream

beforeAll(async () => {
  if (hasRedis) replicas = await startReplicas({}, {}, {})
  receiver = await startUpstream((_, response) => void response.end())
})
afterAll(async () => {
  await replicas?.stop()
  await receiver.close()
})

const nothingOpen = () =>
  waitFor('every delivery to be finished', async () => {
    const open = await replicas.database.query(
      "select 1 from webhook_deliveries where status in ('pending', 'retrying')",
    )
    return open.length === 0
  })

test('a budget that stays over its threshold through 1,000 calls on 3 replicas alerts once', async () => {
  const [first] = replicas.services
  if (!first) throw new Error('no replica')
  const { api } = first
  await createEndpoint(api, { url: receiver.url, events: ['budget.threshold_reached', 'policy.violation'] })
  const team = (await api.post('/v1/team/teams', { name: 'A team', budgetPoolUsd: 1_000 })).body.id
  const budget = await api.post('/v1/budgets', { name: 'All', amountUsd: 0.000_05, action: 'alert' })
  expect(budget.status).toBe(201)
  const { key } = (await api.post('/v1/keys', { name: 'Busy', teamId: team })).body
  const callers = replicas.services.flatMap((service) => Array.from({ length: 8 }, () => service.as(key)))
  let calls = 0
  let answered = 0
  await Promise.all(
    callers.map(async (caller) => {
      while (calls++ < 1_000) {
        const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Count this.' }] }
        const { status } = await caller.post('/v1/chat/completions', call)
        if (status === 200) answered++
      }
    }),
  )
  expect(answered).toBe(1_000)
  await waitFor('the alert', () => receiver.seen.length > 0)
  await nothingOpen()
  expect(receiver.seen.map(({ body }) => [body.event, body.data.budget_usd])).toEqual([
    ['budget.threshold_reached', 0.00005],
  ])
  const occurrences = await replicas.database.query<{ key: string }>('select key from webhook_occurrences')
  expect(occurrences).toEqual([{ key: expect.stringMatching(`^budget:${budget.body.id}:monthly:`) }])
})

test('what happens on every replica at once is delivered once, by one of them', async () => {
  receiver.seen.length = 0
  const violations = await Promise.all(
    replicas.services.map(async (service) => (await makeViolations(service)).violate),
  )
  await Promise.all(violations.flatMap((violate) => Array.from({ length: 50 }, violate)))
  await nothingOpen()
  const ids = receiver.seen.map(({ body }) => body.id)
  expect(new Set(ids).size).toBe(150)
  // Once each, unless an attempt found no answer in time.
  const made = await replicas.database.query<{ id: string; attempts: number }>(
    'select id, attempts from webhook_deliveries where id = any($1)',
    [ids],
  )
  expect(ids).toHaveLength(made.reduce((sum, { attempts }) => sum + attempts, 0))
})

test('an endpoint made, disabled or deleted on one replica is known to the others within a second', async () => {
  const [one, other] = replicas.services
  if (!one || !other) throw new Error('no replicas')
  const { violate } = await makeViolations(other)
  const path = `${receiver.url}/late`
  const { id } = await createEndpoint(one.api, { url: path })
  const heard = () => receiver.seen.filter(({ path }) => path === '/late').length
  const violateUntil = async (what: string, look: () => boolean | Promise<boolean>) =>
    waitFor(
      what,
      async () => {
        await violate()
        return look()
      },
      aSecondMs,
    )
  await violateUntil('the first delivery', () => heard() > 0)
  for (const change of [
    () => one.api.patch(`/v1/webhook-endpoints/${id}`, { enabled: false }),
    () => one.api.delete(`/v1/webhook-endpoints/${id}`),
  ]) {
    await change()
    await nothingOpen()
    const before = heard()
    await violate()
    await nothingOpen()
    expect(heard()).toBe(before)
    await one.api.patch(`/v1/webhook-endpoints/${id}`, { enabled: true })
  }
})
