import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api
let managerKeyId: string

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
  managerKeyId = (await api.get('/v1/keys')).body.data[0].id
})
afterAll(() => service.stop())

interface Entry {
  id: string
  action: string
  subject: { type: string; id: string }
  before: unknown
  after: unknown
}

async function readTrail(): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let query = '?limit=200'; query !== ''; ) {
    const { body } = await api.get(`/v1/audit-log${query}`)
    entries.push(...body.data)
    query = body.nextCursor === null ? '' : `?limit=200&cursor=${body.nextCursor}`
  }
  return entries
}

/** What was written down about one thing, oldest first. */
const trailOf = async (subjectId: string) =>
  (await readTrail()).filter(({ subject }) => subject.id === subjectId).toReversed()

const told = ({ action, before, after }: Entry) => ({ action, before, after })

test('an entry tells who did what to what, when, and the record before and after', async () => {
  const { body: boss } = await api.post('/v1/keys', { name: 'Boss', role: 'manager', userId: 'boss' })
  await api.patch('/v1/team/members/boss/role', { role: 'manager' })
  const { body: made } = await service.as(boss.key).post('/v1/team/teams', { name: 'Told', budgetPoolUsd: 1 })
  const { body: changed } = await api.patch(`/v1/team/teams/${made.id}`, { budgetPoolUsd: 2 })
  await api.delete(`/v1/team/teams/${made.id}`)
  await api.delete('/v1/team/members/boss?cascade=true')

  const entry = {
    id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
    at: expect.any(String),
    subject: { type: 'team', id: made.id },
  }
  const manager = {
    type: 'key',
    id: managerKeyId,
    keyId: managerKeyId,
    userId: null,
    keyName: (await api.get(`/v1/keys/${managerKeyId}`)).body.name,
    userName: null,
  }
  const trail = await trailOf(made.id)
  expect(trail).toEqual([
    {
      ...entry,
      actor: {
        type: 'key',
        id: boss.id,
        keyId: boss.id,
        userId: 'boss',
        keyName: 'Boss',
        userName: null,
      },
      action: 'team.create',
      before: null,
      after: made,
    },
    {
      ...entry,
      actor: manager,
      action: 'team.update',
      before: made,
      after: changed,
    },
    {
      ...entry,
      actor: manager,
      action: 'team.delete',
      before: changed,
      after: null,
    },
  ])
})

test('what a member was and became is told, and which keys went with it', async () => {
  const { body: made } = await api.post('/v1/team/members', { userId: 'told', name: 'Told' })
  const { body: key } = await api.post('/v1/keys', { name: 'Of the told', userId: 'told' })
  const { body: named } = await api.patch('/v1/team/members/told', { name: 'Renamed' })
  const { body: promoted } = await api.patch('/v1/team/members/told/role', { role: 'manager' })
  const { body: limited } = await api.patch('/v1/user-limits/told', { status: 'suspended', budgetCapUsd: 3 })
  await api.delete('/v1/team/members/told?cascade=true')
  const { spentUsd: _, periodStart: _from, periodEnd: _to, ...limits } = limited
  expect((await trailOf('told')).map(told)).toEqual([
    { action: 'member.create', before: null, after: made },
    { action: 'member.update', before: made, after: named },
    { action: 'member.change_role', before: named, after: promoted },
    {
      action: 'user_limit.update',
      before: { ...limits, status: 'active', budgetCapUsd: null, updatedAt: expect.any(String) },
      after: limits,
    },
    {
      action: 'member.delete',
      before: { ...promoted, status: 'suspended', allowedModels: null, allowedTools: null, budgetCapUsd: 3 },
      after: null,
    },
  ])
  expect((await trailOf(key.id)).map(({ action }) => action)).toEqual(['key.create', 'key.revoke'])
})

test('a request for more budget is told from its filing to its decision', async () => {
  const { body: budget } = await api.post('/v1/budgets', { name: 'Told', amountUsd: 1 })
  const { body: filed } = await api.post('/v1/budgets/requests', {
    budgetId: budget.id,
    amountUsd: 1,
    reason: 'Why',
  })
  const { body: approved } = await api.post(`/v1/budgets/requests/${filed.id}/approve`, { amountUsd: 0.5 })
  expect((await trailOf(filed.id)).map(told)).toEqual([
    { action: 'budget_request.create', before: null, after: filed },
    { action: 'budget_request.approve', before: filed, after: approved },
  ])
})

test('what was refused, changed nothing or was only read leaves no entry', async () => {
  const { body: team } = await api.post('/v1/team/teams', { name: 'Quiet', budgetPoolUsd: 1 })
  await api.delete(`/v1/team/teams/${team.id}`)
  const before = await readTrail()
  const answers = [
    await api.delete(`/v1/team/teams/${team.id}`),
    await api.delete('/v1/team/teams/team_never'),
    await api.post('/v1/team/teams', { name: 'Quiet', budgetPoolUsd: -1 }),
    await api.post('/v1/budgets', { name: 'Quiet', amountUsd: 1, scope: { type: 'team', id: team.id } }),
    await api.delete(`/v1/keys/${managerKeyId}`),
    await api.get('/v1/team/teams'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([204, 404, 400, 404, 409, 200])
  expect(await readTrail()).toEqual(before)
})

test('a change and its entry are kept together or not at all', async () => {
  // The one thing that can make an entry fail by itself: the table refuses it.
  await service.database.query(
    "alter table audit_log add constraint refuse_some check (subject_type <> 'team') not valid",
  )
  const teams = (await api.get('/v1/team/teams')).body
  expect(
    (await api.post('/v1/team/teams', { name: 'Unwritten', budgetPoolUsd: 1 })).body.error,
  ).toMatchObject({ type: 'internal_error', code: 500 })
  expect((await api.get('/v1/team/teams')).body).toEqual(teams)
  await service.database.query('alter table audit_log drop constraint refuse_some')
  expect((await api.post('/v1/team/teams', { name: 'Unwritten', budgetPoolUsd: 1 })).status).toBe(201)
})

test('many changes at once leave one entry each, in one order for every reader', async () => {
  const { body: budget } = await api.post('/v1/budgets', { name: 'Busy', amountUsd: 0 })
  const amounts = Array.from({ length: 20 }, (_, i) => i + 1)
  await Promise.all(amounts.map((amountUsd) => api.patch(`/v1/budgets/${budget.id}`, { amountUsd })))
  const updates = (await trailOf(budget.id)).slice(1)
  expect(updates).toHaveLength(amounts.length)
  // The row was locked, so that each change starts from what another one left, whatever their order in the list.
  const amountOf = (record: unknown) => (record as { amountUsd: number }).amountUsd
  expect(updates.map(({ after }) => amountOf(after)).toSorted((a, b) => a - b)).toEqual(amounts)
  const last = (await api.get(`/v1/budgets/${budget.id}`)).body.amountUsd
  expect(updates.map(({ before }) => amountOf(before)).toSorted((a, b) => a - b)).toEqual([
    0,
    ...amounts.filter((amount) => amount !== last),
  ])
  const ids = (await readTrail()).map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted().toReversed())
})

test('only a manager reads the trail', async () => {
  const { body } = await api.post('/v1/keys', { name: 'Member' })
  expect((await service.as(body.key).get('/v1/audit-log')).body.error).toEqual({
    type: 'forbidden',
    message: 'Manager-level access is required',
    code: 403,
  })
})
