import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createLedgerBench,
  type LedgerBench,
  newReceipt,
} from '../../../../../../test/harness/record/ledger.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { closeDays } from './closed-days.js'
import { rollUpOldDays } from './old-days.js'

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

const dayMs = 86_400_000
const keptFrom = new Date(Math.floor(Date.now() / dayMs) * dayMs - 400 * dayMs)
const at = (days: number, hour: number) =>
  new Date(keptFrom.getTime() + days * dayMs + hour * 3_600_000 + 60_000).toISOString()

const readDays = (table: string, column: string) =>
  bench.database.query(
    `select date_bin('1 day', ${column}, 'epoch')::text as day, key_id, model, outcome, tags, sum(requests)::int as requests,
       sum(cost_nanos)::int as cost, sum(latency_ms)::int as latency, sum(latency_buckets) as buckets
     from ${table} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  )
const countHours = async (days: number) =>
  (
    await bench.database.query('select distinct hour from usage_hours where date_bin($1, hour, $2) = $3', [
      '1 day',
      new Date(0),
      new Date(keptFrom.getTime() + days * dayMs),
    ])
  ).length

async function rollUp(): Promise<void> {
  await closeDays(database.db, new Date())
  await rollUpOldDays(database.db, keptFrom)
}

test('old hours are merged by day with the same sums, late receipts are included, and recent days stay', async () => {
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  const append = (days: number, hour: number, draft = {}) =>
    ledger.append(newReceipt(tenantId, { ts: at(days, hour), ...draft }))
  for (const days of [-3, -2, 1])
    for (const hour of [0, 1, 13, 23])
      for (const draft of [{}, { tags: { run: 'a' } }, { model: 'slow', latencyMs: 900 }])
        await append(days, hour, draft)

  const before = await readDays('usage_hours', 'hour')
  expect(await countHours(1)).toBe(4)
  await rollUp()
  expect(await readDays('usage_hours', 'hour')).toEqual(before)
  expect(await readDays('usage_days', 'day')).toEqual(before)
  expect(await Promise.all([-3, -2, 1].map(countHours))).toEqual([1, 1, 4])

  await append(-3, 7)
  await append(-3, 0)
  const later = await readDays('usage_hours', 'hour')
  expect(later).not.toEqual(before)
  expect(await countHours(-3)).toBe(2)
  await rollUp()
  expect(await countHours(-3)).toBe(1)
  expect(await readDays('usage_hours', 'hour')).toEqual(later)
  expect(await readDays('usage_days', 'day')).toEqual(later)
})

test('calls that are counted while their day is being rolled up are not lost', async () => {
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  const append = (hour: number) => ledger.append(newReceipt(tenantId, { ts: at(-5, hour) }))
  for (let hour = 0; hour < 24; hour++) await append(hour)
  await Promise.all([
    ...Array.from({ length: 40 }, (_, i) => append(i % 24)),
    (async () => {
      for (let i = 0; i < 5; i++) await rollUp()
    })(),
  ])
  await rollUp()
  const [sum] = await bench.database.query(
    'select sum(requests)::int as requests from usage_hours where date_bin($1, hour, $2) = $3',
    ['1 day', new Date(0), new Date(keptFrom.getTime() - 5 * dayMs)],
  )
  expect(sum).toEqual({ requests: 64 })
  expect(await countHours(-5)).toBe(1)
  expect(await readDays('usage_days', 'day')).toEqual(await readDays('usage_hours', 'hour'))
})
