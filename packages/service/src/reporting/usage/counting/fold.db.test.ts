import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createLedgerBench,
  type LedgerBench,
  newReceipt,
} from '../../../../../../test/harness/record/ledger.js'
import { readCountedUsage, spendOf } from '../../../../../../test/harness/reporting/counted-usage.js'
import { pick, random, seed } from '../../../../../../test/harness/run/seed.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { readSpend } from '../../../resources/budgets/index.js'
import { closeDays } from './closed-days.js'
import { countUnfolded, foldAll, foldTenant } from './fold.js'

let bench: LedgerBench
let database: Database
beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 6 })
  database = openDatabase(bench.database.url, () => undefined)
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

const query = (text: string, values?: unknown[]) => bench.database.query(text, values)
const counted = (tenantId: string) => readCountedUsage(bench.database.query, tenantId)
const countRows = async (tenantId: string) =>
  (await query('select from usage_deltas where tenant_id = $1', [tenantId])).length

const receiptAtRandom = (tenantId: string) =>
  newReceipt(tenantId, {
    ts: new Date(Date.UTC(2026, 0, pick([1, 2]), pick([0, 23]), pick([0, 59]))).toISOString(),
    key: pick(['a', 'b', 'c']),
    costNanos: Math.floor(random() * 9),
    latencyMs: Math.floor(random() * 3_000),
    outcome: pick(['ok', 'blocked', 'failed']),
    ...pick([{}, { user: 'ann', team: 'blue' }, { session: 'run "1"' }]),
    ...pick([{}, { tags: { project: 'a=b"\\', env: 'prod' } }, { tags: { env: 'dev' } }]),
  })

test('sums equal those of the receipts, whichever part of them is folded', async () => {
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  const receipts: ReturnType<typeof newReceipt>[] = []
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 6 }),
      async (groups) => {
        for (const size of groups) {
          const group = Array.from({ length: size }, () => receiptAtRandom(tenantId))
          receipts.push(...group)
          await Promise.all(group.map((receipt) => ledger.append(receipt)))
          const before = await counted(tenantId)
          expect(before.spend).toEqual(spendOf(receipts))
          expect(before.minutes).toEqual(before.hours)
          if (random() < 0.5) await foldTenant(database.db, tenantId)
          expect(await counted(tenantId)).toEqual(before)
        }
      },
    ),
    { numRuns: 10, seed },
  )
  await foldAll(database.db)
  expect(await countRows(tenantId)).toBe(0)
  const sums = await counted(tenantId)
  expect(sums.spend).toEqual(spendOf(receipts))
  expect(Object.values(sums.hours).reduce((calls, text) => calls + Number.parseInt(text, 10), 0)).toBe(
    receipts.length,
  )
})

test('rows that are not folded are counted, up to a maximum', async () => {
  const [, , , , , tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  await foldAll(database.db)
  expect(await countUnfolded(database.db, 10)).toBe(0)
  for (const key of ['a', 'b', 'c']) await ledger.append(newReceipt(tenantId, { key }))
  expect(await countUnfolded(database.db, 10)).toBe(3)
  expect(await countUnfolded(database.db, 2)).toBe(2)
  await foldAll(database.db)
  expect(await countUnfolded(database.db, 10)).toBe(0)
})

test('every snapshot counts each receipt once, during concurrent writes, folds, day closings and reads', async () => {
  const [, tenantId = ''] = bench.tenantIds
  const ledgers = [await bench.open(), await bench.open()]
  const folders = Array.from({ length: 3 }, () => openDatabase(bench.database.url, () => undefined))
  let isOver = false
  let looks = 0
  const untilOver = async (act: () => Promise<unknown>) => {
    while (!isOver) await act()
  }
  const writing = ledgers.map(async (ledger) => {
    for (let i = 0; i < 40; i++)
      await Promise.all(Array.from({ length: 12 }, () => ledger.append(receiptAtRandom(tenantId))))
  })
  const others = [
    ...folders.map(({ db }) => untilOver(() => foldTenant(db, tenantId))),
    untilOver(() => closeDays(database.db, new Date('2026-02-01T00:00:00Z'))),
    untilOver(async () => {
      const { hours, minutes, spend, receipts } = await counted(tenantId)
      const sumOf = (sums: Record<string, string>, part: RegExp) =>
        Object.values(sums).reduce((sum, text) => sum + Number(part.exec(text)?.[1]), 0)
      expect(minutes).toEqual(hours)
      const nanos = sumOf(hours, / (\d+) nanos/)
      expect(`${sumOf(hours, /^(\d+) calls/)} calls, ${nanos} nanos`).toBe(receipts)
      const ofTenant = Object.entries(spend).filter(([scope]) => scope.startsWith('tenant '))
      expect(ofTenant.reduce((sum, [, each]) => sum + Number(each), 0)).toBe(nanos)
      looks++
    }),
    // The sums for limits name the last receipt that they include.
    untilOver(async () => {
      const account = { scopeType: 'tenant', scopeId: tenantId, startMs: 0, endMs: null } as const
      const [spend] = await readSpend(database.db, tenantId, [account])
      const [sum] = await query(
        `select coalesce(sum((canonical::json ->> 'costNanos')::bigint), 0)::float8 as nanos from receipts
         where tenant_id = $1 and seq <= $2`,
        [tenantId, spend?.asOfSeq],
      )
      expect(spend?.spentNanos).toBe(sum?.nanos)
    }),
  ]
  await Promise.all(writing).finally(() => {
    isOver = true
  })
  await Promise.all(others)
  for (const { close } of folders) await close()
  expect(looks).toBeGreaterThan(0)
  expect((await counted(tenantId)).receipts).toMatch(/^960 calls/)
  await closeDays(database.db, new Date('2026-02-01T00:00:00Z'))
  const byDay = (table: string, column: string) =>
    query(
      `select date_bin('1 day', ${column}, 'epoch') as day, key_id, sum(cost_nanos) as nanos from ${table}
       where tenant_id = $1 group by 1, 2 order by 1, 2`,
      [tenantId],
    )
  expect(await byDay('usage_days', 'day')).toEqual(await byDay('usage_hours', 'hour'))
})

test('a fold whose server process is terminated leaves every row unchanged', async () => {
  const [, , tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  for (let i = 0; i < 5; i++)
    await Promise.all(Array.from({ length: 12 }, () => ledger.append(receiptAtRandom(tenantId))))
  const before = await counted(tenantId)
  for (let round = 0; round < 10; round++) {
    const folding = openDatabase(bench.database.url, () => undefined)
    const blocker = await database.db.transaction().execute(async (tx) => {
      // The fold waits for a total in the middle of its statement.
      await sql`lock table ${sql.table(pick(['folded_usage_hours', 'folded_usage_minutes', 'folded_spend_days']))} in exclusive mode`.execute(
        tx,
      )
      const folded = foldTenant(folding.db, tenantId).catch((error: unknown) => error)
      await pause(20 * random())
      await query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query like '%insert into folded_usage_hours%' and pid <> pg_backend_pid()`,
      )
      return { folded }
    })
    await blocker.folded
    await folding.close()
    expect(await counted(tenantId)).toEqual(before)
  }
  await foldTenant(database.db, tenantId)
  expect(await counted(tenantId)).toEqual(before)
  expect(await countRows(tenantId)).toBe(0)
})

test('a backlog is folded in steps that leave every sum unchanged', async () => {
  const [, , , tenantId = ''] = bench.tenantIds
  await query(
    `insert into usage_deltas (tenant_id, seq, minute, key_id, user_id, team_id, provider, model, outcome, session, tags, requests,
       input_tokens, output_tokens, cost_nanos, blocked, errors, latency_ms, latency_buckets)
     select $1, n, timestamptz '2026-01-01Z' + n % 300 * interval '1 minute', 'k' || n % 7, '', '', 'p', 'm', 'ok', '', '{}', 1, 1, 1, n, 0, 0,
       5, 1e12 + 2
     from generate_series(1, 12001) as n`,
    [tenantId],
  )
  const before = await counted(tenantId)
  const seen = new Set<number>()
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      expect(await counted(tenantId)).toEqual(before)
      seen.add(await countRows(tenantId))
    }
  })()
  await foldTenant(database.db, tenantId)
  isOver = true
  await looking
  for (const left of seen) expect([12_001, 7_001, 2_001, 0]).toContain(left)
  expect(await countRows(tenantId)).toBe(0)
  expect(await counted(tenantId)).toEqual(before)
  expect(await query('select upto from usage_folds where tenant_id = $1', [tenantId])).toEqual([
    { upto: '12001' },
  ])
})

test('a sum reads no more pages while an old snapshot is open, however much was folded since', async () => {
  const [, , , , tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  const appendAndFold = async () => {
    await Promise.all(Array.from({ length: 30 }, () => ledger.append(receiptAtRandom(tenantId))))
    await foldTenant(database.db, tenantId)
  }
  /** As a writer asks for the spend of a limit: its connection scans no table sequentially. */
  const pagesOf = () =>
    database.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
        explain (analyze, buffers, format json) select sum(cost_nanos) from unfolded_spend
        where tenant_id = ${sql.lit(tenantId)} and scope_type = 'key' and scope_id = 'a'`.execute(tx)
      const plan = rows[0]?.['QUERY PLAN'][0].Plan
      return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    })
  await appendAndFold()
  // Not a connection of the program, which ends transactions that are idle.
  const snapshot = new pg.Client(bench.database.url)
  await snapshot.connect()
  await snapshot.query('begin isolation level repeatable read')
  await snapshot.query('select count(*) from tenants')
  const before = await pagesOf()
  for (let i = 0; i < 60; i++) await appendAndFold()
  const after = await pagesOf()
  // The statistics now say that the table is empty, which makes every plan look equally cheap.
  await query('analyze usage_deltas, usage_folds')
  const afterAnalyze = await pagesOf()
  await snapshot.end()
  expect(after).toBeLessThan(2 * before + 10)
  expect(afterAnalyze).toBeLessThan(2 * before + 10)
})
