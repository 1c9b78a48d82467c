import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

// Lists that people search: what a filter leaves, and that a member finds only what is its own.

let service: TestService
let api: Api

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
})
afterAll(() => service.stop())

const list = async (path: string, by = api): Promise<Record<string, string>[]> =>
  (await by.get(path)).body.data

const names = async (path: string, by = api) => (await list(path, by)).map(({ name }) => name).sort()

test('keys are found by a part of their name in any case, by owner, team and end of their value', async () => {
  const { body: team } = await api.post('/v1/team/teams', { name: 'Search', budgetPoolUsd: 5 })
  // With what no id and no value of a key has in it: these are searched as well.
  const userId = 'ada.l'
  const { body: nightly } = await api.post('/v1/keys', { name: 'Nightly_job 100%', userId })
  await api.post('/v1/keys', { name: 'nightly report', teamId: team.id })
  await api.post('/v1/keys', { name: 'daily' })
  expect(await names('/v1/keys?q=NIGHTLY')).toEqual(['Nightly_job 100%', 'nightly report'])
  expect(await names('/v1/keys?q=y_job%20100%25')).toEqual(['Nightly_job 100%'])
  expect(await names('/v1/keys?q=%25')).toEqual(['Nightly_job 100%'])
  expect(await names('/v1/keys?q=da.')).toEqual(['Nightly_job 100%'])
  expect(await names(`/v1/keys?q=${nightly.id}`)).toEqual(['Nightly_job 100%'])
  expect(await names(`/v1/keys?userId=${userId}`)).toEqual(['Nightly_job 100%'])
  expect(await names(`/v1/keys?teamId=${team.id}`)).toEqual(['nightly report'])
  expect(await names('/v1/keys?q=nightly', service.as(nightly.key))).toEqual(['Nightly_job 100%'])
  expect(await names(`/v1/keys?userId=${userId}&q=report`)).toEqual([])
})

test('a page of found keys goes on with what was found, and its cursor is good for no other search', async () => {
  for (const number of [1, 2, 3]) await api.post('/v1/keys', { name: `paged ${number}` })
  const { body: first } = await api.get('/v1/keys?q=paged&limit=2')
  expect(first.data.map(({ name }: { name: string }) => name)).toEqual(['paged 3', 'paged 2'])
  const { body: second } = await api.get(`/v1/keys?q=paged&limit=2&cursor=${first.nextCursor}`)
  expect(second.data.map(({ name }: { name: string }) => name)).toEqual(['paged 1'])
  expect((await api.get(`/v1/keys?q=page&cursor=${first.nextCursor}`)).status).toBe(400)
})

test('members and their limits are found by id, name, address, team, role and status', async () => {
  const { body: team } = await api.post('/v1/team/teams', { name: 'Engines', budgetPoolUsd: 5 })
  await api.post('/v1/team/members', { userId: 'u-7', name: 'Grace Hopper', email: 'grace@navy.example' })
  await api.post('/v1/team/members', { userId: 'u-8', name: 'Alan', teamId: team.id, role: 'auditor' })
  await api.patch('/v1/user-limits/u-8', { status: 'suspended' })
  const ids = async (query: string) => {
    const members = (await list(`/v1/team/members?${query}`)).map(({ userId }) => userId)
    expect((await list(`/v1/user-limits?${query}`)).map(({ userId }) => userId)).toEqual(members)
    return members
  }
  expect(await ids('q=HOPPER')).toEqual(['u-7'])
  expect(await ids('q=navy')).toEqual(['u-7'])
  expect(await ids('q=u-8')).toEqual(['u-8'])
  expect(await ids(`teamId=${team.id}`)).toEqual(['u-8'])
  expect(await ids('role=auditor')).toEqual(['u-8'])
  expect(await ids('status=suspended')).toEqual(['u-8'])
  expect(await ids('q=u-8&status=active')).toEqual([])
})

test('budget requests are listed by who filed them and for which budget, with who decided and when', async () => {
  const [a, b] = await Promise.all(
    ['A', 'B'].map((name) => api.post('/v1/budgets', { name, amountUsd: 5 }).then(({ body }) => body.id)),
  )
  const { body: key } = await api.post('/v1/keys', { name: 'of eve', userId: 'eve' })
  const eve = service.as(key.key)
  const file = async (by: Api, budgetId: string) =>
    (await by.post('/v1/budgets/requests', { budgetId, amountUsd: 1, reason: 'More' })).body.id
  const [first, second, other] = [await file(eve, a), await file(eve, b), await file(api, a)]
  await api.post(`/v1/budgets/requests/${first}/deny`)
  const ids = async (query: string, by = api) =>
    (await list(`/v1/budgets/requests?${query}`, by)).map(({ id }) => id)
  expect(await ids('userId=eve')).toEqual([second, first])
  expect(await ids(`budgetId=${a}`)).toEqual([other, first])
  expect(await ids(`budgetId=${a}`, eve)).toEqual([first])
  expect(await list(`/v1/budgets/requests?userId=eve&status=denied`)).toMatchObject([
    { id: first, decidedBy: { keyId: expect.stringMatching(/^key_/) }, decidedAt: expect.any(String) },
  ])
})

test('the audit log is narrowed by who acted, what was done, what it was done to, and when', async () => {
  const { body: boss } = await api.post('/v1/keys', { name: 'Chief', role: 'manager', userId: 'chief' })
  await api.patch('/v1/team/members/chief/role', { role: 'manager' })
  const start = new Date().toISOString()
  const { body: team } = await service.as(boss.key).post('/v1/team/teams', { name: 'Log', budgetPoolUsd: 1 })
  await api.patch(`/v1/team/teams/${team.id}`, { budgetPoolUsd: 2 })
  const actions = async (query: string) => (await list(`/v1/audit-log?${query}`)).map(({ action }) => action)
  expect(await actions(`subjectId=${team.id}`)).toEqual(['team.update', 'team.create'])
  expect(await actions(`subjectType=team&subjectId=${team.id}&action=team.update`)).toEqual(['team.update'])
  expect(await actions(`action=team.*&subjectId=${team.id}`)).toEqual(['team.update', 'team.create'])
  expect(await actions('userId=chief')).toEqual(['team.create'])
  expect(await actions(`actorId=${boss.id}`)).toEqual(['team.create'])
  expect(await actions(`actorId=${boss.id}&actorType=session`)).toEqual([])
  expect(await actions(`subjectId=${team.id}&to=${start}`)).toEqual([])
  expect(await actions(`subjectId=${team.id}&from=${start}`)).toEqual(['team.update', 'team.create'])
  expect((await api.get('/v1/audit-log?from=2026-02-01&to=2026-01-01')).status).toBe(400)
})
