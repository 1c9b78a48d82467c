import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { masterKey } from '../../../../../../test/harness/processes/master-key.js'
import { startUpstream, type Upstream } from '../../../../../../test/harness/providers/upstream.js'
import { waitFor } from '../../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../../test/harness/service/database.js'
import { startDatabaseProxy } from '../../../../../../test/harness/service/database-proxy.js'
import { sealEndpointSecret } from '../../../../../../test/harness/service/endpoint-secret.js'
import { type Db, listenForChanges, newId, openDatabase } from '../../../db/index.js'
import { createOutbound } from '../../../outbound/index.js'
import { openSecrets } from '../../../secrets/index.js'
import { claimDeliveries, readMsUntilDue } from './claim.js'
import { recordOutcomes } from './record-outcomes.js'
import { type DeliveryWorker, startDeliveryWorker } from './worker.js'

let database: TestDatabase
let db: Db
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined)
  db = opened.db
  closing = [opened.close]
  await database.query(`insert into tenants (id, name) values ('t', 't')`)
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  await database.drop()
})

interface WorkerSetting {
  url?: string
  clock?: () => Date | null
  random?: () => number
}

async function startWorker({ url = database.url, ...rest }: WorkerSetting = {}): Promise<DeliveryWorker> {
  const changes = await listenForChanges(url, () => undefined)
  const opened = openDatabase(url, () => undefined)
  const outbound = createOutbound({ strict: false })
  const secrets = await openSecrets({
    db: opened.db,
    dataDir: '',
    configured: masterKey,
    warn: () => undefined,
  })
  const worker = startDeliveryWorker({
    db: opened.db,
    changes,
    outbound: {
      ...outbound,
      // No receiver is given up because the machine stands still for a while.
      post: (request) => outbound.post({ ...request, timeoutMs: 3_600_000 }),
    },
    secrets,
    onError: () => undefined,
    ...rest,
  })
  closing.push(async () => {
    await worker.close(0)
    await outbound.close()
    await changes.close()
    await opened.close()
  })
  return worker
}

async function receive(script: Parameters<typeof startUpstream>[0]): Promise<Upstream> {
  const receiver = await startUpstream(script)
  closing.push(receiver.close)
  return receiver
}

async function addEndpoint(url: string, maxAttempts = 30): Promise<string> {
  const id = newId('whe')
  await database.query(
    `insert into webhook_endpoints (id, tenant_id, name, url, type, events, sealed_secret, max_attempts)
     values ($1, 't', 'x', $2, 'generic', '{webhook.test}', $3, $4)`,
    [id, url, await sealEndpointSecret(db, 't', id), maxAttempts],
  )
  return id
}

async function addDeliveries(endpointId: string, count: number, dueAt: Date = new Date()): Promise<void> {
  await database.query(
    `with made as (
       insert into webhook_deliveries (endpoint_id, tenant_id, event, data, due_at)
       select $1, 't', 'policy.violation', '{"message":"x"}', $3 from generate_series(1, $2) returning 1)
     select pg_notify('tallystick_changes', 'webhook_deliveries:t') from made limit 1`,
    [endpointId, count, dueAt],
  )
}

interface Row {
  status: string
  attempts: number
  due_at: Date
  attempted_at: Date | null
  error: string | null
}
const rows = (endpointId: string) =>
  database.query<Row>('select * from webhook_deliveries where endpoint_id = $1 order by id', [endpointId])

const unlimited = { endpointIds: [], capacities: [], forOthers: 1_000, total: 1_000 }
const after = (date: Date, ms: number) => new Date(date.getTime() + ms)

test('over a hundred attempts each delay is as specified, up to the cap of an hour and its jitter', async () => {
  let now = new Date('2026-05-01T00:00:00.000Z')
  let turn = 0
  const randoms = [0, 0.25, 0.5, 0.999_999]
  const random = () => randoms[turn++ % randoms.length] ?? 0
  const receiver = await receive((_, response) => void response.writeHead(500).end())
  const endpoint = await addEndpoint(receiver.url, 100)
  await addDeliveries(endpoint, 1, now)
  const worker = await startWorker({ clock: () => now, random })

  for (let attempt = 1; attempt <= 100; attempt++) {
    const row = await waitFor(`attempt ${attempt}`, async () =>
      (await rows(endpoint)).find(({ attempts }) => attempts === attempt),
    )
    expect(row.attempted_at).toEqual(now)
    if (attempt === 100) break
    expect(row.status).toBe('retrying')
    const full = Math.min(3_600_000, 5_000 * 2 ** (attempt - 1))
    const taken = randoms[(attempt - 1) % randoms.length] ?? 0
    expect(row.due_at).toEqual(after(now, Math.round(full * (1 - 0.2 * taken))))
    // A millisecond before it is due, nobody can claim it.
    expect(await claimDeliveries(db, unlimited, after(row.due_at, -1))).toEqual([])
    now = row.due_at
    worker.wake()
  }
  expect(await rows(endpoint)).toMatchObject([{ status: 'dead', attempts: 100 }])
  now = after(now, 365 * 86_400_000)
  expect(await claimDeliveries(db, unlimited, now)).toEqual([])
  expect(await readMsUntilDue(db, now)).toBeNull()
  expect(receiver.seen).toHaveLength(100)
  expect(new Set(receiver.seen.map(({ raw }) => raw.toString())).size).toBe(1)
})

test('endpoints that hang delay no other, and no endpoint has more than its share in flight', async () => {
  let hanging = 0
  const silent = await receive(() => {
    hanging++
  })
  const dead = await Promise.all(
    Array.from({ length: 40 }, (_, i) => addEndpoint(`${silent.url}/${i}`).then((id) => ({ id, i }))),
  )
  for (const { id } of dead) await addDeliveries(id, 25)
  let atOnce = 0
  let most = 0
  const lively = await receive(async (_, response) => {
    most = Math.max(most, ++atOnce)
    await pause(2)
    atOnce--
    response.end()
  })
  const endpoint = await addEndpoint(lively.url)
  await startWorker()
  await waitFor('the dead to be tried', () => hanging >= 40)

  await addDeliveries(endpoint, 300)
  await waitFor('the lively', async () =>
    (await rows(endpoint)).every(({ status }) => status === 'delivered'),
  )
  expect(most).toBeLessThanOrEqual(64)
  expect(most).toBeGreaterThan(4)
  const perDead = new Map<string, number>()
  for (const { path } of silent.seen) perDead.set(path, (perDead.get(path) ?? 0) + 1)
  expect(Math.max(...perDead.values())).toBeLessThanOrEqual(2)
})

test('what a crashed worker had claimed can be claimed again when its lease ends, and not before', async () => {
  const endpoint = await addEndpoint('http://127.0.0.1:9/')
  const now = new Date('2026-05-01T00:00:00.000Z')
  await addDeliveries(endpoint, 1, now)
  const [held] = await claimDeliveries(db, unlimited, now)
  expect(held?.lease_until).toEqual(after(now, 15_000))
  expect(await claimDeliveries(db, unlimited, after(now, 14_999))).toEqual([])
  expect(await readMsUntilDue(db, after(now, 5_000))).toBe(10_000)
  expect(await claimDeliveries(db, unlimited, after(now, 15_000))).toHaveLength(1)
})

test('of ten concurrent claims each gets other deliveries, and together they get all', async () => {
  const endpoint = await addEndpoint('http://127.0.0.1:9/')
  // No lease ends in the meantime, however long it takes.
  const now = new Date()
  await addDeliveries(endpoint, 500, now)
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimDeliveries(db, unlimited, now)))
  const ids = claims.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  while (ids.length < 500) {
    const more = await claimDeliveries(db, unlimited, now)
    expect(more.length).toBeGreaterThan(0)
    ids.push(...more.map(({ id }) => id))
  }
  expect(new Set(ids).size).toBe(500)
})

test('endpoints with little capacity are served first, however much is due for the others', async () => {
  const busy = await Promise.all(Array.from({ length: 3 }, () => addEndpoint('http://127.0.0.1:9/')))
  for (const id of busy) await addDeliveries(id, 300, after(new Date(), -60_000))
  const newcomer = await addEndpoint('http://127.0.0.1:9/')
  await addDeliveries(newcomer, 3)
  const capacity = { endpointIds: busy, capacities: [256, 256, 256], forOthers: 2, total: 100 }
  const claimed = await claimDeliveries(db, capacity, null)
  expect(claimed).toHaveLength(100)
  expect(claimed.filter(({ endpoint_id }) => endpoint_id === newcomer)).toHaveLength(2)
})

test('rows that another transaction is claiming are skipped, not waited for', async () => {
  const endpoint = await addEndpoint('http://127.0.0.1:9/')
  await addDeliveries(endpoint, 3)
  await db.transaction().execute(async (tx) => {
    const held = await claimDeliveries(tx, { ...unlimited, total: 1 }, null)
    const others = await claimDeliveries(db, unlimited, null)
    expect([held.length, others.length]).toEqual([1, 2])
  })
})

test('of two attempts at the same delivery a success counts in any case, and a failure only with the current lease', async () => {
  const endpoint = await addEndpoint('http://127.0.0.1:9/')
  const now = new Date('2026-05-01T00:00:00.000Z')
  await addDeliveries(endpoint, 2, now)
  const early = await claimDeliveries(db, unlimited, now)
  const late = await claimDeliveries(db, unlimited, after(now, 20_000))
  const finish = (claims: typeof early, n: number, delivered: boolean) => {
    const claim = claims.toSorted((a, b) => (a.id < b.id ? -1 : 1))[n]
    if (!claim) throw new Error('nothing was claimed')
    const outcome = { delivered, statusCode: delivered ? 200 : 500, error: delivered ? null : 'no' }
    const { endpoint_id: endpointId, id, lease_until: leaseUntil } = claim
    return recordOutcomes(
      db,
      [{ endpointId, id, leaseUntil, maxAttempts: 30, delayMs: 5_000, durationMs: 7, ...outcome }],
      after(now, 21_000),
    )
  }
  await finish(early, 0, false)
  expect(await rows(endpoint)).toMatchObject([{ status: 'pending', attempts: 0 }, { attempts: 0 }])
  await finish(late, 0, true)
  await finish(early, 0, false)
  await finish(early, 1, true)
  await finish(late, 1, false)
  expect(await rows(endpoint)).toMatchObject([
    { status: 'delivered', attempts: 1, error: null },
    { status: 'delivered', attempts: 1, error: null },
  ])
})

test('a worker that is closed lets attempts in flight end, and records their outcomes', async () => {
  const receiver = await receive(async (_, response) => {
    await pause(200)
    response.end()
  })
  const endpoint = await addEndpoint(receiver.url)
  await addDeliveries(endpoint, 10)
  const worker = await startWorker()
  await waitFor('an attempt', () => receiver.seen.length > 0)
  await worker.close(600_000)
  const seen = receiver.seen.length
  expect(seen).toBeLessThan(10)
  expect((await rows(endpoint)).filter(({ status }) => status === 'delivered')).toHaveLength(seen)
})

test('a worker that is closed without a grace period leaves its attempts to others, and records none as failed', async () => {
  const receiver = await receive(() => undefined)
  const endpoint = await addEndpoint(receiver.url)
  await addDeliveries(endpoint, 1)
  const worker = await startWorker()
  await waitFor('the attempt', () => receiver.seen.length === 1)
  await worker.close(0)
  expect(await rows(endpoint)).toMatchObject([{ status: 'pending', attempts: 0, error: null }])
})

test('outcomes that could not be written are written when the database is back', async () => {
  const proxy = await startDatabaseProxy(database.url)
  closing.push(proxy.close)
  const receiver = await receive(async (_, response) => {
    await proxy.cut()
    response.end()
  })
  const endpoint = await addEndpoint(receiver.url)
  // By a clock that stands: after its lease a delivery is sent once more.
  const now = new Date()
  await addDeliveries(endpoint, 1, now)
  await startWorker({ url: proxy.url, clock: () => now })
  await waitFor('the attempt', () => receiver.seen.length === 1)
  await pause(300)
  receiver.answerWith((_, response) => void response.end())
  await proxy.restore()
  await waitFor('the outcome', async () => (await rows(endpoint))[0]?.status === 'delivered')
  await addDeliveries(endpoint, 1, now)
  await waitFor('the next', async () => (await rows(endpoint)).every(({ status }) => status === 'delivered'))
  expect(receiver.seen).toHaveLength(2)
})

test('what becomes due later is sent then, without a wake-up', async () => {
  const receiver = await receive((_, response) => void response.end())
  const endpoint = await addEndpoint(receiver.url)
  await startWorker()
  const dueAt = new Date(Date.now() + 700)
  await addDeliveries(endpoint, 1, dueAt)
  await waitFor('the delivery', () => receiver.seen.length === 1)
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt.getTime())
})
