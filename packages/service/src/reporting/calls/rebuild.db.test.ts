import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fillRecord } from '../../../../../test/harness/record/fill-record.js'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../../../../test/harness/record/ledger.js'
import { inVainMs, waitFor } from '../../../../../test/harness/run/wait.js'
import { type Database, openDatabase } from '../../db/index.js'
import type { Entry } from '../../record/index.js'
import { projectCallCorrection, projectCalls } from './projection.js'
import { rebuildCalls } from './rebuild.js'

const dayMs = 86_400_000
const retentionDays = 400
let bench: LedgerBench
let opened: Database
let tenantId: string

beforeEach(async () => {
  bench = await createLedgerBench()
  // One test has a transaction wait for it.
  opened = openDatabase(bench.database.url, () => undefined, { answerTimeoutMs: inVainMs })
  tenantId = bench.tenantIds[0] ?? ''
})
afterEach(async () => {
  await opened.close()
  await bench.close()
})

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()

/** Receipts without rows: of this week, of months ago, and one that is past its retention. */
async function fillWithoutCalls(): Promise<void> {
  const options = { database: bench.database, dataDir: bench.dataDir, tenantId }
  await fillRecord({ ...options, groups: [300, 200] })
  await fillRecord({ ...options, groups: [40], draft: { ts: daysAgo(100) } })
  await fillRecord({ ...options, groups: [1], draft: { ts: daysAgo(500) } })
}

/** Returns the expected row of each call, computed from the record. */
async function expectedRows(): Promise<unknown[]> {
  const receipts = await bench.database.query<{ canonical: string }>(
    'select canonical from receipts order by seq',
  )
  const adjusted = await bench.database.query<{ adjusts: string; nanos: string }>(
    'select adjusts, sum(cost_nanos) as nanos from adjustments group by adjusts',
  )
  const nanosOf = new Map(adjusted.map(({ adjusts, nanos }) => [Number(adjusts), Number(nanos)]))
  return receipts
    .map(({ canonical }): Entry => JSON.parse(canonical))
    .filter(({ kind, ts }) => kind !== 'control' && ts > daysAgo(retentionDays))
    .map(({ seq, id, ts, costNanos = 0 }) => [seq, id, ts, costNanos + (nanosOf.get(seq) ?? 0)])
}

async function actualRows(): Promise<unknown[]> {
  const rows = await opened.db
    .selectFrom('calls')
    .select(['seq', 'request_id', 'ts', 'cost_nanos'])
    .orderBy('seq')
    .execute()
  return rows.map(({ seq, request_id, ts, cost_nanos }) => [seq, request_id, ts.toISOString(), cost_nanos])
}

/** As a correction does it: the adjustment first, then the row. */
async function correct(adjusts: number, costNanos: number): Promise<void> {
  const [receipt] = await bench.database.query<{ ts: Date }>('select ts from receipts where seq = $1', [
    adjusts,
  ])
  await opened.db.transaction().execute(async (tx) => {
    const run = (text: string, values: unknown[]) => tx.executeQuery(CompiledQuery.raw(text, values))
    await run('insert into adjustments (tenant_id, adjusts, seq, cost_nanos) values ($1, $2, $3, $4)', [
      tenantId,
      adjusts,
      1_000_000 + adjusts * 1_000 + costNanos,
      costNanos,
    ])
    const draft = {
      id: 'x',
      ts: receipt?.ts.toISOString() ?? '',
      kind: 'control' as const,
      adjusts,
      costNanos,
    }
    for (const { text, values } of projectCallCorrection({ tenantId, seq: 0, commitmentKey: null, draft }))
      await run(text, values)
  })
}

test('two concurrent rebuilds during writes and corrections leave every call once, as in the record', async () => {
  await fillWithoutCalls()
  // Wrong in every way: without a receipt, with another time, with another cost.
  await rebuildCalls(opened.db, tenantId, { retentionDays, onProgress: () => undefined })
  await bench.database.query(`insert into calls select * from
    (select (jsonb_populate_record(c, jsonb_build_object('ts', ts + interval '1 minute'))).* from calls c where seq % 7 = 0) as moved`)
  await bench.database.query('delete from calls where seq % 5 = 0')
  await bench.database.query(`update calls set cost_nanos = 999, model = 'wrong' where seq % 3 = 0`)

  const ledgers = [
    await bench.open({ projections: [projectCalls] }),
    await bench.open({ projections: [projectCalls] }),
  ]
  let isOver = false
  const writers = ledgers.map(async (ledger) => {
    for (let n = 0; n < 20 || !isOver; n++)
      await Promise.all(Array.from({ length: 5 }, () => ledger.append(newReceipt(tenantId))))
  })
  const corrector = (async () => {
    for (let seq = 1; seq <= 40; seq++) await correct(seq * 12, seq)
  })()
  const rebuild = () => rebuildCalls(opened.db, tenantId, { retentionDays, onProgress: () => undefined })
  await Promise.all([rebuild(), rebuild()])
  await corrector
  isOver = true
  await Promise.all(writers)
  expect(await actualRows()).toEqual(await expectedRows())
  expect(await bench.database.query(`select from calls where model = 'wrong'`)).toEqual([])
})

test('calls whose receipts were dropped from the record survive a rebuild', async () => {
  await fillWithoutCalls()
  await rebuildCalls(opened.db, tenantId, { retentionDays, onProgress: () => undefined })
  const before = await actualRows()
  await bench.database.query(
    `insert into record_closings (tenant_id, size, prev, frontier, note) values ($1, 256, '', $2, '')`,
    [tenantId, Buffer.alloc(32)],
  )
  await bench.database.query('delete from receipts where seq <= 256')
  await rebuildCalls(opened.db, tenantId, { retentionDays, onProgress: () => undefined })
  expect(await actualRows()).toEqual(before)
})

test('a partition that waits for a reader does not block writers', async () => {
  await fillWithoutCalls()
  const ledger = await bench.open({ projections: [projectCalls] })
  await opened.db
    .transaction()
    .execute(async (reader) => {
      await reader.selectFrom('calls').select('seq').limit(1).execute()
      const rebuilding = rebuildCalls(opened.db, tenantId, { retentionDays, onProgress: () => undefined })
      await waitFor('a partition that waits for the reader', async () => {
        const waiting = await bench.database.query(
          `select from pg_locks join pg_database d on d.oid = database and d.datname = current_database()
           where not granted and mode = 'AccessExclusiveLock'`,
        )
        return waiting.length > 0
      })
      await ledger.append(newReceipt(tenantId))
      expect(ledger.pending()).toEqual({ queued: 0, spooled: 0 })
      return { rebuilding }
    })
    .then(({ rebuilding }) => rebuilding)
  expect(await actualRows()).toEqual(await expectedRows())
  expect(await bench.database.query('select from calls_default')).toEqual([])
})

test('stage times, which receipts do not contain, are left unchanged and do not count as a difference', async () => {
  await fillWithoutCalls()
  const rebuild = () => rebuildCalls(opened.db, tenantId, { retentionDays, onProgress: () => undefined })
  await rebuild()
  await bench.database.query("update calls set stage_ends = '{1,null,3}'")
  await bench.database.query('update calls set output_tokens = output_tokens + 1 where seq = 7')
  expect((await rebuild()).built).toBe(1)
  expect((await rebuild()).built).toBe(0)
  const rows = await bench.database.query('select distinct stage_ends from calls')
  expect(rows).toEqual([{ stage_ends: [1, null, 3] }])
})

test('all columns that searches use are rebuilt from the receipts', async () => {
  const ledger = await bench.open({ projections: [projectCalls] })
  const facts = {
    route: 'smart',
    agent: 'claude-code',
    cache: 'hit',
    batch: 'batch_1',
    session: 's1',
    tags: { env: 'prod' },
  } as const
  await ledger.append(newReceipt(tenantId, facts))
  await ledger.append(newReceipt(tenantId))
  const readFacts = () =>
    bench.database.query('select route, agent, cache, batch, session, tags from calls order by seq')
  const written = await readFacts()
  expect(written).toEqual([
    facts,
    { route: null, agent: null, cache: null, batch: null, session: null, tags: null },
  ])
  // Like rows of a previous version without these columns.
  await bench.database.query(
    'update calls set route = null, agent = null, cache = null, batch = null, session = null, tags = null',
  )
  expect(await rebuildCalls(opened.db, tenantId, { retentionDays, onProgress: () => undefined })).toEqual({
    built: 1,
    deleted: 0,
  })
  expect(await readFacts()).toEqual(written)
})
