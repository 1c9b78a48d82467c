import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aSecondMs, waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { startDatabaseProxy } from '../../../../../test/harness/service/database-proxy.js'
import { type Db, inTransaction, listenForChanges, openDatabase } from '../../db/index.js'
import { openSecrets, type Secrets } from '../../secrets/index.js'
import { createSliceQueue } from '../../shared/slice-queue.js'
import { createContentSettings } from '../settings/index.js'
import { type ContentCaptureOptions, createContentCapture } from './capture.js'
import { type CapturedAttempt, captureBytes } from './captured.js'
import { deleteDue } from './retention.js'
import { openContent, sealContent } from './sealed-content.js'
import { eraseContent } from './store.js'

let database: TestDatabase
let db: Db
let secrets: Secrets
let closing: (() => Promise<unknown>)[]
let lost: number
let errors: unknown[]

const tenants = ['tenant_a', 'tenant_b']
const dayMs = 86_400_000

beforeEach(async () => {
  database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined)
  db = opened.db
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-content-'))
  closing = [() => rm(dataDir, { recursive: true }), opened.close]
  secrets = await openSecrets({ db, dataDir, configured: null, warn: () => undefined })
  lost = 0
  errors = []
  for (const id of tenants) {
    await database.query('insert into tenants (id, name) values ($1, $1)', [id])
    await database.query(
      `insert into content_capture (tenant_id, mode, mode_seq, retention_days) values ($1, 'full', 1, 30)`,
      [id],
    )
    await database.query(`insert into members (tenant_id, user_id) values ($1, 'ada'), ($1, 'eve')`, [id])
  }
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  await database.drop()
})

async function startCapture(options: Partial<ContentCaptureOptions> = {}) {
  const changes = await listenForChanges(database.url, () => undefined)
  const settings = createContentSettings({ db, changes })
  const capture = createContentCapture({
    ...{ db, secrets, settings, yieldToEventLoop: createSliceQueue() },
    onLost: () => void lost++,
    onError: (error) => void errors.push(error),
    ...options,
  })
  closing.push(changes.close, capture.close)
  return { capture, settings }
}

let made = 0
const attempt = (fields: Partial<CapturedAttempt> = {}): CapturedAttempt => ({
  tenantId: 'tenant_a',
  requestId: `req_${++made}`,
  attempt: 1,
  userId: 'ada',
  capturedAt: new Date(),
  mode: 'full',
  modeSeq: 1,
  erasedTo: 0,
  request: captureBytes(Buffer.from('{"a":"request"}')),
  answer: captureBytes(Buffer.from('{"b":"answer"}')),
  ...fields,
})

const stored = () =>
  database.query<{ request_id: string; user_id: string }>('select * from call_content order by request_id')
const partitions = async () =>
  (
    await database.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'call_content'::regclass order by 1`,
    )
  ).map(({ name }) => name)

test('what is stored opens for its tenant, call and attempt, and nowhere else', async () => {
  const given = attempt()
  const sealed = await sealContent(given, secrets)
  const { mode, request, answer } = given
  expect(await openContent(given, sealed, secrets)).toEqual({ mode, request, answer })
  for (const other of [{ tenantId: 'tenant_b' }, { requestId: 'req_other' }, { attempt: 2 }])
    expect(await openContent({ ...given, ...other }, sealed, secrets)).toBe('undecryptable')
})

test('what there is no room for is lost and counted, and nobody waits', async () => {
  const { capture } = await startCapture({ maxQueuedBytes: 3_000 })
  for (let i = 0; i < 10; i++) capture.add(attempt())
  expect(lost).toBe(8)
  await waitFor('the rows', async () => (await stored()).length === 2)
  // The room is free again.
  capture.add(attempt())
  await waitFor('the third', async () => (await stored()).length === 3)
  expect(lost).toBe(8)
})

test('while the database is away content waits, then it is stored; what waits too long is lost', async () => {
  const proxy = await startDatabaseProxy(database.url)
  const away = openDatabase(proxy.url, () => undefined)
  closing.push(proxy.close, away.close)
  let now = 0
  const { capture } = await startCapture({ db: away.db, now: () => now, maxAgeMs: 60_000 })
  await proxy.cut()
  const [first, second] = [attempt(), attempt()]
  capture.add(first)
  await waitFor('a failure', () => errors.length > 0)
  await proxy.restore()
  await waitFor('the first', async () => (await stored()).length === 1)
  expect(lost).toBe(0)

  await proxy.cut()
  const failures = errors.length
  capture.add(second)
  await waitFor('another failure', () => errors.length > failures)
  now = 60_001
  await waitFor('the loss', () => lost === 1)
  await proxy.restore()
  expect((await stored()).map(({ request_id }) => request_id)).toEqual([first.requestId])
})

test('closing stores what waits', async () => {
  const { capture } = await startCapture()
  for (let i = 0; i < 100; i++) capture.add(attempt())
  await capture.close()
  expect(await stored()).toHaveLength(100)
  expect(lost).toBe(0)
})

test('a change of the setting is known on every replica within a second, and nothing is stored under the old one', async () => {
  const { capture, settings } = await startCapture()
  expect(await settings.current('tenant_a')).toMatchObject({ mode: 'full', modeSeq: 1 })
  expect(await capture.settingsFor('tenant_a')).toEqual({ mode: 'full', modeSeq: 1, erasedTo: 0 })
  await database.query(`update content_capture set mode = 'off', mode_seq = 2 where tenant_id = 'tenant_a'`)
  await waitFor('the change', async () => (await capture.settingsFor('tenant_a')) === null, aSecondMs)
  capture.add(attempt())
  capture.add(attempt({ tenantId: 'tenant_b', requestId: 'req_other' }))
  await waitFor('the other', async () => (await stored()).length > 0)
  expect((await stored()).map(({ request_id }) => request_id)).toEqual(['req_other'])
})

const announceErasure = (userId: string, seq: number) =>
  database.query(
    `insert into erasures (id, tenant_id, user_id, control_seq) values ($1, 'tenant_a', $2, $3)`,
    [`era_${seq}`, userId, seq],
  )

test('after an erasure nothing of the person is stored that began before it, whatever is under way', async () => {
  const { capture } = await startCapture()
  let erased = 0
  const adding = (async () => {
    // Calls come and go all the while; each began before the erasure that it may not know of.
    for (let i = 0; i < 400; i++) {
      const terms = await capture.settingsFor('tenant_a')
      for (const userId of ['ada', 'eve'])
        capture.add(
          attempt({ userId, erasedTo: terms?.erasedTo ?? 0, requestId: `req_${userId}_${erased}_${i}` }),
        )
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  for (let seq = 10; seq < 15; seq++) {
    await waitFor('some rows', async () => (await stored()).length > 0)
    await announceErasure('ada', seq)
    erased = seq
    await inTransaction(db, (tx) => eraseContent(tx, { tenantId: 'tenant_a', userId: 'ada' }))
    const left = await database.query<{ request_id: string }>(
      `select request_id from call_content where user_id = 'ada' and request_id !~ $1`,
      [`^req_ada_${seq}_`],
    )
    expect(left).toEqual([])
  }
  await adding
  await capture.close()
  const rows = await stored()
  // Those that came after the last one are kept; nothing of somebody else is missing.
  expect(rows.filter(({ user_id }) => user_id === 'eve')).toHaveLength(400)
  expect(rows.filter(({ request_id }) => /^req_ada_(0|1[0-3])_/.test(request_id))).toEqual([])
})

test('content goes when it is due as set now; days that are due for everyone go with their partitions', async () => {
  const { capture } = await startCapture()
  const at = (days: number, tenantId: string) => {
    const requestId = `req_${tenantId}_${String(days).padStart(2, '0')}`
    return attempt({ tenantId, requestId, capturedAt: new Date(Date.now() - days * dayMs) })
  }
  const ages = [0, 1.01, 6.99, 7.01, 29.99, 30.01, 33]
  for (const days of ages) for (const tenantId of tenants) capture.add(at(days, tenantId))
  await capture.close()
  const left = async (tenantId: string) =>
    ages.filter((days) => rows.some(({ request_id }) => request_id === at(days, tenantId).requestId))
  let rows = await stored()
  expect(rows).toHaveLength(14)
  const before = await partitions()

  await deleteDue(db)
  rows = await stored()
  for (const tenantId of tenants) expect(await left(tenantId)).toEqual([0, 1.01, 6.99, 7.01, 29.99])
  expect((await partitions()).length).toBeLessThan(before.length)

  await database.query(`update content_capture set retention_days = 7 where tenant_id = 'tenant_a'`)
  await deleteDue(db)
  rows = await stored()
  expect(await left('tenant_a')).toEqual([0, 1.01, 6.99])
  expect(await left('tenant_b')).toEqual([0, 1.01, 6.99, 7.01, 29.99])

  // Off keeps what is there until it is due.
  await database.query(`update content_capture set mode = 'off', retention_days = 1`)
  await deleteDue(db)
  rows = await stored()
  for (const tenantId of tenants) expect(await left(tenantId)).toEqual([0])
  expect((await partitions()).length).toBeLessThanOrEqual(3)
  expect(errors).toEqual([])
})
