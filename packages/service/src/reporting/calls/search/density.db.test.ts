import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench } from '../../../../../../test/harness/record/ledger.js'
import { newReceipt } from '../../../../../../test/harness/record/receipt.js'
import { pick, random, seed } from '../../../../../../test/harness/run/seed.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { closeDays, projectUsage } from '../../usage/index.js'
import { projectCalls } from '../projection.js'
import { readDensity } from './density.js'
import { type CallFilter, readFilter } from './filter.js'

const hourMs = 3_600_000
const now = new Date('2026-11-14T10:20:30.456Z')
const firstMs = Date.parse('2026-11-02T00:00:00Z')

let bench: LedgerBench
let database: Database
let tenantId: string
beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  database = openDatabase(bench.database.url, () => undefined)
  tenantId = bench.tenantIds[0] ?? ''
  const ledger = await bench.open({ projections: [projectCalls, projectUsage] })
  const append = () => {
    const ms = firstMs + Math.floor(random() * (now.getTime() - firstMs))
    const step = pick([1, 60_000, hourMs, 24 * hourMs])
    const ts = new Date(Math.floor(ms / step) * step - pick([0, 1])).toISOString()
    const draft = { ts, outcome: pick(['ok', 'blocked', 'failed'] as const), key: pick(['key_1', 'key_2']) }
    return ledger.append(
      newReceipt(pick(bench.tenantIds), { ...draft, ...pick([{}, { tags: { env: 'prod' } }]) }),
    )
  }
  await Promise.all(Array.from({ length: 400 }, append))
  await closeDays(database.db, now)
  await Promise.all(Array.from({ length: 5 }, append))
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

const filters: readonly CallFilter[] = [
  readFilter({}, null),
  readFilter({ outcome: 'ok' }, null),
  { ...readFilter({ keyId: 'key_1' }, null), tags: { env: 'prod' } },
]

/** Counts the stored calls one by one. */
async function count(filter: CallFilter, { from, to, buckets }: { from: Date; to: Date; buckets: number }) {
  const rows = await bench.database.query<{
    ts: Date
    outcome: string
    key_id: string
    tags: object | null
    cost: number
  }>(
    'select ts, outcome, key_id, tags, cost_nanos::float8 as cost from calls where tenant_id = $1 and ts >= $2 and ts < $3',
    [tenantId, from, to],
  )
  const counted = new Map<string, { calls: number; costNanos: number }>()
  for (const { ts, outcome, key_id, tags, cost } of rows) {
    if (filter.outcome !== null && outcome !== filter.outcome) continue
    if (filter.keyId !== null && (key_id !== filter.keyId || tags === null)) continue
    const lengthMs = to.getTime() - from.getTime()
    const bucket = Math.floor(((ts.getTime() - from.getTime()) * buckets) / lengthMs)
    const at = counted.get(`${bucket} ${outcome}`) ?? { calls: 0, costNanos: 0 }
    counted.set(`${bucket} ${outcome}`, { calls: at.calls + 1, costNanos: at.costNanos + cost })
  }
  return counted
}

const read = async (filter: CallFilter, span: { from: Date; to: Date; buckets: number }) =>
  new Map(
    (await readDensity(database.db, tenantId, filter, span, now)).map(
      ({ bucket, outcome, calls, costNanos }) => [`${bucket} ${outcome}`, { calls, costNanos }],
    ),
  )

// From, length and number of buckets: of less than an hour to some days each.
const span = fc
  .tuple(
    fc.integer({ min: firstMs - hourMs, max: now.getTime() - 1 }),
    fc.integer({ min: 1, max: 300 * hourMs }),
    fc.integer({ min: 1, max: 60 }),
  )
  .map(([fromMs, lengthMs, buckets]) => ({
    from: new Date(fromMs),
    to: new Date(fromMs + lengthMs),
    buckets,
  }))

test('counts of long buckets, which come from the rollups, are those of the calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...filters), span, async (filter, asked) => {
      expect(await read(filter, asked)).toEqual(await count(filter, asked))
    }),
    { numRuns: 60, seed },
  )
})

test('calls that are no longer stored are not counted', async () => {
  const asked = { from: new Date(firstMs - hourMs), to: now, buckets: 12 }
  const before = await read(filters[0] as CallFilter, asked)
  await bench.database.query('delete from calls where tenant_id = $1 and ts < $2', [
    tenantId,
    new Date(firstMs + 72 * hourMs),
  ])
  const after = await read(filters[0] as CallFilter, asked)
  expect(after).toEqual(await count(filters[0] as CallFilter, asked))
  expect(after).not.toEqual(before)
})
