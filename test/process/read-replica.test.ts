import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { readMetrics } from '../harness/reporting/metrics.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase } from '../harness/service/database.js'
import { type DatabaseProxy, startDatabaseProxy } from '../harness/service/database-proxy.js'
import { createReplicatedDatabase, type ReplicatedDatabase } from '../harness/service/read-replica.js'
import { startTestService, type TestService } from '../harness/service/service.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

// A service with a standby that really streams, can be stopped from replaying, and dies.

let database: ReplicatedDatabase
let proxy: DatabaseProxy
let upstream: Upstream
let service: TestService

const start = (readUrl: string, env: Record<string, string> = {}) =>
  startTestService({
    database,
    managerKey: service?.managerKey ?? '',
    env: {
      OPENAI_API_KEY: 'sk-1',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      TALLYSTICK_DATABASE_READ_URL: readUrl,
      ...env,
    },
  })

beforeAll(async () => {
  upstream = await startUpstream(answerChat)
  database = await createReplicatedDatabase()
  proxy = await startDatabaseProxy(database.replica.url)
  service = await start(proxy.url, { TALLYSTICK_DATABASE_READ_MAX_LAG_MS: '20000' })
})
afterAll(async () => {
  await service?.stop()
  await upstream?.close()
  await proxy?.close()
  await database?.drop()
})

const ageHeader = 'x-tallystick-data-as-of'

async function call(): Promise<string> {
  const { status, headers } = await service.api.post('/v1/chat/completions', chatCall(false))
  expect(status).toBe(200)
  return headers.get('x-tallystick-request-id') ?? ''
}

/** The newest calls, and how old they may be; null for data of the primary. */
async function listCalls(): Promise<{ ids: string[]; asOf: Date | null }> {
  const { status, headers, body } = await service.api.get('/v1/calls?limit=200')
  expect(status).toBe(200)
  const asOf = headers.get(ageHeader)
  const ids = body.data.map(({ requestId }: { requestId: string }) => requestId)
  return { ids, asOf: asOf === null ? null : new Date(asOf) }
}

const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** What the replica may answer, in spans that do not move. */
async function readAll() {
  const span = `from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`
  const paths = [
    `/v1/usage?${span}&interval=month&groupBy=model`,
    `/v1/usage?${span}&format=csv`,
    `/v1/usage/latency?from=${dayAfter(-1)}&to=${dayAfter(1)}&groupBy=model`,
    '/v1/calls?limit=200',
    `/v1/calls/density?${span}&buckets=2`,
    '/v1/audit-log',
  ]
  const answers = await Promise.all(paths.map((path) => service.api.get(path)))
  return {
    statuses: answers.map(({ status }) => status),
    fromReplica: answers.filter(({ headers }) => headers.has(ageHeader)).length,
    bodies: answers.map(({ body }) => body),
  }
}

const untilReplicaHas = async (id: string) =>
  await waitFor('the replica to answer with the call', async () => {
    const { ids, asOf } = await listCalls()
    return asOf !== null && ids.includes(id)
  })

test('a replica answers usage, calls and the audit log, and a header says how old they may be', async () => {
  const id = await call()
  const before = new Date()
  await untilReplicaHas(id)
  const { asOf } = await listCalls()
  expect(asOf?.getTime()).toBeGreaterThanOrEqual(before.getTime())
  expect(await readAll()).toMatchObject({ statuses: Array(6).fill(200), fromReplica: 6 })
  // What a caller has just made is read back from the primary.
  expect((await service.api.get(`/v1/calls/${id}`)).headers.has(ageHeader)).toBe(false)
  const metrics = await readMetrics(service.address)
  expect(metrics.one('tallystick_replica_usable')).toBe(1)
  expect(metrics.sum('tallystick_replica_reads_total')).toBeGreaterThan(6)
})

test('a replica that does not replay is read with its age until it is too far behind; then the primary answers', async () => {
  await untilReplicaHas(await call())
  await database.replica.query('select pg_wal_replay_pause()')
  const pausedAt = new Date()
  const id = await call()
  const stale = await listCalls()
  expect(stale.asOf?.getTime()).toBeLessThanOrEqual(Date.now())
  expect(stale.ids).not.toContain(id)
  expect((await service.api.get(`/v1/calls/${id}`)).body).toMatchObject({ requestId: id })
  // An export has everything up to the moment when it was requested.
  const { body, headers } = await service.api.get('/v1/compliance/export')
  const [{ max }] = (await database.query<{ max: number }>('select max(seq)::int as max from receipts')) as [
    { max: number },
  ]
  expect(headers.get('content-disposition')).toContain(`-1-${max}.jsonl`)
  expect(JSON.parse(body.trim().split('\n').at(-1))).toMatchObject({ type: 'end', entries: max })

  await waitFor('the primary to answer', async () => (await listCalls()).asOf === null)
  expect(Date.now() - pausedAt.getTime()).toBeGreaterThan(19_000)
  expect((await listCalls()).ids).toContain(id)
  const metrics = await readMetrics(service.address)
  expect(metrics.one('tallystick_replica_usable')).toBe(0)
  expect(metrics.one('tallystick_replica_fallbacks_total')).toBeGreaterThan(0)
  expect((await service.api.get('/readyz')).body.status).toBe('ready')

  await database.replica.query('select pg_wal_replay_resume()')
  await untilReplicaHas(id)
})

test('while the replica hangs, calls are made as before; when it dies, all figures are those of the primary', async () => {
  proxy.hang()
  const reading = listCalls()
  const ids = await Promise.all(Array.from({ length: 20 }, call))
  expect((await reading).asOf).toBeNull()
  await proxy.restore()
  await untilReplicaHas(ids.at(-1) ?? '')
  const fromReplica = await readAll()

  await database.replica.kill()
  const fromPrimary = await readAll()
  expect(fromReplica).toMatchObject({ statuses: Array(6).fill(200), fromReplica: 6 })
  expect(fromPrimary).toEqual({ ...fromReplica, fromReplica: 0 })
  const id = await call()
  expect((await listCalls()).ids).toContain(id)

  await database.replica.start()
  await untilReplicaHas(id)
})

test('a replica of another database is refused at the start, and a server that is no replica is not read', async () => {
  const elsewhere = await createTestDatabase()
  await service.stop()
  await expect(start(elsewhere.url)).rejects.toThrow(
    'TALLYSTICK_DATABASE_READ_URL: it has another database than DATABASE_URL',
  )
  await elsewhere.drop()
  const managerKey = service.managerKey
  service = { ...(await start(database.url)), managerKey }
  expect((await service.as(managerKey).get('/v1/calls')).headers.has(ageHeader)).toBe(false)
})
