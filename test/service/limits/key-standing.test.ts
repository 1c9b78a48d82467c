import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
})
afterAll(() => service.stop())

const standing = async (id: string, by = api) => (await by.get(`/v1/keys/${id}/standing`)).body
const call = (key: string) =>
  service
    .as(key)
    .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })

test('a key stands where its calls left it, and asking takes nothing', async () => {
  const { body: key } = await api.post('/v1/keys', { name: 'limited', rpmLimit: 3, tpmLimit: 100_000 })
  expect(await standing(key.id)).toMatchObject({
    keyId: key.id,
    usable: true,
    requests: { limit: 3, used: 0, remaining: 3, resetMs: 0 },
    tokens: { limit: 100_000, used: 0, remaining: 100_000, resetMs: 0 },
    money: [],
  })
  const { body: answer } = await call(key.key)
  for (let time = 0; time < 5; time++) await standing(key.id)
  const after = await standing(key.id)
  expect(after.requests).toMatchObject({ used: 1, remaining: 2 })
  expect(after.tokens.used).toBe(answer.usage.total_tokens)
  await call(key.key)
  await call(key.key)
  expect((await standing(key.id)).requests).toMatchObject({ used: 3, remaining: 0 })
  expect((await call(key.key)).status).toBe(429)
})

test('money: every limit that a call of the key must fit into, the tightest first', async () => {
  const { body: team } = await api.post('/v1/team/teams', { name: 'Team', budgetPoolUsd: 30 })
  const { body: key } = await api.post('/v1/keys', { name: 'spends', userId: 'ada', teamId: team.id })
  await api.patch('/v1/user-limits/ada', { budgetCapUsd: 20 })
  const { body: budget } = await api.post('/v1/budgets', {
    name: 'of the key',
    amountUsd: 10,
    scope: { type: 'key', id: key.id },
  })
  await api.post('/v1/budgets', { name: 'tells only', amountUsd: 1, action: 'alert' })
  await api.post('/v1/budgets', { name: 'of others', amountUsd: 1, scope: { type: 'user', id: 'eve' } })
  await call(key.key)
  const { costUsd } = (await api.get(`/v1/calls?keyId=${key.id}`)).body.data[0]
  const { money, requests, tokens } = await standing(key.id)
  expect([requests, tokens]).toEqual([null, null])
  expect(money).toMatchObject([
    { type: 'budget', id: budget.id, name: 'of the key', limitUsd: 10, resetsAt: expect.any(String) },
    { type: 'cap', id: 'ada', limitUsd: 20 },
    { type: 'pool', id: team.id, limitUsd: 30 },
  ])
  for (const { limitUsd, spentUsd, reservedUsd, remainingUsd } of money) {
    expect([spentUsd, reservedUsd]).toEqual([costUsd, 0])
    expect(remainingUsd).toBeCloseTo(limitUsd - costUsd, 9)
  }
})

test('a member reads its own keys alone, and a key that may not be used says so', async () => {
  const { body: mine } = await api.post('/v1/keys', { name: 'mine', userId: 'bob', rpmLimit: 5 })
  const { body: other } = await api.post('/v1/keys', { name: 'other', userId: 'carl' })
  const bob = service.as(mine.key)
  expect((await standing(mine.id, bob)).requests.limit).toBe(5)
  expect((await bob.get(`/v1/keys/${other.id}/standing`)).status).toBe(404)
  await api.patch('/v1/user-limits/carl', { status: 'suspended' })
  expect((await standing(other.id)).usable).toBe(false)
  await api.delete(`/v1/keys/${mine.id}`)
  expect(await standing(mine.id)).toMatchObject({ usable: false, requests: { limit: 5 } })
})
