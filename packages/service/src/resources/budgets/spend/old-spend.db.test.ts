import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench } from '../../../../../../test/harness/record/ledger.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { rollUpOldSpend } from './old-spend.js'

let bench: LedgerBench
let database: Database
beforeAll(async () => {
  bench = await createLedgerBench()
  database = openDatabase(bench.database.url, () => undefined)
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

const add = (day: string, nanos: number, scopeId = 'key_1') =>
  bench.database.query(
    `insert into folded_spend_days as s (tenant_id, scope_type, scope_id, day, cost_nanos) values ($1, 'key', $2, $3, $4)
     on conflict (tenant_id, scope_type, scope_id, day) do update set cost_nanos = s.cost_nanos + excluded.cost_nanos`,
    [bench.tenantIds[0], scopeId, day, nanos],
  )

test('old days of spend become months, in small steps as in one, with every amount; the month of the first day that is kept stays', async () => {
  for (const day of [
    '2025-01-01',
    '2025-01-02',
    '2025-01-31',
    '2025-02-03',
    '2025-02-04',
    '2025-03-05',
    '2025-03-20',
  ])
    await add(day, 10)
  await add('2025-01-02', 7, 'key_2')
  await Promise.all([
    rollUpOldSpend(database.db, new Date('2025-03-20T12:00:00Z'), 2),
    rollUpOldSpend(database.db, new Date('2025-03-20T12:00:00Z'), 2),
    ...Array.from({ length: 20 }, () => add('2025-01-02', 1)),
  ])
  await rollUpOldSpend(database.db, new Date('2025-03-20T12:00:00Z'))
  const rows = await bench.database.query(
    'select scope_id, day::text, cost_nanos::int as cost from spend_days order by 1, 2',
  )
  expect(rows).toEqual([
    { scope_id: 'key_1', day: '2025-01-01', cost: 50 },
    { scope_id: 'key_1', day: '2025-02-01', cost: 20 },
    { scope_id: 'key_1', day: '2025-03-05', cost: 10 },
    { scope_id: 'key_1', day: '2025-03-20', cost: 10 },
    { scope_id: 'key_2', day: '2025-01-01', cost: 7 },
  ])
})
