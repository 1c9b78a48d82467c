import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
/** The one manager key that the tenant has between tests. */
let last: { id: string; key: string }

beforeAll(async () => {
  service = await shareTestService()
  const { body } = await service.api.get('/v1/keys')
  last = { id: body.data[0].id, key: service.managerKey }
})
afterAll(() => service.stop())

const activeManagers = async () =>
  (await service.as(last.key).get('/v1/keys?status=active&limit=200')).body.data.filter(
    (key: { role: string }) => key.role === 'manager',
  )

test.each([
  ['revoking it', (id: string) => service.as(last.key).delete(`/v1/keys/${id}`)],
  ['demoting it', (id: string) => service.as(last.key).patch(`/v1/keys/${id}`, { role: 'member' })],
  [
    'letting it expire',
    (id: string) => service.as(last.key).patch(`/v1/keys/${id}`, { expiresAt: '2099-01-01T00:00:00Z' }),
  ],
  [
    'giving it to a plain member',
    (id: string) => service.as(last.key).patch(`/v1/keys/${id}`, { userId: 'plain' }),
  ],
])('the last manager key cannot be lost by %s', async (_, lose) => {
  const refused = await lose(last.id)
  expect(refused.body.error).toMatchObject({
    type: 'conflict',
    code: 409,
    message: expect.stringContaining('create another manager key first'),
  })
  expect((await service.as(last.key).get(`/v1/keys/${last.id}`)).body).toMatchObject({
    role: 'manager',
    status: 'active',
    expiresAt: null,
    userId: null,
  })

  // A key that will expire, or whose owner is no manager, is no replacement; one that lasts is.
  await service
    .as(last.key)
    .post('/v1/keys', { name: 'For now', role: 'manager', expiresAt: '2099-01-01T00:00:00Z' })
  await service.as(last.key).post('/v1/keys', { name: 'In name only', role: 'manager', userId: 'nobody' })
  expect((await lose(last.id)).status).toBe(409)
  const { body: next } = await service.as(last.key).post('/v1/keys', { name: 'Next', role: 'manager' })
  expect((await lose(last.id)).status).toBeLessThan(300)
  last = { id: next.id, key: next.key }
})

test('a refused change leaves nothing of itself behind', async () => {
  const refused = await service
    .as(last.key)
    .patch(`/v1/keys/${last.id}`, { userId: 'ghost', name: 'Changed', rpmLimit: 1 })
  expect(refused.status).toBe(409)
  expect((await service.as(last.key).get(`/v1/keys/${last.id}`)).body).toMatchObject({
    name: 'Next',
    rpmLimit: null,
  })
  expect(await service.database.query("select 1 from members where user_id = 'ghost'")).toEqual([])
})

test('of two managers who revoke each other at the same moment, exactly one wins', async () => {
  for (const { id } of (await activeManagers()).filter((key: { id: string }) => key.id !== last.id)) {
    await service.as(last.key).delete(`/v1/keys/${id}`)
  }
  for (let round = 0; round < 30; round++) {
    const { body: other } = await service
      .as(last.key)
      .post('/v1/keys', { name: `Round ${round}`, role: 'manager' })
    // Known to the replica, so that both requests get past authentication together.
    await service.as(other.key).get('/v1/keys')
    const [byLast, byOther] = await Promise.all([
      service.as(last.key).delete(`/v1/keys/${other.id}`),
      service.as(other.key).delete(`/v1/keys/${last.id}`),
    ])
    const statuses = [byLast.status, byOther.status].sort()
    expect(statuses[0]).toBe(204)
    // Too late for the lock, or so late that its own key is gone.
    expect([401, 409]).toContain(statuses[1])
    if (byOther.status === 204) last = { id: other.id, key: other.key }
    expect(await activeManagers()).toHaveLength(1)
  }
})
