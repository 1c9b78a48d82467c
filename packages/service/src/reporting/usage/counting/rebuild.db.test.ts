import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createLedgerBench,
  type LedgerBench,
  newReceipt,
} from '../../../../../../test/harness/record/ledger.js'
import { pick, random } from '../../../../../../test/harness/run/seed.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { foldAll } from './fold.js'
import { rebuildUsage } from './rebuild.js'

let bench: LedgerBench
let database: Database
beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 3 })
  database = openDatabase(bench.database.url, () => undefined)
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

/** One row for each hour and combination: rows that are not folded yet would be several. */
async function readHours(tenantId: string) {
  await foldAll(database.db)
  return await bench.database.query(
    `select hour, key_id, user_id, team_id, provider, model, outcome, tags, tags_id, requests, input_tokens, output_tokens,
       cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets
     from usage_hours where tenant_id = $1 and requests > 0 order by 1, 2, 3, 4, 5, 6, 7, 9`,
    [tenantId],
  )
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('lost and wrong counts are corrected from the receipts while other calls are being counted', async () => {
  const [tenantId = '', other = ''] = bench.tenantIds
  const ledger = await bench.open()
  const append = (tenant: string, at: Date) =>
    ledger.append(
      newReceipt(tenant, {
        ts: at.toISOString(),
        key: pick(['key_1', 'key_2']),
        outcome: pick(['ok', 'blocked', 'interrupted']),
        latencyMs: Math.floor(random() * 5_000),
        ...pick([{}, { tags: { project: 'alpha', env: 'prod' } }, { tags: { env: 'prod' } }]),
      }),
    )
  await append(tenantId, daysAgo(1.5))
  await Promise.all(Array.from({ length: 79 }, () => append(tenantId, daysAgo(random() * 1.5))))
  await append(other, daysAgo(1))
  const expected = await readHours(tenantId)

  // Rows that are wrong: without their outcome, counted twice, or missing.
  await bench.database.query(`delete from folded_usage_hours where tenant_id = $1 and key_id = 'key_2'`, [
    tenantId,
  ])
  await bench.database.query(
    `update folded_usage_hours set outcome = '', requests = requests + 7, rate_limited = 2 where tags_id = '' and outcome = 'ok' and tenant_id = $1`,
    [tenantId],
  )
  const ofOther = await readHours(other)
  const [refused] = await bench.database.query('select sum(rate_limited)::int as n from usage_hours')
  await rebuildUsage(database.db, tenantId, () => undefined)
  expect((await readHours(tenantId)).map((row) => ({ ...row, rate_limited: '0' }))).toEqual(expected)
  expect(await readHours(other)).toEqual(ofOther)
  expect(await bench.database.query('select sum(rate_limited)::int as n from usage_hours')).toEqual([refused])

  // While calls end, hour by hour, in the same hours.
  const appending = Promise.all(Array.from({ length: 60 }, () => append(tenantId, daysAgo(random() * 1.5))))
  await Promise.all([appending, rebuildUsage(database.db, tenantId, () => undefined)])
  const [counted] = await bench.database.query(
    'select sum(requests)::int as requests, sum(cost_nanos)::int as cost from usage_hours where tenant_id = $1',
    [tenantId],
  )
  expect(counted).toEqual({ requests: 140, cost: 140 * 13 })
})

test('hours with dropped receipts keep their counts', async () => {
  const [, tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  await ledger.append(newReceipt(tenantId))
  const before = await readHours(tenantId)
  expect(before.length).toBe(2)
  await bench.database.query(
    `insert into record_closings (tenant_id, size, prev, frontier, note) values ($1, 1, $2, $2, '')`,
    [tenantId, Buffer.alloc(32)],
  )
  await bench.database.query('delete from receipts where tenant_id = $1 and seq = 1', [tenantId])
  await rebuildUsage(database.db, tenantId, () => undefined)
  expect(await readHours(tenantId)).toEqual(before)
})

test('calls with dropped receipts stay counted, whenever the first remaining one was admitted', async () => {
  const [, , tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  const append = (days: number) => ledger.append(newReceipt(tenantId, { ts: daysAgo(days).toISOString() }))
  await append(2)
  // As after a late replay of a spool, or of a call of a process that died: the receipt comes last, with an earlier time.
  await append(9)
  await append(2)
  const before = await readHours(tenantId)
  await bench.database.query(
    `insert into record_closings (tenant_id, size, prev, frontier, note) values ($1, 1, $2, $2, '')`,
    [tenantId, Buffer.alloc(32)],
  )
  await bench.database.query('delete from receipts where tenant_id = $1 and seq = 1', [tenantId])
  await rebuildUsage(database.db, tenantId, () => undefined)
  expect(await readHours(tenantId)).toEqual(before)
})
