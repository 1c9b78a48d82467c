import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { endpoints } from '../../../packages/service/src/providers/index.js'
import { deleteOldAnswers } from '../../../packages/service/src/resources/idempotency/store.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { makeRows, type Rows, requestOf, routesTable } from './routes-table.js'

interface Operation {
  parameters?: { name: string; in: string }[]
}

let service: TestService
let made = 0

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const nextKey = () => `attempt ${++made}`
const withKey = (key: string) => ({ 'idempotency-key': key })
const countEntries = async () =>
  (await service.database.query<{ count: number }>('select count(*)::int as count from audit_log'))[0]?.count

const creating = routesTable.filter(({ status }) => status === 201)
const actions = routesTable.filter(({ route }) => /^POST .*(approve|deny|rotate-secret)$/.test(route))

test('the document says which routes honour it: every POST that creates, decisions and rotations, and calls to the gateway', async () => {
  const { paths } = (await service.api.get('/openapi.json')).body
  const honouring = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'idempotency-key'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  const calls = Object.values(endpoints).map((dialect) => `POST /v1${dialect.path}`)
  const writes = [...creating, ...actions].map(({ route }) => route)
  // Tried in compliance-jobs.test.ts: a tenant has few of them.
  const jobs = ['POST /v1/compliance/attestations', 'POST /v1/compliance/exports']
  expect(honouring.toSorted()).toEqual([...writes, ...calls, ...jobs].toSorted())
})

describe.each([...creating, ...actions])('$route', (each) => {
  let rows: Rows
  let others: Rows
  const send = (of: Rows, key: string) => {
    const { path, body } = requestOf(each, of)
    return service.api.post(path, body, withKey(key))
  }
  beforeAll(async () => {
    rows = await makeRows(service.api, 'ours', 1)
    others = await makeRows(service.api, 'others', 1)
  })

  test('the same request with the same key gets the same answer, and happens once', async () => {
    const key = nextKey()
    const before = (await countEntries()) ?? 0
    const first = await send(rows, key)
    expect(first.status).toBe(each.status)
    const after = (await countEntries()) ?? 0
    expect(after - before).toBe(each.audit?.length)
    for (const again of [await send(rows, key), await send(rows, key)])
      expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body })
    expect(await countEntries()).toBe(after)

    const other = await send(others, key)
    expect(other).toMatchObject({ status: 409, body: { error: { type: 'conflict' } } })
    expect(other.body.error.message).toContain('Idempotency-Key')
    expect(await countEntries()).toBe(after)
  })
})

describe('a key that is created', () => {
  const name = 'Created once'
  const create = (key: string, body: unknown = { name }) => service.api.post('/v1/keys', body, withKey(key))

  test('is created once, however many ask at the same moment', async () => {
    const key = nextKey()
    const before = (await countEntries()) ?? 0
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(key)))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await countEntries()).toBe(before + 1)
    expect((await service.as(answers[0]?.body.key).get('/v1/keys')).status).toBe(200)
  })

  test('is the same request with its members in another order, and another one with another value', async () => {
    const key = nextKey()
    const { body } = await create(key, '{ "name": "Ordered", "metadata": { "a": "1", "b": "2" } }')
    expect((await create(key, '{"metadata":{"b":"2","a":"1"},"name":"Ordered"}')).body).toEqual(body)
    expect((await create(key, { name: 'Ordered', metadata: { a: '1', b: '3' } })).status).toBe(409)
  })

  test('is created when the first attempt failed', async () => {
    const key = nextKey()
    expect((await create(key, { name: '' })).status).toBe(400)
    expect((await create(key, { name, teamId: 'team_never' })).status).toBe(404)
    await service.database.query(
      "alter table audit_log add constraint refuse_some check (subject_type <> 'key') not valid",
    )
    expect((await create(key)).status).toBe(500)
    await service.database.query('alter table audit_log drop constraint refuse_some')
    expect((await create(key)).status).toBe(201)
  })

  test('belongs to whoever asked: another caller’s key of the same name is another', async () => {
    const key = nextKey()
    const { body } = await create(key)
    const manager = (await service.api.post('/v1/keys', { name: 'Second', role: 'manager' })).body
    const other = await service.as(manager.key).post('/v1/keys', { name }, withKey(key))
    expect(other.status).toBe(201)
    expect(other.body.id).not.toBe(body.id)
  })

  test('is nowhere in the database in a form that can be read', async () => {
    const key = nextKey()
    const { body } = await create(key)
    const stored = await service.database.query<{ row: string }>(
      "select encode(sealed, 'escape') || encode(fingerprint, 'escape') || encode(key_hash, 'escape') as row from idempotent_answers",
    )
    expect(stored.length).toBeGreaterThan(0)
    for (const { row } of stored) {
      expect(row).not.toContain(body.key)
      expect(row).not.toContain(name)
      expect(row).not.toContain(key)
    }
  })

  test('after a day the key may be used again, whether or not the old answer was deleted by then', async () => {
    const key = nextKey()
    const first = (await create(key)).body
    const age = () =>
      service.database.query("update idempotent_answers set created_at = now() - interval '25 hours'")
    await age()
    const second = (await create(key, { name: 'Another' })).body
    expect(second).toMatchObject({ name: 'Another' })
    expect(second.id).not.toBe(first.id)
    expect((await create(key, { name: 'Another' })).body).toEqual(second)

    await age()
    const { db, close } = openDatabase(service.database.url, () => undefined)
    await deleteOldAnswers(db)
    await close()
    expect(await service.database.query('select from idempotent_answers')).toEqual([])
  })

  test.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['not printable', 'a\tb'],
    ['not ASCII', 'é'],
  ])('is refused with a key that is %s', async (_, key) => {
    const answer = await create(key)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'idempotency-key' }] } },
    })
  })

  test('takes the longest key there may be', async () => {
    expect((await create('x'.repeat(255))).status).toBe(201)
  })
})

test('more callers than the pool has connections wait for the first without taking one each', async () => {
  const fresh = await startTestService()
  const key = nextKey()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      fresh.api.post('/v1/budgets', { name: 'Once', amountUsd: 1 }, withKey(key)),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  await fresh.stop()
})

test('keys to secrets are read again while every connection of the pool waits for them', async () => {
  const endpoint = { url: 'http://127.0.0.1:9/', type: 'generic', events: ['webhook.test'] }
  const guardrail = { kind: 'http', config: { url: 'http://127.0.0.1:9/' }, enabled: false }
  const requests = Array.from({ length: 40 }, (_, i) =>
    i % 2 === 0
      ? (['/v1/webhook-endpoints', { ...endpoint, name: `Endpoint ${i}` }] as const)
      : (['/v1/policies', { ...guardrail, name: `Guardrail ${i}` }] as const),
  )
  let done = false
  // As a rotation of the master key does.
  const announcing = (async () => {
    while (!done) await service.database.query(`select pg_notify('tallystick_changes', 'data_keys:')`)
  })()
  const answers = await Promise.all(
    requests.map(([path, body]) => service.api.post(path, body, withKey(nextKey()))),
  )
  done = true
  await announcing
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
})
