import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEndpoint, makeViolations, waitForDelivery } from '../../harness/reporting/webhooks.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService
let api: Api

beforeAll(async () => {
  service = await startTestService()
  api = service.api
})
afterAll(() => service.stop())

const attention = async () => (await api.get('/v1/attention')).body
const call = (model: string, by = api) =>
  by.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })

test('where nothing is wrong, nothing needs a decision', async () => {
  await call('mock/echo')
  await api.post('/v1/budgets', { name: 'Plenty', amountUsd: 1_000 })
  expect(await attention()).toEqual({
    items: 0,
    record: null,
    budgetRequests: { pending: 0, oldestAt: null },
    limits: [],
    credentials: [],
    providers: [],
    tools: [],
    webhooks: [],
  })
})

test('requests that wait, limits at their end, providers that fail and webhooks that do not arrive are told', async () => {
  const { body: key } = await api.post('/v1/keys', { name: 'spender', userId: 'spender' })
  const { body: budget } = await api.post('/v1/budgets', {
    name: 'Small',
    amountUsd: 0.000001,
    scope: { type: 'user', id: 'spender' },
    action: 'alert',
  })
  await call('mock/echo', service.as(key.key))
  const { body: request } = await api.post('/v1/budgets/requests', {
    budgetId: budget.id,
    amountUsd: 1,
    reason: 'More',
  })
  for (const _ of [1, 2, 3]) await call('mock/fail')
  const { id } = await createEndpoint(api, { url: 'http://127.0.0.1:9/', name: 'gone', maxAttempts: 1 })
  const { violate } = await makeViolations(service)
  await violate()
  await waitForDelivery(api, id, 'dead')
  expect(await attention()).toEqual({
    items: 4,
    record: null,
    budgetRequests: { pending: 1, oldestAt: request.createdAt },
    limits: [
      {
        type: 'budget',
        id: budget.id,
        title: 'Budget "Small"',
        state: 'exhausted',
        spentUsd: expect.any(Number),
        limitUsd: 0.000001,
        thresholdPct: 80,
      },
    ],
    credentials: [],
    providers: [{ provider: 'mock', calls: 5, failed: 3, lastFailedAt: expect.any(String) }],
    tools: [],
    webhooks: [
      {
        id,
        name: 'gone',
        enabled: true,
        dead: 1,
        retrying: 0,
        lastError: expect.any(String),
        lastAttemptAt: expect.any(String),
      },
    ],
  })
})

test('a failed test of an endpoint and a provider with few failures need nobody', async () => {
  const other = await startTestService()
  try {
    const { id } = await createEndpoint(other.api, { url: 'http://127.0.0.1:9/' })
    await other.api.post(`/v1/webhook-endpoints/${id}/test`)
    for (const _ of [1, 2]) await call('mock/fail', other.api)
    expect((await other.api.get('/v1/attention')).body).toMatchObject({
      items: 0,
      webhooks: [],
      credentials: [],
      providers: [],
    })
  } finally {
    await other.stop()
  }
})

test('about tells the version, the state of what it stands on, and how long the record is', async () => {
  const { body } = await api.get('/v1/about')
  const { data } = (await api.get('/v1/compliance/receipts?limit=1')).body
  expect(body).toMatchObject({
    product: 'Tallystick',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    tenant: { name: 'default', isDemo: false },
    mode: 'trial',
    modeReason: null,
    database: { type: 'external', status: 'ok' },
    redis: { status: 'unused', message: null },
    record: { size: data[0].seq, firstKept: 1, lastEntryAt: expect.any(String) },
    features: { anchors: 'none', traces: false, providers: ['mock'] },
  })
})

test('every checkpoint is listed, newest first, with the key that signed it', async () => {
  const newest = (await api.get('/v1/compliance/checkpoint')).body
  const { body: first } = await api.get('/v1/compliance/checkpoints?limit=2')
  const { body: second } = await api.get(`/v1/compliance/checkpoints?limit=2&cursor=${first.nextCursor}`)
  expect(first.data[0].checkpoint).toBe(newest)
  const sizes = [...first.data, ...second.data].map(({ size }) => size)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(new Set(sizes).size).toBe(4)
  const { body: keys } = await api.get('/v1/compliance/signing-keys')
  expect(keys).toEqual([
    { id: first.data[0].keyId, createdAt: expect.any(String), retiredAt: null, isCurrent: true },
  ])
  const { body: proof } = await api.get(`/v1/compliance/consistency?from=${sizes[3]}&to=${sizes[0]}`)
  expect([proof.toRoot, proof.fromRoot]).toEqual([first.data[0].root, second.data[1].root])
})
