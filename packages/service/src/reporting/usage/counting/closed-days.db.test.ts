import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createLedgerBench,
  type LedgerBench,
  newReceipt,
} from '../../../../../../test/harness/record/ledger.js'
import { inVainMs, waitFor } from '../../../../../../test/harness/run/wait.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { closeDays } from './closed-days.js'
import { foldAll } from './fold.js'

let bench: LedgerBench
let database: Database
beforeAll(async () => {
  bench = await createLedgerBench()
  // One test has a transaction wait for it.
  database = openDatabase(bench.database.url, () => undefined, { answerTimeoutMs: inVainMs })
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

const dayMs = 86_400_000
// Fixed, in case midnight passes during the test.
const begunMs = Date.now()
const daysAgo = (days: number) => new Date(begunMs - days * dayMs).toISOString()
const readDays = (table: string, column: string) =>
  bench.database.query(
    `select ${column}::date as day, tags, sum(requests)::int as requests, sum(cost_nanos)::int as cost
     from ${table} group by 1, 2 order by 1, 2`,
  )

test('calls and folds do not wait for a day that is being aggregated, and the day includes both', async () => {
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  const append = (days: number, tags?: Record<string, string>) =>
    ledger.append(newReceipt(tenantId, { ts: daysAgo(days), ...(tags && { tags }) }))
  for (const n of ['1', '2', '3']) await append(2, { run: n })
  await append(2)
  await append(3)

  const closing = await database.db.transaction().execute(async (blocker) => {
    await sql`lock table usage_days in access exclusive mode`.execute(blocker)
    const closed = closeDays(database.db, new Date())
    await waitFor('a day that is being added up', async () => {
      // Other databases of the server are copies of the same template: their tables have the same number.
      const waiting = await bench.database.query(
        `select from pg_locks join pg_database d on d.oid = database and d.datname = current_database()
         where not granted and relation = 'usage_days'::regclass`,
      )
      return waiting.length > 0
    })
    await append(2, { run: '3' })
    await append(3)
    await foldAll(database.db)
    expect(ledger.pending()).toEqual({ queued: 0, spooled: 0 })
    return { closed }
  })
  await closing.closed
  // The first of the two days was being aggregated, and has changed since.
  expect(await bench.database.query('select from closed_usage_days where attempt is null')).toHaveLength(1)

  await Promise.all([closeDays(database.db, new Date()), closeDays(database.db, new Date())])
  await closeDays(database.db, new Date())
  expect(await bench.database.query('select from closed_usage_days where attempt is null')).toHaveLength(2)
  expect(await readDays('usage_days', 'day')).toEqual(await readDays('usage_hours', 'hour'))
  const sums =
    'sum(requests)::int as requests, sum(cost_nanos)::int as cost, sum(latency_buckets) as latencies'
  const days = await bench.database.query(`select day, ${sums} from usage_days group by 1 order by 1`)
  for (const detail of ['model_days', 'model_hours', 'owner_days', 'team_days'])
    expect(
      await bench.database.query(
        `select date_bin('1 day', start, 'epoch') as day, ${sums} from usage_summaries where detail = $1 group by 1 order by 1`,
        [detail],
      ),
    ).toEqual(days)
})
