import { afterEach, beforeEach, expect, test } from 'vitest'
import { inVainMs, waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { type Database, openDatabase } from '../../db/index.js'
import { dropExpired, makePartitions } from './partitions.js'
import { projectCalls } from './projection.js'

const dayMs = 86_400_000
const now = Date.now()
const daysAgo = (days: number) => new Date(now - days * dayMs)
let database: TestDatabase
let opened: Database

beforeEach(async () => {
  database = await createTestDatabase()
  // One test has a transaction wait for it.
  opened = openDatabase(database.url, () => undefined, { answerTimeoutMs: inVainMs })
})
afterEach(async () => {
  await opened.close()
  await database.drop()
})

let seq = 0
async function addCall(at: Date): Promise<number> {
  const draft = { id: `req_${++seq}`, ts: at.toISOString(), kind: 'model' as const, upstream: 'a\0b' }
  for (const { text, values } of projectCalls([{ tenantId: 't', seq, commitmentKey: null, draft }]))
    await database.query(text, values)
  return seq
}

const partitionOf = async (number: number): Promise<string | undefined> =>
  (
    await database.query<{ name: string }>(
      'select tableoid::regclass::text as name from calls where seq = $1',
      [number],
    )
  )[0]?.name

test('a call without a partition goes to the default one, and moves when its partition is created', async () => {
  const [recent, old, ahead] = [
    await addCall(daysAgo(0)),
    await addCall(daysAgo(70)),
    await addCall(daysAgo(-400)),
  ]
  expect(await partitionOf(recent)).toMatch(/^calls_\d{8}$/)
  expect(await partitionOf(old)).toBe('calls_default')
  expect(await partitionOf(ahead)).toBe('calls_default')
  await Promise.all([1, 2, 3].map(() => makePartitions(opened.db, daysAgo(80), daysAgo(60))))
  expect(await partitionOf(old)).toMatch(/^calls_\d{8}$/)
  expect(await partitionOf(ahead)).toBe('calls_default')
})

test('no call is lost while its partition is being created', async () => {
  const writers = Array.from({ length: 20 }, (_, n) => addCall(daysAgo(50 + (n % 3) * 7)))
  await Promise.all([...writers, makePartitions(opened.db, daysAgo(70), daysAgo(50))])
  expect(await database.query('select from calls')).toHaveLength(20)
  expect(await database.query('select from calls_default')).toHaveLength(0)
})

test('expired weeks are dropped as a whole, and nothing else is', async () => {
  await makePartitions(opened.db, daysAgo(100), daysAgo(0))
  const kept = [await addCall(daysAgo(0)), await addCall(daysAgo(29))]
  for (const days of [45, 60, 99, 900]) await addCall(daysAgo(days))
  await dropExpired(opened.db, daysAgo(30))
  const left = await database.query<{ seq: string }>('select seq from calls order by seq')
  expect(left.map(({ seq }) => Number(seq))).toEqual(kept)
  const partitions = await database.query<{ until: Date }>('select until from calls_partitions')
  expect(partitions.every(({ until }) => until > daysAgo(30))).toBe(true)
})

test('dropping gives up instead of blocking writers', async () => {
  await makePartitions(opened.db, daysAgo(100), daysAgo(0))
  await addCall(daysAgo(60))
  let finish: () => void = () => undefined
  const writing = opened.db.transaction().execute(async (tx) => {
    await tx.updateTable('calls').set({ status: 200 }).where('tenant_id', '=', 't').execute()
    await new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  await waitFor('the writer', async () => {
    // Other databases of the server are copies of the same template: their tables have the same number.
    const held = await database.query(
      `select from pg_locks join pg_database d on d.oid = database and d.datname = current_database()
       where mode = 'RowExclusiveLock' and relation = 'calls'::regclass`,
    )
    return held.length > 0
  })
  await expect(dropExpired(opened.db, daysAgo(30))).rejects.toMatchObject({ code: '55P03' })
  finish()
  await writing
  await dropExpired(opened.db, daysAgo(30))
  expect(await database.query('select from calls')).toHaveLength(0)
})
