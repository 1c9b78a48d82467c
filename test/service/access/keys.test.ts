import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSecondMs, waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import type { TestDatabase } from '../../harness/service/database.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService
let api: Api
let database: TestDatabase

beforeAll(async () => {
  service = await startTestService()
  api = service.api
  database = service.database
})
afterAll(() => service.stop())

async function create(fields: object = {}) {
  const { status, body } = await api.post('/v1/keys', { name: 'A key', ...fields })
  expect(status).toBe(201)
  return body
}

/** A key that is about to expire. Set where nobody asks whether that is still to come. */
async function createShortLived() {
  const made = await create()
  await database.query("update keys set expires_at = now() + interval '1500 milliseconds' where id = $1", [
    made.id,
  ])
  return made
}

const setOwner = (userId: string, fields: string) =>
  database.query(`update members set ${fields} where user_id = $1`, [userId])

const call = (key: string) =>
  service
    .as(key)
    .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })

describe('the record', () => {
  test('a key made with a name alone is a member without owner, team, limits or expiry', async () => {
    const body = await create({ name: 'CI' })
    expect(body).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      key: expect.stringMatching(/^tallystick_sk_[0-9A-Za-z]{40}$/),
      name: 'CI',
      role: 'member',
      userId: null,
      teamId: null,
      rpmLimit: null,
      tpmLimit: null,
      allowedModels: null,
      allowedTools: null,
      status: 'active',
      hint: body.key.slice(-4),
      metadata: {},
      createdAt: expect.any(String),
      createdBy: expect.stringMatching(/^key_/),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(60_000)
    const { key: _, ...record } = body
    expect((await api.get(`/v1/keys/${body.id}`)).body).toEqual(record)
    expect((await api.get('/v1/keys?limit=1')).body.data).toEqual([record])
  })

  test('the maker is named, and the first key was made by the operator', async () => {
    const manager = await create({ role: 'manager' })
    const made = await service.as(manager.key).post('/v1/keys', { name: 'Made' })
    expect(made.body.createdBy).toBe(manager.id)
    const all = (await api.get('/v1/keys?limit=200')).body.data
    expect(all.at(-1)).toMatchObject({ name: 'First manager key', createdBy: 'operator', role: 'manager' })
  })

  test('every field comes back as it was sent, at its bounds and in any script', async () => {
    const fields = {
      name: '🗝️'.repeat(50),
      role: 'manager',
      userId: `x${'ü'.repeat(126)}/`,
      rpmLimit: 1_000_000,
      tpmLimit: 1_000_000_000,
      allowedModels: ['mock/*', 'a,b{"c"}\\', 'NULL', ''.padEnd(200, 'm')],
      expiresAt: '2099-12-31T23:59:59.123Z',
      metadata: {
        ['k'.repeat(64)]: 'v'.repeat(512),
        'line\nbreak': "O'Hara",
        constructor: 'fine',
        toString: '',
      },
    }
    const { id } = await create(fields)
    expect((await api.get(`/v1/keys/${id}`)).body).toMatchObject(fields)
    const least = { rpmLimit: 1, tpmLimit: 1, allowedModels: [], metadata: {}, name: 'x' }
    expect((await api.patch(`/v1/keys/${id}`, least)).body).toMatchObject(least)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'a'.repeat(201) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ role: 'admin' }, 'role'],
    [{ role: null }, 'role'],
    [{ userId: '' }, 'userId'],
    [{ userId: 'u'.repeat(129) }, 'userId'],
    [{ userId: 'line\nbreak' }, 'userId'],
    [{ userId: 'invisible\u200bspace' }, 'userId'],
    [{ rpmLimit: 0 }, 'rpmLimit'],
    [{ rpmLimit: -1 }, 'rpmLimit'],
    [{ rpmLimit: 1_000_001 }, 'rpmLimit'],
    [{ rpmLimit: 1.5 }, 'rpmLimit'],
    [{ rpmLimit: true }, 'rpmLimit'],
    [{ tpmLimit: 0 }, 'tpmLimit'],
    [{ tpmLimit: 1_000_000_001 }, 'tpmLimit'],
    [{ allowedModels: 'mock/echo' }, 'allowedModels'],
    [{ allowedModels: [''] }, 'allowedModels.0'],
    [{ allowedModels: ['m'.repeat(201)] }, 'allowedModels.0'],
    [{ allowedModels: Array(501).fill('m') }, 'allowedModels'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ metadata: { 'line\nbreak': 1 } }, 'metadata.line\nbreak'],
    [{ metadata: { '': 'x' } }, 'metadata.'],
    [{ metadata: { ['k'.repeat(65)]: 'x' } }, `metadata.${'k'.repeat(65)}`],
    [{ metadata: { a: 'v'.repeat(513) } }, 'metadata.a'],
    [{ metadata: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 'v'])) }, 'metadata'],
    [{ metadata: null }, 'metadata'],
    [{ status: 'revoked' }, 'status'],
    [{ key: 'tallystick_sk_mine' }, 'key'],
    [{ id: 'key_mine' }, 'id'],
  ])('%j is refused on creation and on change, with its place', async (fields: object, path) => {
    const { id } = await create()
    for (const answer of [
      await api.post('/v1/keys', { name: 'A key', ...fields }),
      await api.patch(`/v1/keys/${id}`, fields),
    ]) {
      expect(answer.status).toBe(400)
      expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path)
    }
  })

  test('the value is shown once: only its SHA-256 is stored, and no table holds the value', async () => {
    const { id, key } = await create({ userId: 'dumped' })
    await call(key)
    const [row] = await database.query<{ hash: Buffer; hint: string }>(
      'select hash, hint from keys where id = $1',
      [id],
    )
    expect(row).toEqual({ hash: createHash('sha256').update(key).digest(), hint: key.slice(-4) })
    const tables = await database.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    )
    let dump = ''
    for (const { name } of tables) {
      dump += JSON.stringify(await database.query(`select t::text from ${name} t`))
    }
    expect(dump).toContain(id)
    expect(dump).not.toContain(key.slice('tallystick_sk_'.length, -4))
  })

  test('a key is used on the gateway and on the management interface alike, and remembers when', async () => {
    const { id, key, createdAt } = await create()
    expect((await call(key)).status).toBe(200)
    expect((await service.as(key).get('/v1/keys')).status).toBe(200)
    const { lastUsedAt } = await waitFor('the use to be noted', async () => {
      const { body } = await api.get(`/v1/keys/${id}`)
      return body.lastUsedAt !== null && body
    })
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt) - 1)
    expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now())
  })
})

describe('changes', () => {
  test('a field that is absent stays as it is', async () => {
    const before = await create({
      rpmLimit: 5,
      tpmLimit: 6,
      allowedModels: ['a'],
      metadata: { a: 'b' },
      userId: 'stays',
      expiresAt: '2099-01-01T00:00:00.000Z',
    })
    const { key: _, ...record } = before
    expect((await api.patch(`/v1/keys/${before.id}`, { name: 'Renamed' })).body).toEqual({
      ...record,
      name: 'Renamed',
    })
  })

  test('null removes a limit, an owner, an allowlist and an expiry', async () => {
    const { id } = await create({
      rpmLimit: 5,
      tpmLimit: 6,
      allowedModels: ['a'],
      userId: 'leaves',
      expiresAt: '2099-01-01T00:00:00Z',
    })
    const nothing = {
      rpmLimit: null,
      tpmLimit: null,
      allowedModels: null,
      userId: null,
      expiresAt: null,
      teamId: null,
    }
    expect((await api.patch(`/v1/keys/${id}`, nothing)).body).toMatchObject(nothing)
  })

  test('the limits endpoint answers the id and both limits, and nothing else', async () => {
    const { id } = await create({ rpmLimit: 5, tpmLimit: 6 })
    const path = `/v1/keys/${id}/limits`
    expect((await api.patch(path, { rpmLimit: 60, tpmLimit: 200_000 })).body).toEqual({
      id,
      rpmLimit: 60,
      tpmLimit: 200_000,
    })
    expect((await api.patch(path, { rpmLimit: null })).body).toEqual({
      id,
      rpmLimit: null,
      tpmLimit: 200_000,
    })
    expect((await api.patch(path, { tpmLimit: null })).body).toEqual({ id, rpmLimit: null, tpmLimit: null })
    for (const [limits, place] of [
      [{ rpmLimit: 0 }, 'rpmLimit'],
      [{ rpmLimit: 1_000_001 }, 'rpmLimit'],
      [{ tpmLimit: 1_000_000_001 }, 'tpmLimit'],
      [{ name: 'x' }, 'name'],
    ] as const) {
      const refused = await api.patch(path, limits)
      expect(refused.status).toBe(400)
      expect(refused.body.error.details[0].path).toBe(place)
    }
  })

  test('limits count for the very next call', async () => {
    const { id, key } = await create()
    expect((await call(key)).status).toBe(200)
    await api.patch(`/v1/keys/${id}/limits`, { rpmLimit: 1 })
    expect([(await call(key)).status, (await call(key)).status]).toContain(429)
    await api.patch(`/v1/keys/${id}`, { rpmLimit: null })
    expect((await call(key)).status).toBe(200)
  })

  test('a key that expired comes back when its expiry is moved', async () => {
    const { id, key } = await createShortLived()
    await waitFor('the expiry', async () => (await service.as(key).get('/v1/keys')).status === 401)
    expect((await api.patch(`/v1/keys/${id}`, { expiresAt: null })).body.status).toBe('active')
    expect((await service.as(key).get('/v1/keys')).status).toBe(200)
  })

  test('a team that this tenant does not have is answered 404', async () => {
    const { id } = await create()
    for (const answer of [
      await api.post('/v1/keys', { name: 'A key', teamId: 'team_x' }),
      await api.patch(`/v1/keys/${id}`, { teamId: 'team_x' }),
    ]) {
      expect(answer.body.error).toMatchObject({ type: 'not_found', message: 'No such team', code: 404 })
    }
  })

  test('naming a new user makes that member, once, however many keys name it at the same moment', async () => {
    await Promise.all(Array.from({ length: 8 }, () => create({ userId: 'newcomer' })))
    const { id } = await create()
    await api.patch(`/v1/keys/${id}`, { userId: 'newcomer too' })
    const rows = await database.query(
      "select user_id, role, status, team_id from members where user_id like 'newcomer%' order by 1",
    )
    expect(rows).toEqual([
      { user_id: 'newcomer', role: 'member', status: 'active', team_id: null },
      { user_id: 'newcomer too', role: 'member', status: 'active', team_id: null },
    ])
  })
})

describe('who may do what', () => {
  test('a member may read its own keys and change nothing', async () => {
    const mine = await create({ userId: 'ann', name: 'Mine' })
    const alsoMine = await create({ userId: 'ann', role: 'manager', name: 'Also mine' })
    const theirs = await create({ userId: 'bob' })
    const member = service.as(mine.key)
    expect((await member.get('/v1/keys')).body.data.map((key: { id: string }) => key.id)).toEqual([
      alsoMine.id,
      mine.id,
    ])
    expect((await member.get(`/v1/keys/${alsoMine.id}`)).status).toBe(200)
    expect((await member.get(`/v1/keys/${theirs.id}`)).body.error).toEqual({
      type: 'not_found',
      message: 'No such key',
      code: 404,
    })
    for (const answer of [
      await member.post('/v1/keys', { name: 'x' }),
      await member.patch(`/v1/keys/${mine.id}`, { rpmLimit: null }),
      await member.patch(`/v1/keys/${mine.id}/limits`, { rpmLimit: null }),
      await member.delete(`/v1/keys/${mine.id}`),
    ]) {
      expect(answer.body.error).toEqual({
        type: 'forbidden',
        message: 'Manager-level access is required',
        code: 403,
      })
    }
  })

  test('a key without an owner owns itself alone', async () => {
    const one = await create()
    const other = await create()
    expect(
      (await service.as(one.key).get('/v1/keys')).body.data.map((key: { id: string }) => key.id),
    ).toEqual([one.id])
    expect((await service.as(one.key).get(`/v1/keys/${one.id}`)).status).toBe(200)
    expect((await service.as(one.key).get(`/v1/keys/${other.id}`)).status).toBe(404)
  })

  test('a manager key is a manager only while its owner is one', async () => {
    const { id, key } = await create({ role: 'manager', userId: 'carol' })
    const carol = service.as(key)
    expect((await carol.post('/v1/keys', { name: 'x' })).status).toBe(403)
    await setOwner('carol', "role = 'manager'")
    await waitFor(
      'the promotion',
      async () => (await carol.post('/v1/keys', { name: 'x' })).status === 201,
      aSecondMs,
    )
    await setOwner('carol', "role = 'member'")
    await waitFor(
      'the demotion',
      async () => (await carol.post('/v1/keys', { name: 'x' })).status === 403,
      aSecondMs,
    )
    expect((await carol.get('/v1/keys')).body.data.map((each: { id: string }) => each.id)).toEqual([id])
  })

  test('a key of a suspended owner is refused everywhere', async () => {
    const { key } = await create({ userId: 'dave' })
    await setOwner('dave', "status = 'suspended'")
    await waitFor(
      'the suspension',
      async () => (await service.as(key).get('/v1/keys')).status === 403,
      aSecondMs,
    )
    expect((await service.as(key).get('/v1/keys')).body.error.type).toBe('user_suspended')
    expect((await call(key)).body.error.type).toBe('user_suspended')
  })

  test('the list can be narrowed to a status', async () => {
    const active = await create()
    const revoked = await create()
    const expired = await createShortLived()
    await api.delete(`/v1/keys/${revoked.id}`)
    await waitFor(
      'the expiry',
      async () => (await api.get(`/v1/keys/${expired.id}`)).body.status === 'expired',
    )
    for (const { id, status } of [
      { ...active, status: 'active' },
      { ...revoked, status: 'revoked' },
      { ...expired, status: 'expired' },
    ]) {
      const { data } = (await api.get(`/v1/keys?status=${status}&limit=200`)).body
      expect(new Set(data.map((key: { status: string }) => key.status))).toEqual(new Set([status]))
      expect(data[0].id).toBe(id)
    }
  })
})

describe('revocation', () => {
  test('a revoked key is refused at once, stays revoked, and cannot be changed', async () => {
    const { id, key } = await create()
    expect((await call(key)).status).toBe(200)
    expect((await api.delete(`/v1/keys/${id}`)).status).toBe(204)
    expect((await call(key)).status).toBe(401)
    expect((await service.as(key).get('/v1/keys')).body.error).toEqual({
      type: 'unauthorized',
      message: 'Missing or invalid API key',
      code: 401,
    })
    const { revokedAt, status } = (await api.get(`/v1/keys/${id}`)).body
    expect({ status, age: Date.now() - Date.parse(revokedAt) < 60_000 }).toEqual({
      status: 'revoked',
      age: true,
    })
    for (const answer of [
      await api.patch(`/v1/keys/${id}`, { name: 'Back' }),
      await api.patch(`/v1/keys/${id}/limits`, { rpmLimit: 1 }),
    ]) {
      expect(answer.body.error).toEqual({
        type: 'conflict',
        message: 'The key is revoked; a revoked key cannot be changed',
        code: 409,
      })
    }
    expect((await api.delete(`/v1/keys/${id}`)).status).toBe(204)
    expect((await api.get(`/v1/keys/${id}`)).body.revokedAt).toBe(revokedAt)
  })

  test('rotation: create a new key, switch to it, revoke the old one with it', async () => {
    const old = await create({ role: 'manager' })
    const { body: fresh } = await service.as(old.key).post('/v1/keys', { name: 'Next', role: 'manager' })
    expect((await service.as(fresh.key).delete(`/v1/keys/${old.id}`)).status).toBe(204)
    expect((await service.as(old.key).get('/v1/keys')).status).toBe(401)
    expect((await service.as(fresh.key).get('/v1/keys')).status).toBe(200)
  })
})
