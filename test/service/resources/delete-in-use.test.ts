import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api
let made = 0

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
})
afterAll(() => service.stop())

type Subject = { type: 'team' | 'user'; id: string; path: string }

async function makeTeam(): Promise<Subject> {
  const { id } = (await api.post('/v1/team/teams', { name: `Team ${++made}`, budgetPoolUsd: 5 })).body
  return { type: 'team', id, path: `/v1/team/teams/${id}` }
}

async function makeUser(): Promise<Subject> {
  const id = `user ${++made}`
  await api.post('/v1/team/members', { userId: id })
  return { type: 'user', id, path: `/v1/team/members/${encodeURIComponent(id)}` }
}

const makeKey = async ({ type, id }: Subject) =>
  (await api.post('/v1/keys', { name: `Key ${++made}`, [type === 'team' ? 'teamId' : 'userId']: id })).body
const makeBudget = async ({ type, id }: Subject) =>
  (await api.post('/v1/budgets', { name: `Budget ${++made}`, amountUsd: 1, scope: { type, id } })).body
const makePolicy = async ({ type, id }: Subject) =>
  (await api.post('/v1/policies', { name: `Policy ${++made}`, kind: 'secrets', scope: { type, id } })).body
const makeMember = async ({ id }: Subject) => {
  const { body } = await api.post('/v1/team/members', { userId: `joined ${++made}`, teamId: id })
  return { id: body.userId, name: body.userId }
}

const newestEntries = async (limit: number) =>
  (await api.get(`/v1/audit-log?limit=${limit}`)).body.data.toReversed()

const cases = [
  { kind: 'key', what: 'team', make: makeTeam, add: makeKey, action: 'key.update' },
  { kind: 'member', what: 'team', make: makeTeam, add: makeMember, action: 'member.update' },
  { kind: 'budget', what: 'team', make: makeTeam, add: makeBudget, action: 'budget.delete' },
  { kind: 'policy', what: 'team', make: makeTeam, add: makePolicy, action: 'policy.delete' },
  { kind: 'key', what: 'user', make: makeUser, add: makeKey, action: 'key.revoke' },
  { kind: 'budget', what: 'user', make: makeUser, add: makeBudget, action: 'budget.delete' },
  { kind: 'policy', what: 'user', make: makeUser, add: makePolicy, action: 'policy.delete' },
]

describe.each(cases)('a $what that has a $kind', ({ kind, make, add, action }) => {
  test('is not deleted, and the refusal lists it; with cascade, the audit log says what became of it', async () => {
    const subject = await make()
    const dependent = await add(subject)
    const [last] = await newestEntries(1)
    const refused = await api.delete(subject.path)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({
      type: 'conflict',
      dependents: [{ type: kind, id: dependent.id, name: dependent.name }],
      dependents_total: 1,
    })
    expect(refused.body.error.message).toContain(dependent.id)
    expect(refused.body.error.message).toContain('?cascade=true')
    expect(await newestEntries(1)).toEqual([last])

    expect((await api.delete(`${subject.path}?cascade=true`)).status).toBe(204)
    const [before, released, deleted] = await newestEntries(3)
    expect(before).toEqual(last)
    expect(released).toMatchObject({
      action,
      subject: { id: dependent.id },
      before: expect.any(Object),
    })
    expect(deleted.action).toBe(subject.type === 'team' ? 'team.delete' : 'member.delete')
    for (const again of ['', '?cascade=true'])
      expect((await api.delete(subject.path + again)).status).toBe(204)
    expect(await newestEntries(1)).toEqual([deleted])
  })
})

test('what does not lean on it any more is no reason to keep it', async () => {
  const team = await makeTeam()
  const key = await makeKey(team)
  await api.delete(`/v1/keys/${key.id}`)
  const budget = await makeBudget(team)
  await api.delete(`/v1/budgets/${budget.id}`)
  expect((await api.delete(team.path)).status).toBe(204)
  expect((await api.get(`/v1/keys/${key.id}`)).body).toMatchObject({ status: 'revoked', teamId: team.id })
})

test('a long list is cut, and says how long it is', async () => {
  const team = await makeTeam()
  for (let i = 0; i < 60; i++) await makeKey(team)
  const { error } = (await api.delete(team.path)).body
  expect(error.dependents).toHaveLength(50)
  expect(error.dependents_total).toBe(60)
  expect(error.message).toContain('55 more')
  expect((await api.delete(`${team.path}?cascade=true`)).status).toBe(204)
})

test('the limits of a removed user are in the audit log', async () => {
  const user = await makeUser()
  await api.patch(`/v1/user-limits/${encodeURIComponent(user.id)}`, { budgetCapUsd: 7, allowedModels: ['x'] })
  await api.delete(user.path)
  const [entry] = await newestEntries(1)
  expect(entry).toMatchObject({ action: 'member.delete', before: { budgetCapUsd: 7, allowedModels: ['x'] } })
})

test('a cascade never takes the last manager key', async () => {
  const userId = 'the last manager'
  await api.post('/v1/team/members', { userId, role: 'manager' })
  const { id, key } = (await api.post('/v1/keys', { name: 'Last', role: 'manager', userId })).body
  const own = service.as(key)
  const managers = (await api.get('/v1/keys?limit=200')).body.data.filter(
    (each: { role: string; id: string }) => each.role === 'manager' && each.id !== id,
  )
  expect(managers).toHaveLength(1)
  expect((await own.patch(`/v1/keys/${managers[0].id}`, { role: 'auditor' })).status).toBe(200)
  const refused = await own.delete(`/v1/team/members/${encodeURIComponent(userId)}?cascade=true`)
  expect(refused.status).toBe(409)
  expect((await own.patch(`/v1/keys/${managers[0].id}`, { role: 'manager' })).status).toBe(200)
  expect((await api.delete(`/v1/team/members/${encodeURIComponent(userId)}?cascade=true`)).status).toBe(204)
  expect((await own.get('/v1/keys')).status).toBe(401)
})

test.each([
  { what: 'team', make: makeTeam },
  { what: 'user', make: makeUser },
])('nothing is scoped to a $what that is being deleted without a trace', async ({ make }) => {
  for (let round = 0; round < 15; round++) {
    const subject = await make()
    const query = round % 2 === 0 ? '?cascade=true' : ''
    const policy = round % 3 === 0 ? await makePolicy(subject) : null
    const { type, id } = subject
    const scope = { type, id }
    const answers = await Promise.all([
      api.post('/v1/budgets', { name: `Race ${++made}`, amountUsd: 1, scope }),
      api.post('/v1/policies', { name: `Race ${++made}`, kind: 'secrets', scope }),
      api.delete(subject.path + query),
      ...(policy ? [api.patch(`/v1/policies/${policy.id}`, { scope, enabled: false })] : []),
      api.post('/v1/budgets', { name: `Race ${++made}`, amountUsd: 1, scope }),
      api.delete(subject.path + query),
    ])
    for (const { status } of answers) expect([200, 201, 204, 404, 409]).toContain(status)
    const orphans = await service.database.query(
      `select id from (select id, tenant_id, scope_type, scope_id, deleted_at from budgets
         union all select id, tenant_id, scope_type, scope_id, deleted_at from policies) as scoped
       where scope_id = $1 and deleted_at is null
         and not exists (select from teams where id = scope_id and teams.deleted_at is null)
         and not exists (select from members where user_id = scope_id and removed_at is null)`,
      [id],
    )
    expect(orphans).toEqual([])
  }
})

describe('a prompt', () => {
  const makePrompt = async () =>
    (await api.post('/v1/prompts', { name: `Prompt ${++made}`, content: 'Hello' })).body

  test('that has labels is in use; with cascade, each label has its entry', async () => {
    const { id } = await makePrompt()
    const { data } = (await api.get(`/v1/prompts/${id}/versions`)).body
    for (const label of ['production', 'staging'])
      await api.post('/v1/prompts/labels', { promptId: id, label, versionId: data[0].id })
    const refused = await api.delete(`/v1/prompts/${id}`)
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: {
          dependents: [
            { type: 'label', id: 'production', name: 'production' },
            { type: 'label', id: 'staging', name: 'staging' },
          ],
        },
      },
    })
    expect((await api.get(`/v1/prompts/${id}`)).status).toBe(200)
    expect((await api.delete(`/v1/prompts/${id}?cascade=true`)).status).toBe(204)
    const actions = (await newestEntries(3)).map(({ action }: { action: string }) => action)
    expect(actions).toEqual(['prompt.delete_label', 'prompt.delete_label', 'prompt.delete'])
    expect((await api.delete(`/v1/prompts/${id}`)).status).toBe(204)
  })

  test('without labels is deleted', async () => {
    const { id } = await makePrompt()
    expect((await api.delete(`/v1/prompts/${id}`)).status).toBe(204)
  })
})
