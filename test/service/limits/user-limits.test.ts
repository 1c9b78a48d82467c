import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const limits = (userId: string) => `/v1/user-limits/${encodeURIComponent(userId)}`

async function makeKey(userId: string, fields: object = {}): Promise<Api> {
  const { status, body } = await api.post('/v1/keys', { name: 'A key', userId, ...fields })
  expect(status).toBe(201)
  return service.as(body.key)
}

const call = (by: Api, content = 'Hi') =>
  by.post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content }] })

test('a list of tools that can match none is refused: of users, keys and teams, new and changed', async () => {
  const { body: key } = await api.post('/v1/keys', { name: 'A key' })
  const { body: team } = await api.post('/v1/team/teams', { name: 'Tools', budgetPoolUsd: 10 })
  const allowedTools = ['files__*', 'everything/*']
  const answers = await Promise.all([
    api.patch(limits('somebody'), { allowedTools }),
    api.post('/v1/keys', { name: 'Another', allowedTools }),
    api.patch(`/v1/keys/${key.id}`, { allowedTools }),
    api.post('/v1/team/teams', { name: 'Others', budgetPoolUsd: 10, allowedTools }),
    api.patch(`/v1/team/teams/${team.id}`, { allowedTools }),
  ])
  for (const { status, body } of answers) {
    expect(status).toBe(400)
    expect(body.error.details).toEqual([
      { path: 'allowedTools.1', message: expect.stringContaining('Write for instance everything__*') },
    ])
  }
})

describe('the record', () => {
  test('a user without limits has none, and the month it is in', async () => {
    await api.post('/v1/team/members', { userId: 'free' })
    const now = new Date()
    const monthAt = (offset: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString()
    expect((await api.get(limits('free'))).body).toEqual({
      userId: 'free',
      allowedModels: null,
      allowedTools: null,
      budgetCapUsd: null,
      status: 'active',
      spentUsd: 0,
      periodStart: monthAt(0),
      periodEnd: monthAt(1),
      updatedAt: expect.any(String),
    })
  })

  test('every field is set in one call, and one that is left out stays as it is', async () => {
    const all = { allowedModels: ['mock/*', 'gpt-4o'], budgetCapUsd: 12.000001, status: 'suspended' }
    const set = await api.patch(limits('bounded'), all)
    expect({ status: set.status, body: set.body }).toMatchObject({
      status: 200,
      body: { userId: 'bounded', ...all },
    })
    expect((await api.patch(limits('bounded'), { status: 'active' })).body).toMatchObject({
      ...all,
      status: 'active',
    })
    expect((await api.patch(limits('bounded'), { budgetCapUsd: null })).body).toMatchObject({
      ...all,
      budgetCapUsd: null,
      status: 'active',
    })
    expect((await api.patch(limits('bounded'), { allowedModels: [] })).body.allowedModels).toEqual([])
    const last = (await api.patch(limits('bounded'), { allowedModels: null, budgetCapUsd: 0 })).body
    expect(last).toMatchObject({ allowedModels: null, budgetCapUsd: 0 })
    expect((await api.get(limits('bounded'))).body).toEqual(last)
    expect((await api.get('/v1/user-limits?limit=200')).body.data).toContainEqual(last)
  })

  test('naming a user that is new makes that member, once, however many do', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => api.patch(limits('newcomer'), { budgetCapUsd: i })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { data } = (await api.get('/v1/team/members?limit=200')).body
    expect(data.filter((member: { userId: string }) => member.userId === 'newcomer')).toEqual([
      {
        userId: 'newcomer',
        name: null,
        email: null,
        teamId: null,
        role: 'member',
        status: 'active',
        createdAt: expect.any(String),
      },
    ])
  })

  test('changes that come together all count', async () => {
    await api.patch(limits('busy'), { status: 'active' })
    await Promise.all([
      api.patch(limits('busy'), { budgetCapUsd: 5 }),
      api.patch(limits('busy'), { allowedModels: ['a'] }),
      api.patch(limits('busy'), { status: 'suspended' }),
    ])
    expect((await api.get(limits('busy'))).body).toMatchObject({
      budgetCapUsd: 5,
      allowedModels: ['a'],
      status: 'suspended',
    })
  })

  test('a user that was never named is answered 404, and reading makes nobody', async () => {
    for (const _ of [1, 2])
      expect((await api.get(limits('never'))).body.error).toEqual({
        type: 'not_found',
        message: 'No such user',
        code: 404,
      })
  })

  test.each(['line%0Abreak', '%E2%80%8B', `${'u'.repeat(129)}`])(
    'the user id %s is no user id',
    async (userId) => {
      expect((await api.patch(`/v1/user-limits/${userId}`, { status: 'active' })).status).toBe(400)
    },
  )

  test('a member may read limits and set none, not even its own', async () => {
    const member = await makeKey('curious')
    expect((await member.get(limits('curious'))).status).toBe(200)
    expect((await member.get('/v1/user-limits')).status).toBe(200)
    expect((await member.patch(limits('curious'), { budgetCapUsd: null })).status).toBe(403)
  })
})

describe('a suspended user', () => {
  test('is refused with every key, here and at the gateway, from the answer on, and let in again as quickly', async () => {
    await api.post('/v1/team/members', { userId: 'troubled', role: 'manager' })
    const keys = [await makeKey('troubled'), await makeKey('troubled', { role: 'manager' })]
    for (let round = 0; round < 3; round++) {
      for (const key of keys) expect((await key.get('/v1/keys')).status).toBe(200)
      await api.patch(limits('troubled'), { status: 'suspended' })
      for (const key of keys) {
        const answers = [
          await key.get('/v1/keys'),
          await key.get('/v1/audit-log'),
          await key.post('/v1/team/teams', {}),
          await key.get('/v1/models'),
          await call(key),
        ]
        for (const { body } of answers) {
          expect(body.error).toMatchObject({
            type: 'user_suspended',
            message: "The key's owner is suspended",
          })
        }
      }
      await api.patch(limits('troubled'), { status: 'active' })
    }
  })

  test('is shown as such among the members, and cannot lift it by itself', async () => {
    await api.post('/v1/team/members', { userId: 'locked', role: 'manager' })
    const own = await makeKey('locked', { role: 'manager' })
    expect((await own.patch(limits('locked'), { status: 'suspended' })).body.status).toBe('suspended')
    expect((await own.patch(limits('locked'), { status: 'active' })).body.error.type).toBe('user_suspended')
    const { data } = (await api.get('/v1/team/members?limit=200')).body
    expect(data.find((member: { userId: string }) => member.userId === 'locked').status).toBe('suspended')
  })
})

describe('what a user has spent', () => {
  test('is the sum over all keys of the user in this month, to the nano-dollar', async () => {
    const keys = await Promise.all([makeKey('spender'), makeKey('spender'), makeKey('bystander')])
    await Promise.all(
      Array.from({ length: 9 }, (_, i) => keys[i % 3] && call(keys[i % 3] as Api, 'word '.repeat(i * 10))),
    )
    for (const userId of ['spender', 'bystander']) {
      const [sum] = await service.database.query<{ nanos: string }>(
        "select sum((canonical::jsonb ->> 'costNanos')::bigint) as nanos from receipts where canonical::jsonb ->> 'user' = $1 and tenant_id = $2",
        [userId, service.tenantId],
      )
      const { spentUsd } = (await api.get(limits(userId))).body
      expect(spentUsd).toBe(Number(sum?.nanos) / 1e9)
      expect(spentUsd).toBeGreaterThan(0)
    }
  })

  test('begins anew with the month', async () => {
    await api.patch(limits('old hand'), { budgetCapUsd: 5 })
    const { periodStart } = (await api.get(limits('old hand'))).body
    await service.database.query(
      `insert into folded_spend_days select tenants.id, 'user', 'old hand', day, nanos from tenants,
       (values ($1::date - 1, 7000000000), ($1::date, 2000000000)) as spend (day, nanos) where tenants.id = $2`,
      [periodStart.slice(0, 10), service.tenantId],
    )
    expect((await api.get(limits('old hand'))).body.spentUsd).toBe(2)
    expect((await api.get('/v1/user-limits?limit=200')).body.data).toContainEqual(
      expect.objectContaining({ userId: 'old hand', spentUsd: 2 }),
    )
  })
})
