import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api, ApiAnswer } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addManagerKey, addTenant } from '../../harness/service/tenant.js'

let service: TestService

beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

interface Manager {
  keyId: string
  userId: string
  api: Api
}

/** Every way in which a manager key can be lost. */
const losses: Record<string, (by: Api, of: Manager) => Promise<ApiAnswer>> = {
  'revoking the key': (by, { keyId }) => by.delete(`/v1/keys/${keyId}`),
  'letting it expire': (by, { keyId }) =>
    by.patch(`/v1/keys/${keyId}`, { expiresAt: '2099-01-01T00:00:00Z' }),
  'demoting it': (by, { keyId }) => by.patch(`/v1/keys/${keyId}`, { role: 'member' }),
  'giving it to a plain member': (by, { keyId }) => by.patch(`/v1/keys/${keyId}`, { userId: 'plain' }),
  'demoting its owner': (by, { userId }) => by.patch(`/v1/team/members/${userId}/role`, { role: 'member' }),
  'removing its owner': (by, { userId }) => by.delete(`/v1/team/members/${userId}?cascade=true`),
  'suspending its owner': (by, { userId }) => by.patch(`/v1/user-limits/${userId}`, { status: 'suspended' }),
}
const ways = Object.keys(losses)

const lose = (way: string, by: Api, of: Manager) => losses[way]?.(by, of) ?? Promise.reject(new Error(way))

let tenants = 0

/** A tenant whose only manager keys are those of these users. */
async function makeManagers(...userIds: string[]): Promise<Manager[]> {
  const { id, managerKeyId } = await addTenant(service, `tenant-${++tenants}`)
  const managers: Manager[] = []
  for (const userId of userIds) {
    await service.database.query(
      "insert into members (tenant_id, user_id, role) values ($1, $2, 'manager')",
      [id, userId],
    )
    const { keyId, value } = await addManagerKey(service, id, userId)
    managers.push({ keyId, userId, api: service.as(value) })
  }
  await service.database.query('delete from keys where id = $1', [managerKeyId])
  // Known to the replica, so that requests sent together get past authentication together.
  await Promise.all(
    managers.map(async ({ api }) => expect((await api.get('/v1/audit-log')).status).toBe(200)),
  )
  return managers
}

/** A manager still, and for good. */
async function lasts({ api, keyId }: Manager): Promise<boolean> {
  if ((await api.get('/v1/audit-log')).status !== 200) return false
  return (await api.get(`/v1/keys/${keyId}`)).body.expiresAt === null
}

describe.each(ways)('the last manager key cannot be lost by %s', (way) => {
  test('it is refused and nothing has changed; with another manager key it is done', async () => {
    const [last] = await makeManagers('last')
    if (!last) throw new Error('no manager')
    const before = (await last.api.get(`/v1/keys/${last.keyId}`)).body
    const refused = await lose(way, last.api, last)
    expect(refused.body.error).toMatchObject({
      type: 'conflict',
      code: 409,
      message: expect.stringContaining('create another manager key first'),
    })
    expect((await last.api.get(`/v1/keys/${last.keyId}`)).body).toEqual({
      ...before,
      lastUsedAt: expect.toBeOneOf([null, expect.any(String)]),
    })
    expect(await lasts(last)).toBe(true)

    // Neither of these would be there for good.
    await last.api.post('/v1/keys', { name: 'For now', role: 'manager', expiresAt: '2099-01-01T00:00:00Z' })
    await last.api.post('/v1/keys', { name: 'In name only', role: 'manager', userId: 'plain' })
    expect((await lose(way, last.api, last)).status).toBe(409)

    const { body: next } = await last.api.post('/v1/keys', { name: 'Next', role: 'manager' })
    expect((await lose(way, service.as(next.key), last)).status).toBeLessThan(300)
    expect(await lasts(last)).toBe(false)
    expect((await service.as(next.key).get('/v1/audit-log')).status).toBe(200)
  })
})

const pairs = ways.flatMap((one, i) => ways.slice(i).map((other) => [one, other] as const))

test.each(pairs)(
  'two managers who lose each other’s key at the same moment, by %s and by %s, leave one of them',
  async (one, other) => {
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        const [left, right] = await makeManagers('left', 'right')
        if (!left || !right) throw new Error('no managers')
        const answers = await Promise.all([lose(one, left.api, right), lose(other, right.api, left)])
        // Too late for the lock, or so late that its own rights are gone.
        for (const { status } of answers) expect([200, 204, 401, 403, 409]).toContain(status)
        expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
        expect([await lasts(left), await lasts(right)].filter(Boolean)).toHaveLength(1)
      }),
    )
  },
)

test('two managers who each give up their own key at the same moment leave one of them', async () => {
  for (const way of ways) {
    const [left, right] = await makeManagers('left', 'right')
    if (!left || !right) throw new Error('no managers')
    const answers = await Promise.all([lose(way, left.api, left), lose(way, right.api, right)])
    expect(answers.map(({ status }) => status).toSorted()[1]).toBe(409)
    expect([await lasts(left), await lasts(right)].filter(Boolean)).toHaveLength(1)
  }
})
