import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// A limit that is made, or becomes stricter, while calls run counts what these calls may still cost.

let gateway: TestGateway
let answerAll: () => void

beforeAll(async () => {
  gateway = await startTestGateway({
    models: {
      // A cent for each call: 1,000 output tokens at 10 USD per million.
      cent: {
        provider: 'openai',
        model: 'cent',
        maxOutputTokens: 1_000,
        price: { inputUsdPerMTok: 0.000001, outputUsdPerMTok: 10 },
      },
    },
  })
})
afterAll(() => gateway.stop())

beforeEach(() => {
  const waiting: (() => void)[] = []
  gateway.upstream.seen.length = 0
  gateway.upstream.answerWith((_, response) => {
    waiting.push(() => {
      const usage = { prompt_tokens: 8, completion_tokens: 1_000, total_tokens: 1_008 }
      sendJson(response, 200, { ...chatAnswer({ content: 'x' }), usage })
    })
  })
  answerAll = () => {
    for (const answer of waiting.splice(0)) answer()
  }
})

async function newKey(): Promise<{ id: string; key: string }> {
  return (await gateway.service.api.post('/v1/keys', { name: 'runner' })).body
}

const call = (key: string) =>
  gateway.send(
    '/v1/chat/completions',
    { model: 'cent', max_tokens: 1_000, messages: [{ role: 'user', content: 'hi' }] },
    { key },
  )

const manage = () => gateway.service.api
const budgetFor = (id: string, fields: Record<string, unknown>) =>
  manage().post('/v1/budgets', { name: `For ${id}`, scope: { type: 'key', id }, ...fields })

/** Starts calls and waits until the provider has them all. */
async function startCalls(key: string, count: number): Promise<Promise<Response>[]> {
  const before = gateway.upstream.seen.length
  const calls = Array.from({ length: count }, () => call(key))
  await waitFor('the calls at the provider', () => gateway.upstream.seen.length === before + count)
  return calls
}

describe('a budget', () => {
  test('that is made while calls run without one counts them', async () => {
    const { id, key } = await newKey()
    const running = await startCalls(key, 2)
    const { body: budget } = await budgetFor(id, { amountUsd: 0.0301 })
    expect(budget.reservedUsd).toBeCloseTo(0.02, 4)
    // One more cent fits.
    const [third] = await startCalls(key, 1)
    expect((await call(key)).status).toBe(402)
    answerAll()
    for (const each of [...running, third]) expect((await each)?.status).toBe(200)
    const { body: after } = await manage().get(`/v1/budgets/${budget.id}`)
    expect(after).toMatchObject({ reservedUsd: 0 })
    expect(after.spentUsd).toBeLessThanOrEqual(0.0301)
    expect((await call(key)).status).toBe(402)
  })

  test('whose period changes while calls run still counts them', async () => {
    const { id, key } = await newKey()
    const { body: budget } = await budgetFor(id, { amountUsd: 0.0301, period: 'monthly' })
    const running = await startCalls(key, 3)
    for (const period of ['daily', 'total', 'weekly']) {
      const { body } = await manage().patch(`/v1/budgets/${budget.id}`, { period })
      expect(body.reservedUsd).toBeCloseTo(0.03, 4)
      expect((await call(key)).status).toBe(402)
    }
    answerAll()
    for (const each of running) expect((await each).status).toBe(200)
    const { body: after } = await manage().get(`/v1/budgets/${budget.id}`)
    expect(after.spentUsd).toBeLessThanOrEqual(0.0301)
    expect((await call(key)).status).toBe(402)
  })

  test('that begins to block while calls run counts them', async () => {
    const { id, key } = await newKey()
    const { body: budget } = await budgetFor(id, { amountUsd: 0.0201, action: 'alert' })
    const running = await startCalls(key, 2)
    await manage().patch(`/v1/budgets/${budget.id}`, { action: 'block' })
    expect((await call(key)).status).toBe(402)
    answerAll()
    await Promise.all(running)
  })
})

describe('a cap or a pool', () => {
  test('of a user counts the calls that run when it is set', async () => {
    const { body: made } = await manage().post('/v1/keys', { name: 'capped', userId: 'uma' })
    const running = await startCalls(made.key, 2)
    expect((await manage().patch('/v1/user-limits/uma', { budgetCapUsd: 0.0201 })).status).toBe(200)
    expect((await call(made.key)).status).toBe(402)
    answerAll()
    await Promise.all(running)
  })

  test('of a team counts the calls that run when it is lowered', async () => {
    const { body: team } = await manage().post('/v1/team/teams', { name: 'Runners', budgetPoolUsd: 100 })
    const { body: made } = await manage().post('/v1/keys', { name: 'pooled', teamId: team.id })
    const running = await startCalls(made.key, 2)
    await manage().patch(`/v1/team/teams/${team.id}`, { budgetPoolUsd: 0.0201 })
    expect((await call(made.key)).status).toBe(402)
    answerAll()
    await Promise.all(running)
  })
})

describe('a grant', () => {
  test('that would take a budget past what can be counted exactly is refused, and calls go on', async () => {
    const { id, key } = await newKey()
    const { body: budget } = await budgetFor(id, { amountUsd: 1 })
    const statuses: number[] = []
    for (let grant = 0; grant < 3; grant++) {
      const { body: request } = await manage().post('/v1/budgets/requests', {
        budgetId: budget.id,
        amountUsd: 9_000_000 - 2,
        reason: 'more',
      })
      statuses.push((await manage().post(`/v1/budgets/requests/${request.id}/approve`, {})).status)
    }
    expect(statuses).toEqual([200, 409, 409])
    expect((await manage().patch(`/v1/budgets/${budget.id}`, { amountUsd: 3 })).status).toBe(409)
    const { body: refused } = await manage().post('/v1/budgets/requests', {
      budgetId: budget.id,
      amountUsd: 1e9,
      reason: 'more',
    })
    expect(refused.error).toMatchObject({ type: 'invalid_request' })
    const [running] = await startCalls(key, 1)
    answerAll()
    expect((await running)?.status).toBe(200)
  })
})
