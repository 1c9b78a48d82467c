import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { touchKeys } from '../../../packages/service/src/resources/keys/store.js'
import type { Api, ApiAnswer } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
})
afterAll(() => service.stop())

let names = 0

async function makeTeam(fields: object = {}) {
  const { status, body } = await api.post('/v1/team/teams', {
    name: `Team ${++names}`,
    budgetPoolUsd: 50,
    ...fields,
  })
  expect(status).toBe(201)
  return body
}

async function addMember(userId: string, fields: object = {}) {
  const { status, body } = await api.post('/v1/team/members', { userId, ...fields })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

async function makeKey(fields: object = {}): Promise<{ id: string; api: Api }> {
  const { body } = await api.post('/v1/keys', { name: 'A key', ...fields })
  return { id: body.id, api: service.as(body.key) }
}

const member = (userId: string) => `/v1/team/members/${encodeURIComponent(userId)}`
const findMember = async (userId: string) =>
  (await api.get('/v1/team/members?limit=200')).body.data.find(
    (each: { userId: string }) => each.userId === userId,
  )
const statuses = (answers: ApiAnswer[]) => answers.map(({ status }) => status).toSorted()

describe('teams', () => {
  test('a team comes back as it was made, newest first, and changes only what it is told to', async () => {
    const tenant = { id: service.tenantId }
    const team = await makeTeam({ name: 'Research', budgetPoolUsd: 0 })
    expect(team).toEqual({
      id: expect.stringMatching(/^team_[0-9a-z]{26}$/),
      tenantId: tenant?.id,
      name: 'Research',
      budgetPoolUsd: 0,
      allowedTools: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const newer = await makeTeam()
    expect((await api.get('/v1/team/teams')).body.slice(0, 2)).toEqual([newer, team])
    const { status, body } = await api.patch(`/v1/team/teams/${team.id}`, { budgetPoolUsd: 0.000001 })
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...team, budgetPoolUsd: 0.000001, updatedAt: expect.any(String) },
    })
  })

  test('a name is taken once, however many want it, and free again when the team is gone', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/v1/team/teams', { name: 'Wanted', budgetPoolUsd: 1 })),
    )
    expect(statuses(answers)).toEqual([201, ...Array(7).fill(409)])
    const other = await makeTeam()
    expect((await api.patch(`/v1/team/teams/${other.id}`, { name: 'Wanted' })).status).toBe(409)
    const wanted = answers.find(({ status }) => status === 201)?.body
    await api.delete(`/v1/team/teams/${wanted.id}`)
    expect((await api.patch(`/v1/team/teams/${other.id}`, { name: 'Wanted' })).status).toBe(200)
  })

  test('a deleted team lets go of its members and keys, and takes its budgets and policies along', async () => {
    const team = await makeTeam()
    await addMember('left behind', { teamId: team.id })
    const key = await makeKey({ teamId: team.id })
    const scope = { type: 'team', id: team.id }
    const { body: budget } = await api.post('/v1/budgets', { name: 'Of the team', amountUsd: 1, scope })
    const { body: policy } = await api.post('/v1/policies', { name: 'Of the team', kind: 'secrets', scope })

    for (const _ of [1, 2])
      expect((await api.delete(`/v1/team/teams/${team.id}?cascade=true`)).status).toBe(204)
    expect(await findMember('left behind')).toMatchObject({ teamId: null, status: 'active' })
    expect((await api.get(`/v1/keys/${key.id}`)).body).toMatchObject({ teamId: null, status: 'active' })
    expect((await key.api.get('/v1/keys')).status).toBe(200)
    expect((await api.get(`/v1/budgets/${budget.id}`)).status).toBe(404)
    expect((await api.get(`/v1/policies/${policy.id}`)).status).toBe(404)
    expect((await api.patch(`/v1/team/teams/${team.id}`, { name: 'Back' })).body.error).toMatchObject({
      type: 'not_found',
      code: 404,
    })
    expect((await api.get('/v1/team/teams')).body.map((each: { id: string }) => each.id)).not.toContain(
      team.id,
    )
    for (const answer of [
      await api.post('/v1/keys', { name: 'x', teamId: team.id }),
      await api.patch(member('left behind'), { teamId: team.id }),
    ]) {
      expect(answer.body.error).toEqual({ type: 'not_found', message: 'No such team', code: 404 })
    }
    expect((await api.delete('/v1/team/teams/team_never')).status).toBe(404)
  })

  test('nothing that joins a team while it is being deleted stays in it, and nobody is kept waiting for ever', async () => {
    await addMember('joiner')
    const key = await makeKey()
    for (let round = 0; round < 15; round++) {
      const { id: teamId } = await makeTeam()
      const scope = { type: 'team', id: teamId }
      const { body: policy } = await api.post('/v1/policies', { name: `Of ${round}`, kind: 'secrets', scope })
      await api.patch(member('joiner'), { teamId })
      const answers = await Promise.all([
        api.patch(member('joiner'), { teamId }),
        api.post('/v1/team/members', { userId: `joiner ${round}`, teamId }),
        api.post('/v1/team/members', { userId: 'joiner', teamId }),
        api.patch(`/v1/policies/${policy.id}`, { scope, enabled: false }),
        api.delete(`/v1/team/teams/${teamId}?cascade=true`),
        api.patch(`/v1/keys/${key.id}`, { teamId, userId: 'joiner' }),
        api.post('/v1/keys', { name: 'Joins', teamId, userId: 'joiner' }),
        api.post('/v1/keys', { name: 'Joins', teamId }),
        api.patch(member('joiner'), { teamId, name: `Round ${round}` }),
        api.post('/v1/policies', { name: `Also of ${round}`, kind: 'secrets', scope }),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      const left = await service.database.query(
        `select user_id from members where team_id = $1 union all select id from keys where team_id = $1
         union all select id from policies where scope_id = $1 and deleted_at is null`,
        [teamId],
      )
      expect(left).toEqual([])
    }
  })
})

describe('members', () => {
  test('a member comes back as it was made, whatever its id', async () => {
    const team = await makeTeam()
    for (const userId of ['ann@example.com', 'a/b?c#d%', '漢字 🍕', '..', 'u'.repeat(128), '"quoted"\\']) {
      const added = await addMember(userId, {
        name: 'Ann',
        email: 'ann@example.com',
        teamId: team.id,
        role: 'manager',
      })
      expect(added).toEqual({
        userId,
        name: 'Ann',
        email: 'ann@example.com',
        teamId: team.id,
        role: 'manager',
        status: 'active',
        createdAt: expect.any(String),
      })
      // A dot or two in a path are a direction, not a name; clients cannot send them.
      if (userId === '..') continue
      expect((await api.patch(member(userId), { name: null, email: null, teamId: null })).body).toEqual({
        ...added,
        name: null,
        email: null,
        teamId: null,
      })
      expect((await api.patch(`${member(userId)}/role`, { role: 'member' })).body).toMatchObject({
        userId,
        role: 'member',
      })
      expect((await api.delete(member(userId))).status).toBe(204)
    }
  })

  test('a user is added once, however many do it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/v1/team/members', { userId: 'once' })),
    )
    expect(statuses(answers)).toEqual([201, ...Array(7).fill(409)])
  })

  test('a user is in one team at most: the last one named', async () => {
    const [one, two] = [await makeTeam(), await makeTeam()]
    await addMember('mover', { teamId: one.id })
    expect((await api.patch(member('mover'), { teamId: two.id })).body.teamId).toBe(two.id)
    expect((await api.patch(member('mover'), { teamId: 'team_never' })).status).toBe(404)
    expect((await findMember('mover')).teamId).toBe(two.id)
  })

  test('calls count for the team of the key, else for that of its owner', async () => {
    const [own, ofKey] = [await makeTeam(), await makeTeam()]
    await addMember('caller', { teamId: own.id })
    const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
    for (const [fields, team] of [
      [{}, own.id],
      [{ teamId: ofKey.id }, ofKey.id],
    ] as const) {
      const key = await makeKey({ userId: 'caller', ...fields })
      expect((await key.api.post('/v1/chat/completions', call)).status).toBe(200)
      expect((await api.get('/v1/compliance/receipts?limit=1')).body.data[0]).toMatchObject({
        key: key.id,
        user: 'caller',
        team,
      })
    }
  })

  test('demoting a user takes manager rights from the user’s keys at once, and promoting gives them back', async () => {
    await addMember('boss', { role: 'manager' })
    const keys = [
      await makeKey({ userId: 'boss', role: 'manager' }),
      await makeKey({ userId: 'boss', role: 'manager' }),
    ]
    for (let round = 0; round < 5; round++) {
      for (const key of keys) expect((await key.api.get('/v1/audit-log')).status).toBe(200)
      await api.patch(`${member('boss')}/role`, { role: 'member' })
      for (const key of keys) {
        expect((await key.api.get('/v1/audit-log')).status).toBe(403)
        expect((await key.api.get('/v1/keys')).status).toBe(200)
      }
      await api.patch(`${member('boss')}/role`, { role: 'manager' })
    }
  })

  test('removing a user revokes the user’s keys at once, and a user who comes back starts anew', async () => {
    await addMember('leaver', { name: 'Old name', role: 'manager' })
    await api.patch('/v1/user-limits/leaver', { allowedModels: [], budgetCapUsd: 1 })
    const keys = [await makeKey({ userId: 'leaver' }), await makeKey({ userId: 'leaver', role: 'manager' })]
    for (const key of keys) expect((await key.api.get('/v1/keys')).status).toBe(200)
    for (const _ of [1, 2]) expect((await api.delete(`${member('leaver')}?cascade=true`)).status).toBe(204)

    for (const key of keys) {
      expect((await key.api.get('/v1/keys')).status).toBe(401)
      expect((await api.get(`/v1/keys/${key.id}`)).body).toMatchObject({
        status: 'revoked',
        userId: 'leaver',
      })
    }
    expect(await findMember('leaver')).toBeUndefined()
    for (const answer of [
      await api.patch(member('leaver'), { name: 'x' }),
      await api.patch(`${member('leaver')}/role`, { role: 'member' }),
      await api.get('/v1/user-limits/leaver'),
    ]) {
      expect(answer.status).toBe(404)
    }
    expect(await addMember('leaver')).toMatchObject({ name: null, role: 'member', teamId: null })
    expect((await api.get('/v1/user-limits/leaver')).body).toMatchObject({
      allowedModels: null,
      budgetCapUsd: null,
      status: 'active',
    })
    for (const key of keys) expect((await key.api.get('/v1/keys')).status).toBe(401)
  })

  test('no key of a user outlives the user, also one that is made at the same moment', async () => {
    for (let round = 0; round < 15; round++) {
      const userId = `brief ${round}`
      await addMember(userId)
      const other = await makeKey()
      const answers = await Promise.all([
        api.delete(`${member(userId)}?cascade=true`),
        api.post('/v1/keys', { name: 'x', userId }),
        api.patch(`/v1/keys/${other.id}`, { userId }),
        api.post('/v1/keys', { name: 'x', userId }),
      ])
      expect(Math.max(...statuses(answers))).toBeLessThan(300)
      // A key that came after the removal brought the user back with it.
      const orphans = await service.database.query(
        `select keys.id from keys join members using (tenant_id, user_id)
         where user_id = $1 and revoked_at is null and removed_at is not null`,
        [userId],
      )
      expect(orphans).toEqual([])
    }
  })

  test('a user, or a team, with many keys can go while the last use of all of them is being noted', async () => {
    const { db, close } = openDatabase(service.database.url, () => undefined)
    for (let round = 0; round < 4; round++) {
      const userId = `prolific ${round}`
      const team = await makeTeam()
      await addMember(userId)
      const keys = await service.database.query<{ id: string }>(
        `insert into keys (id, tenant_id, name, user_id, team_id, hash, hint, created_by)
         select 'key_' || $1 || lpad(n::text, 6, '0'), tenant_id, 'One of many', user_id, $2, sha256(($1 || n)::bytea), '----', 'test'
         from members, generate_series(1, 300) n where user_id = $1 returning keys.id`,
        [userId, team.id],
      )
      const used = new Map(keys.map(({ id }) => [id, new Date()]))
      for (const path of [`/v1/team/teams/${team.id}`, member(userId)]) {
        const [gone] = await Promise.all([
          api.delete(`${path}?cascade=true`),
          touchKeys(db, used),
          touchKeys(db, used),
          touchKeys(db, used),
        ])
        expect(gone.status).toBe(204)
      }
      expect(
        await service.database.query(
          'select id from keys where user_id = $1 and (revoked_at is null or team_id is not null)',
          [userId],
        ),
      ).toEqual([])
    }
    await close()
  })

  test('a user that was never there is answered 404', async () => {
    for (const answer of [
      await api.patch(member('ghost'), { name: 'x' }),
      await api.patch(`${member('ghost')}/role`, { role: 'manager' }),
      await api.delete(member('ghost')),
    ]) {
      expect(answer.body.error).toEqual({ type: 'not_found', message: 'No such member', code: 404 })
    }
  })
})
