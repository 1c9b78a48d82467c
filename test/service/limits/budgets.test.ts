import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api
let tenantId: string

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
  const tenant = { id: service.tenantId }
  tenantId = tenant?.id ?? ''
})
afterAll(() => service.stop())

let names = 0
const nextName = () => `Budget ${++names}`

async function create(fields: object = {}) {
  const { status, body } = await api.post('/v1/budgets', {
    name: nextName(),
    amountUsd: 100,
    action: 'alert',
    ...fields,
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

const read = async (id: string) => (await api.get(`/v1/budgets/${id}`)).body

/** What the receipts of a tenant say, which is the truth. */
async function sumReceipts(field: 'key' | 'user' | 'team', id: string): Promise<number> {
  const [row] = await service.database.query<{ nanos: string }>(
    "select coalesce(sum((canonical::jsonb ->> 'costNanos')::bigint), 0) as nanos from receipts where canonical::jsonb ->> $1 = $2",
    [field, id],
  )
  return Number(row?.nanos) / 1e9
}

const call = (key: string, content = 'Count what this costs') =>
  service.as(key).post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content }] })

const addSpend = (type: string, id: string, day: Date, nanos: number) =>
  service.database.query('insert into folded_spend_days values ($1, $2, $3, $4, $5)', [
    tenantId,
    type,
    id,
    day.toISOString().slice(0, 10),
    nanos,
  ])

describe('the record', () => {
  test('a budget made with a name and an amount is the tenant’s, monthly, and blocks', async () => {
    const budget = await create({ name: 'Plain', amountUsd: 12.5, action: undefined })
    const now = new Date(budget.createdAt)
    const monthAt = (offset: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString()
    expect(budget).toEqual({
      id: expect.stringMatching(/^bud_[0-9a-z]{26}$/),
      name: 'Plain',
      scope: { type: 'tenant', id: tenantId },
      amountUsd: 12.5,
      grantedUsd: 0,
      period: 'monthly',
      thresholdPct: 80,
      action: 'block',
      spentUsd: 0,
      reservedUsd: 0,
      remainingUsd: 12.5,
      forecastUsd: null,
      periodStart: monthAt(0),
      periodEnd: monthAt(1),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await read(budget.id)).toEqual(budget)
    expect((await api.get('/v1/budgets?limit=1')).body.data).toEqual([budget])
  })

  test('a change moves only what it names', async () => {
    const budget = await create({ period: 'daily', thresholdPct: 1, action: 'alert' })
    const changed = await api.patch(`/v1/budgets/${budget.id}`, { thresholdPct: 100 })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...budget, thresholdPct: 100, updatedAt: expect.any(String) })
    expect(changed.body.updatedAt >= budget.updatedAt).toBe(true)
    expect(
      (
        await api.patch(`/v1/budgets/${budget.id}`, {
          name: 'Another',
          amountUsd: 0,
          period: 'total',
          action: 'alert',
        })
      ).body,
    ).toMatchObject({
      name: 'Another',
      amountUsd: 0,
      period: 'total',
      periodStart: '1970-01-01T00:00:00.000Z',
      periodEnd: null,
      remainingUsd: 0,
    })
  })

  test.each([0, 0.000001, 0.1, 0.3, 1.005, 123_456.789012, 8_999_999.999999, 9_000_000])(
    '%d USD comes back to the micro-dollar',
    async (amountUsd) => {
      expect((await create({ amountUsd })).amountUsd).toBe(amountUsd)
    },
  )

  test.each([0.0000001, 0.0000015, 1.0000001, 8_999_999.9999999])(
    '%d USD is finer than a micro-dollar and is refused',
    async (amountUsd) => {
      const { status, body } = await api.post('/v1/budgets', { name: nextName(), amountUsd })
      // Some of these numbers have no neighbour that is that fine: then they are the whole micro-dollar itself.
      if (Number(amountUsd.toFixed(6)) === amountUsd) return expect(status).toBe(201)
      expect({ status, details: body.error.details }).toEqual({
        status: 400,
        details: [{ path: 'amountUsd', message: 'has more than six decimal places' }],
      })
    },
  )
})

describe('the scope', () => {
  test('a team, user or key of the tenant may have one; what is not there is answered 404', async () => {
    const { body: team } = await api.post('/v1/team/teams', { name: 'Scoped', budgetPoolUsd: 1 })
    const { body: key } = await api.post('/v1/keys', { name: 'Scoped', userId: 'scoped' })
    for (const scope of [
      { type: 'team', id: team.id },
      { type: 'user', id: 'scoped' },
      { type: 'key', id: key.id },
      { type: 'tenant', id: tenantId },
    ]) {
      expect((await create({ scope })).scope).toEqual(scope)
    }
    for (const type of ['team', 'user', 'key', 'tenant']) {
      const refused = await api.post('/v1/budgets', {
        name: nextName(),
        amountUsd: 1,
        scope: { type, id: 'nobody' },
      })
      expect(refused.body.error).toMatchObject({ code: 404, type: 'not_found', message: `No such ${type}` })
    }
  })

  test('a scope other than the tenant needs an id', async () => {
    const refused = await api.post('/v1/budgets', { name: nextName(), amountUsd: 1, scope: { type: 'team' } })
    expect(refused.body.error).toMatchObject({ code: 400, details: [{ path: 'scope.id' }] })
  })

  test('a team and its budgets end together, also those that are made at the same moment', async () => {
    for (let round = 0; round < 12; round++) {
      const { body: team } = await api.post('/v1/team/teams', { name: `Ends ${round}`, budgetPoolUsd: 1 })
      const scope = { type: 'team', id: team.id }
      const old = await create({ scope })
      const [removed, ...made] = await Promise.all([
        api.delete(`/v1/team/teams/${team.id}?cascade=true`),
        ...Array.from({ length: 4 }, () =>
          api.post('/v1/budgets', { name: nextName(), amountUsd: 1, scope }),
        ),
      ])
      expect(removed.status).toBe(204)
      for (const { status } of made) expect([201, 404]).toContain(status)
      expect((await api.get(`/v1/budgets/${old.id}`)).status).toBe(404)
      expect(
        await service.database.query('select id from budgets where scope_id = $1 and deleted_at is null', [
          team.id,
        ]),
      ).toEqual([])
    }
  })
})

describe('names', () => {
  test('of many who make a budget of one name at once, one does', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/v1/budgets', { name: 'Wanted', amountUsd: 1 })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body.error).toEqual({
      type: 'conflict',
      code: 409,
      message: 'There is already a budget called Wanted',
    })
  })

  test('a budget cannot take the name of another, may keep its own, and frees it when it is deleted', async () => {
    const one = await create({ name: 'One' })
    const two = await create({ name: 'Two' })
    expect((await api.patch(`/v1/budgets/${two.id}`, { name: 'One' })).status).toBe(409)
    expect((await api.patch(`/v1/budgets/${two.id}`, { name: 'Two' })).status).toBe(200)
    expect((await api.delete(`/v1/budgets/${one.id}`)).status).toBe(204)
    expect((await api.patch(`/v1/budgets/${two.id}`, { name: 'One' })).status).toBe(200)
    await create({ name: 'Two' })
  })
})

test('a deleted budget is nowhere to be seen, and deleting it again is fine', async () => {
  const { id } = await create()
  for (const _ of [1, 2]) expect((await api.delete(`/v1/budgets/${id}`)).status).toBe(204)
  for (const answer of [
    await api.get(`/v1/budgets/${id}`),
    await api.patch(`/v1/budgets/${id}`, { amountUsd: 1 }),
  ]) {
    expect(answer.body.error).toEqual({ type: 'not_found', message: 'No such budget', code: 404 })
  }
  const { data } = (await api.get('/v1/budgets?limit=200')).body
  expect(data.map((budget: { id: string }) => budget.id)).not.toContain(id)
  expect((await api.delete('/v1/budgets/bud_never')).status).toBe(404)
})

describe('what was spent', () => {
  test('is the sum of the receipts of the scope, those from before the budget included', async () => {
    const { body: team } = await api.post('/v1/team/teams', { name: 'Spenders', budgetPoolUsd: 1_000 })
    await api.post('/v1/team/members', { userId: 'spender', teamId: team.id })
    const [one, other, alone] = await Promise.all(
      [{ userId: 'spender' }, { userId: 'spender' }, {}].map(
        async (fields) => (await api.post('/v1/keys', { name: 'Spends', ...fields })).body,
      ),
    )
    for (const { key } of [one, one, other, alone]) expect((await call(key)).status).toBe(200)
    const scoped = async (type: string, id: string) =>
      create({ amountUsd: 1, action: 'alert', scope: { type, id } })
    const budgets = {
      key: await scoped('key', one.id),
      user: await scoped('user', 'spender'),
      team: await scoped('team', team.id),
    }
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => call([one, other, alone][i % 3].key, 'x'.repeat(i))),
    )

    const spent = {
      key: await sumReceipts('key', one.id),
      user: await sumReceipts('user', 'spender'),
      team: await sumReceipts('team', team.id),
    }
    expect(spent.key).toBeGreaterThan(0)
    expect(spent.user).toBeGreaterThan(spent.key)
    for (const type of ['key', 'user', 'team'] as const) {
      expect(await read(budgets[type].id)).toMatchObject({
        spentUsd: spent[type],
        remainingUsd: 1 - spent[type],
      })
    }
  })

  test('counts in its own day, week and month, and for good in a total', async () => {
    const { body: key } = await api.post('/v1/keys', { name: 'Of old' })
    const scope = { type: 'key', id: key.id }
    const now = new Date()
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
    const monday = midnight - ((now.getUTCDay() + 6) % 7) * 86_400_000
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
    const starts = { daily: midnight, weekly: monday, monthly: first, total: 0 }
    // On the first moment of each period, and on the day before it.
    const days = new Set([midnight, monday, first].flatMap((start) => [start, start - 86_400_000]))
    for (const day of days) await addSpend('key', key.id, new Date(day), 1_000_000_000)
    for (const [period, start] of Object.entries(starts)) {
      const { spentUsd, periodStart } = await create({ period, scope, action: 'alert' })
      const due = [...days].filter((day) => day >= start).length
      expect({ period, spentUsd, periodStart }).toEqual({
        period,
        spentUsd: due,
        periodStart: new Date(start).toISOString(),
      })
    }
  })

  test('is forecast to the end of the period, by the days before', async () => {
    const { body: key } = await api.post('/v1/keys', { name: 'Steady' })
    const scope = { type: 'key', id: key.id }
    const now = Date.now()
    for (let ago = 1; ago <= 10; ago++)
      await addSpend('key', key.id, new Date(now - ago * 86_400_000), 2_000_000_000)
    const before = Date.now()
    const { forecastUsd, periodEnd } = await create({ period: 'weekly', scope, action: 'alert' })
    const after = Date.now()
    const { spentUsd } = await create({ period: 'weekly', scope, action: 'alert' })
    const daysLeft = (at: number) => (Date.parse(periodEnd) - at) / 86_400_000
    expect(forecastUsd).toBeGreaterThan(spentUsd + 2 * daysLeft(after) - 0.000001)
    expect(forecastUsd).toBeLessThanOrEqual(spentUsd + 2 * daysLeft(before))
    expect((await create({ period: 'total', scope, action: 'alert' })).forecastUsd).toBeNull()
  })

  test('never makes the remainder negative', async () => {
    const { body: key } = await api.post('/v1/keys', { name: 'Over' })
    await addSpend('key', key.id, new Date(), 5_000_000_000)
    const budget = await create({ amountUsd: 7, action: 'alert', scope: { type: 'key', id: key.id } })
    expect(budget).toMatchObject({ spentUsd: 5, remainingUsd: 2 })
    expect((await api.patch(`/v1/budgets/${budget.id}`, { amountUsd: 3 })).body).toMatchObject({
      spentUsd: 5,
      remainingUsd: 0,
    })
  })
})

test('any key reads budgets, a member changes none', async () => {
  const { id } = await create()
  const { body } = await api.post('/v1/keys', { name: 'Member' })
  const member = service.as(body.key)
  expect((await member.get(`/v1/budgets/${id}`)).status).toBe(200)
  expect((await member.get('/v1/budgets')).status).toBe(200)
  for (const { status } of [
    await member.post('/v1/budgets', { name: 'x', amountUsd: 1 }),
    await member.patch(`/v1/budgets/${id}`, { amountUsd: 9 }),
    await member.delete(`/v1/budgets/${id}`),
  ])
    expect(status).toBe(403)
})
