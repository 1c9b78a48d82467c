import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { verifyRecord } from '../../harness/record/record.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let upstream: Upstream
let service: TestService

/** A provider that uses all it is allowed to: 6 tokens of input (fewer than are reserved), and the whole maximum of output. */
const useItAll: Parameters<typeof startUpstream>[0] = ({ body }, response) =>
  sendJson(response, 200, {
    model: 'm',
    choices: [{ message: { content: 'x' } }],
    usage: { prompt_tokens: 6, completion_tokens: body.max_completion_tokens ?? body.max_tokens ?? 1_000 },
  })

beforeAll(async () => {
  upstream = await startUpstream(useItAll)
  service = await startTestService({ env: { OPENAI_BASE_URL: `${upstream.url}/v1` } })
})
beforeEach(() => {
  upstream.answerWith(useItAll)
  upstream.seen.length = 0
})
afterAll(async () => {
  await service.stop()
  await upstream.close()
})

let names = 0
async function newKey(fields: object = {}): Promise<{ id: string; api: ReturnType<TestService['as']> }> {
  const { body } = await service.api.post('/v1/keys', { name: `k${++names}`, ...fields })
  return { id: body.id, api: service.as(body.key) }
}
const newBudget = async (fields: object) =>
  (await service.api.post('/v1/budgets', { name: `b${++names}`, ...fields })).body
const readBudget = async (id: string) => (await service.api.get(`/v1/budgets/${id}`)).body

// gpt-4o: 2.5 µ$ a token in, 10 µ$ out.
const call = (max_tokens?: number) => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens,
})
const sumOfReceipts = async (keyId: string) =>
  (await verifyRecord(service.database)).receipts
    .filter((entry) => entry.key === keyId)
    .reduce((sum, entry) => sum + entry.costNanos, 0)

describe('a hard budget', () => {
  test('is not passed by 50 calls at once, and its figures are those of the receipts', async () => {
    const key = await newKey()
    const budget = await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 0.01 })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => key.api.post('/v1/chat/completions', call(100))),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(5)
    expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true)
    const spent = await sumOfReceipts(key.id)
    expect(spent).toBeLessThanOrEqual(10_000_000)
    expect(await readBudget(budget.id)).toMatchObject({
      spentUsd: spent / 1e9,
      reservedUsd: 0,
      remainingUsd: (10_000_000 - spent) / 1e9,
    })
  })

  test('refuses with 402, its figures, and a receipt; nothing is forwarded', async () => {
    const key = await newKey()
    await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 0.0001, period: 'daily' })
    const answer = await key.api.post('/v1/chat/completions', call(100))
    expect(answer.status).toBe(402)
    const tomorrow = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString()
    expect(answer.body.error).toMatchObject({
      type: 'budget_exceeded',
      code: 402,
      limit_usd: 0.0001,
      spent_usd: 0,
      resets_at: tomorrow,
    })
    expect(upstream.seen).toHaveLength(0)
    const { receipts } = await verifyRecord(service.database)
    expect(receipts.at(-1)).toMatchObject({ key: key.id, outcome: 'blocked', status: 402, costNanos: 0 })
    expect(receipts.at(-1)?.checks).toContainEqual({
      name: 'budget',
      applicable: true,
      result: 'fail',
      action: 'block',
    })
  })

  test('lowers the forwarded maximum to what is left, in the field of the dialect', async () => {
    const key = await newKey()
    const budget = await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 0.002 })
    expect((await key.api.post('/v1/chat/completions', call())).status).toBe(200)
    const lowered = upstream.seen[0]?.body.max_completion_tokens
    expect(lowered).toBeGreaterThan(100)
    expect(lowered).toBeLessThan(200)
    expect(await sumOfReceipts(key.id)).toBeLessThanOrEqual(2_000_000)
    expect((await readBudget(budget.id)).spentUsd).toBeLessThanOrEqual(0.002)
  })

  test.each<[string, string, object, string, number, number]>([
    ['/v1/chat/completions', 'gpt-4', { messages: call().messages }, 'max_completion_tokens', 8_100, 8_192],
    [
      '/v1/chat/completions',
      'gpt-4o',
      { messages: call().messages },
      'max_completion_tokens',
      16_384,
      16_384,
    ],
    ['/v1/responses', 'gpt-5', { input: 'hi' }, 'max_output_tokens', 128_000, 128_000],
    // What OpenAI gives a completion without a maximum.
    ['/v1/completions', 'davinci-002', { prompt: 'hi' }, 'max_tokens', 16, 16],
  ])(
    'tells %s of %s the maximum that it reserved, since nobody else may',
    async (path, model, body, field, least, most) => {
      upstream.answerWith(({ body: forwarded }, response) => {
        const output = forwarded[field] ?? 1_000_000
        const usage = path.endsWith('responses')
          ? { input_tokens: 6, output_tokens: output }
          : { prompt_tokens: 6, completion_tokens: output }
        sendJson(response, 200, { model, choices: [], output: [], usage })
      })
      const unlimited = await newKey()
      await unlimited.api.post(path, { model, ...body })
      expect(upstream.seen.at(-1)?.body).toEqual({ model, ...body })

      const key = await newKey()
      await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 5 })
      expect((await key.api.post(path, { model, ...body })).status).toBe(200)
      const { [field]: maximum, ...rest } = upstream.seen.at(-1)?.body ?? {}
      expect(rest).toEqual({ model, ...body })
      expect(maximum).toBeGreaterThanOrEqual(least)
      expect(maximum).toBeLessThanOrEqual(most)
      expect(await sumOfReceipts(key.id)).toBeLessThanOrEqual(5_000_000_000)
    },
  )

  test('shows what calls under way hold, and lets it go when they end', async () => {
    const key = await newKey()
    const budget = await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 1 })
    let finish = () => {}
    upstream.answerWith((request, response) => {
      finish = () => void useItAll(request, response)
    })
    const answer = key.api.post('/v1/chat/completions', call(100))
    await waitFor('the call to be forwarded', () => upstream.seen.length === 1)
    expect((await readBudget(budget.id)).reservedUsd).toBeGreaterThan(0.001)
    finish()
    await answer
    expect(await readBudget(budget.id)).toMatchObject({
      reservedUsd: 0,
      spentUsd: (await sumOfReceipts(key.id)) / 1e9,
    })
  })

  test('gives back what a refused or failed call had reserved', async () => {
    const key = await newKey({ allowedModels: ['gpt-4o'] })
    const budget = await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 0.01 })
    expect((await key.api.post('/v1/chat/completions', { ...call(100), model: 'gpt-4o-mini' })).status).toBe(
      403,
    )
    upstream.answerWith((_, response) => sendJson(response, 500, { error: { message: 'no' } }))
    expect((await key.api.post('/v1/chat/completions', call(100))).status).toBe(500)
    expect(await readBudget(budget.id)).toMatchObject({ reservedUsd: 0, spentUsd: 0 })
  })

  test('counts what was spent before it was made', async () => {
    const key = await newKey()
    await key.api.post('/v1/chat/completions', call(100))
    const spent = await sumOfReceipts(key.id)
    expect(spent).toBe(1_015_000)
    const budget = await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 0.0015 })
    expect(budget).toMatchObject({ spentUsd: 0.001015, remainingUsd: 0.000485 })
    expect((await key.api.post('/v1/chat/completions', call(10))).status).toBe(200)
    expect((await key.api.post('/v1/chat/completions', call(1_000))).status).toBe(200)
    expect(await sumOfReceipts(key.id)).toBeLessThanOrEqual(1_500_000)
  })

  test('of action alert refuses nothing', async () => {
    const key = await newKey()
    await newBudget({ scope: { type: 'key', id: key.id }, amountUsd: 0, action: 'alert' })
    expect((await key.api.post('/v1/chat/completions', call(10))).status).toBe(200)
  })

  test('is raised for the current period by an approved request', async () => {
    const key = await newKey({ userId: 'asker' })
    const budget = await newBudget({ scope: { type: 'user', id: 'asker' }, amountUsd: 0 })
    expect((await key.api.post('/v1/chat/completions', call(10))).status).toBe(402)
    const request = await key.api.post('/v1/budgets/requests', {
      budgetId: budget.id,
      amountUsd: 2,
      reason: 'a demo',
    })
    await service.api.post(`/v1/budgets/requests/${request.body.id}/approve`, { amountUsd: 1, note: 'half' })
    expect((await key.api.post('/v1/chat/completions', call(10))).status).toBe(200)
    expect(await readBudget(budget.id)).toMatchObject({ amountUsd: 0, grantedUsd: 1 })
  })
})

test("a team's pool holds over all keys of the team, by key and by owner", async () => {
  const team = (await service.api.post('/v1/team/teams', { name: 'pool', budgetPoolUsd: 0.0012 })).body
  await service.api.post('/v1/team/members', { userId: 'in-team', teamId: team.id })
  const byKey = await newKey({ teamId: team.id })
  const byOwner = await newKey({ userId: 'in-team' })
  expect((await byKey.api.post('/v1/chat/completions', call(100))).status).toBe(200)
  const refused = await byOwner.api.post('/v1/chat/completions', call(100))
  expect(refused.status).toBe(402)
  expect(refused.body.error).toMatchObject({ limit_usd: 0.0012, spent_usd: 0.001015 })
  await service.api.patch(`/v1/team/teams/${team.id}`, { budgetPoolUsd: 1 })
  expect((await byOwner.api.post('/v1/chat/completions', call(100))).status).toBe(200)
})

describe('the limits of a user', () => {
  test('cap the spend over all keys of the user', async () => {
    const [one, two] = [await newKey({ userId: 'capped' }), await newKey({ userId: 'capped' })]
    await service.api.patch('/v1/user-limits/capped', { budgetCapUsd: 0.0012 })
    expect((await one.api.post('/v1/chat/completions', call(100))).status).toBe(200)
    expect((await two.api.post('/v1/chat/completions', call(100))).status).toBe(402)
    expect((await service.api.get('/v1/user-limits/capped')).body).toMatchObject({
      budgetCapUsd: 0.0012,
      spentUsd: 0.001015,
    })
  })

  test('allow only the models of both the key and the user', async () => {
    const key = await newKey({ userId: 'picky', allowedModels: ['gpt-*'] })
    await service.api.patch('/v1/user-limits/picky', { allowedModels: ['gpt-4o'] })
    expect((await key.api.post('/v1/chat/completions', call(10))).status).toBe(200)
    const refused = await key.api.post('/v1/chat/completions', { ...call(10), model: 'gpt-4o-mini' })
    expect(refused.body.error).toMatchObject({ type: 'model_not_allowed', code: 403 })
    const { data } = (await key.api.get('/v1/models')).body
    expect(data.map((model: { id: string }) => model.id)).toEqual(expect.arrayContaining(['gpt-4o']))
    expect(data.map((model: { id: string }) => model.id)).not.toContain('gpt-4o-mini')
  })
})
