import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, test as anyTest, beforeAll, expect, inject } from 'vitest'
import { startServiceProcess } from '../harness/processes/process.js'
import { hasRedis } from '../harness/processes/redis.js'
import { startReplicas } from '../harness/processes/replicas.js'
import { aSecondMs, waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import type { TestService } from '../harness/service/service.js'

const test = anyTest.skipIf(!hasRedis)

let replicas: Awaited<ReturnType<typeof startReplicas>> | undefined
let database: TestDatabase
let one: TestService
let other: TestService

beforeAll(async () => {
  if (!hasRedis) return
  replicas = await startReplicas({}, {})
  database = replicas.database
  one = replicas.one
  other = replicas.other
})
afterAll(() => replicas?.stop())

const create = async (fields: object = {}) =>
  (await one.api.post('/v1/keys', { name: 'A key', ...fields })).body

const call = (service: TestService, key: string) =>
  service
    .as(key)
    .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })

/** Resolves with the time it took until the replica answers so, at most a second. */
async function within1s(what: string, look: () => Promise<boolean>): Promise<void> {
  await waitFor(what, look, aSecondMs)
}

const listeners = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'tallystick changes'`

test('a key made on one replica works on the other at once', async () => {
  const { key } = await create()
  expect((await call(other, key)).status).toBe(200)
})

test('a revoked key is refused by every replica within a second, on the gateway and on the management interface', async () => {
  for (let round = 0; round < 10; round++) {
    const { id, key } = await create()
    expect((await call(other, key)).status).toBe(200)
    expect((await one.api.delete(`/v1/keys/${id}`)).status).toBe(204)
    await within1s('the refusal', async () => (await call(other, key)).status === 401)
    expect((await other.as(key).get('/v1/keys')).status).toBe(401)
    expect((await call(one, key)).status).toBe(401)
  }
})

test('a request with an Idempotency-Key that reaches both replicas at once is done once, and answered the same by both', async () => {
  for (let round = 0; round < 10; round++) {
    const headers = { 'idempotency-key': `round ${round}` }
    const answers = await Promise.all(
      [one, other, one, other].map(({ api }) => api.post('/v1/keys', { name: `Once ${round}` }, headers)),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.key)).size).toBe(1)
    expect(await database.query('select id from keys where name = $1', [`Once ${round}`])).toHaveLength(1)
  }
})

test('limits and allowlists changed on one replica act on the other within a second', async () => {
  const { id, key } = await create()
  expect((await call(other, key)).status).toBe(200)
  await one.api.patch(`/v1/keys/${id}/limits`, { rpmLimit: 1 })
  await within1s('the limit', async () => (await call(other, key)).status === 429)
  await one.api.patch(`/v1/keys/${id}/limits`, { rpmLimit: null })
  await within1s('the end of the limit', async () => (await call(other, key)).status === 200)
  await one.api.patch(`/v1/keys/${id}`, { allowedModels: [] })
  await within1s('the allowlist', async () => (await call(other, key)).status === 403)
})

test('an auditor who was a manager changes nothing on any replica within a second, and still reads', async () => {
  const { key } = await create({ role: 'manager', userId: 'frank' })
  await one.api.patch('/v1/team/members/frank/role', { role: 'manager' })
  await within1s('the rights', async () => (await other.as(key).get('/v1/audit-log')).status === 200)
  await one.api.patch('/v1/team/members/frank/role', { role: 'auditor' })
  await within1s(
    'the demotion',
    async () => (await other.as(key).post('/v1/prompts', { name: '' })).status === 403,
  )
  expect((await other.as(key).get('/v1/audit-log')).status).toBe(200)
})

test('a demoted owner loses manager rights on every replica within a second', async () => {
  const { key } = await create({ role: 'manager', userId: 'erin' })
  await database.query("update members set role = 'manager' where user_id = 'erin'")
  await within1s(
    'the promotion',
    async () => (await other.as(key).post('/v1/keys', { name: 'x' })).status === 201,
  )
  await database.query("update members set role = 'member' where user_id = 'erin'")
  await within1s(
    'the demotion',
    async () => (await other.as(key).post('/v1/keys', { name: 'x' })).status === 403,
  )
})

test('a replica that cannot listen for changes reads every key afresh, and trusts its memory again once it can', async () => {
  const name = new URL(database.url).pathname.slice(1)
  const admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  const { id, key } = await create()
  expect((await call(other, key)).status).toBe(200)
  // Connections that are open go on; the one that listens cannot come back.
  await admin.query(`alter database ${name} allow_connections false`)
  try {
    await waitFor('nobody to listen', async () => {
      const { rowCount } = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and application_name = 'tallystick changes'`,
        [name],
      )
      return rowCount === 0
    })
    await one.api.delete(`/v1/keys/${id}`)
    await within1s('the refusal', async () => (await other.as(key).get('/v1/keys')).status === 401)
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.end()
  }
  await waitFor('both to listen again', async () => (await database.query(listeners)).length === 2)
  const { id: nextId, key: nextKey } = await create()
  expect((await call(other, nextKey)).status).toBe(200)
  await one.api.delete(`/v1/keys/${nextId}`)
  await within1s('the refusal', async () => (await call(other, nextKey)).status === 401)
})

test('a replica whose listening connection went silent refuses a revoked key within a second too', async () => {
  const { id, key } = await create()
  expect((await other.as(key).get('/v1/keys')).status).toBe(200)
  // In the middle of its work one may hold what all the others need.
  const backends = await waitFor('both to wait for news', async () => {
    const waiting = await database.query<{ pid: number }>(`${listeners} and wait_event = 'ClientRead'`)
    return waiting.length === 2 && waiting.map(({ pid }) => pid)
  })
  for (const pid of backends) process.kill(pid, 'SIGSTOP')
  try {
    await one.api.delete(`/v1/keys/${id}`)
    await within1s('the refusal', async () => (await other.as(key).get('/v1/keys')).status === 401)
  } finally {
    for (const pid of backends) process.kill(pid, 'SIGCONT')
  }
})

test('services that start at the same moment on an empty database make one tenant and one key between them', async () => {
  const empty = await createTestDatabase()
  await empty.query('drop schema public cascade')
  await empty.query('create schema public')
  const folders = await Promise.all(
    Array.from({ length: 3 }, () => mkdtemp(join(tmpdir(), 'tallystick-together-'))),
  )
  // Processes of their own: three starts in one would only wait for each other.
  const services = await Promise.all(
    folders.map((folder) =>
      startServiceProcess({
        DATABASE_URL: empty.url,
        REDIS_URL: replicas?.redis.url ?? '',
        TALLYSTICK_DATA_DIR: folder,
      }),
    ),
  )
  expect(await empty.query('select name from tenants')).toEqual([{ name: 'default' }])
  expect(await empty.query('select name, role, created_by from keys')).toEqual([
    { name: 'First manager key', role: 'manager', created_by: 'operator' },
  ])
  const printed = services.map((service) => service.output().match(/tallystick_sk_\w+/)?.[0])
  const [key, ...others] = printed.filter((value) => value !== undefined)
  expect(others).toEqual([])
  for (const { address } of services) {
    expect((await createApi(address, key ?? '').get('/v1/keys')).status).toBe(200)
  }
  expect(await Promise.all(services.map((service) => service.end('SIGTERM')))).toEqual([0, 0, 0])
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  await empty.drop()
})

test('the first key has the value that the operator chose, and only the first', async () => {
  const chosen = `tallystick_sk_${'Chosen'.repeat(5)}`
  const later = `tallystick_sk_${'Later'.repeat(5)}`
  const fresh = await startReplicas({ TALLYSTICK_BOOTSTRAP_KEY: chosen }, { TALLYSTICK_BOOTSTRAP_KEY: later })
  expect(fresh.one.service.firstKey).toBe(chosen)
  expect((await fresh.one.as(chosen).get('/v1/keys')).status).toBe(200)
  expect(fresh.other.service.firstKey).toBeNull()
  expect((await fresh.other.as(later).get('/v1/keys')).status).toBe(401)
  await fresh.stop()
})
