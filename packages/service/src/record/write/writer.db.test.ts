import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../../../../test/harness/record/ledger.js'
import { verifyRecord } from '../../../../../test/harness/record/record.js'
import { pick, random } from '../../../../../test/harness/run/seed.js'

let bench: LedgerBench
afterEach(() => bench.close())

/** A pause of random length, through the event loop. */
const jitter = () => new Promise((resolve) => setTimeout(resolve, random() * 3))

test('50 appends at once take a handful of commits, and each has a place of its own', async () => {
  bench = await createLedgerBench()
  const [tenantId = ''] = bench.tenantIds
  const groups: number[] = []
  const ledger = await bench.open({ onRecorded: (receipts) => groups.push(receipts.length) })
  const appended = await Promise.all(Array.from({ length: 50 }, () => ledger.append(newReceipt(tenantId))))

  expect(new Set(appended.map(({ seq }) => seq)).size).toBe(50)
  expect(groups.length).toBeLessThanOrEqual(3)
  const seals = await bench.database.query('select size from seals')
  expect(seals).toHaveLength(groups.length)
  expect(await verifyRecord(bench.database, tenantId)).toMatchObject({ fault: null, chained: 50, sealed: 50 })
})

test('an append that is alone is committed at once, without waiting for company', async () => {
  bench = await createLedgerBench()
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  expect(await ledger.append(newReceipt(tenantId))).toEqual({ seq: 1 })
  expect(await ledger.append(newReceipt(tenantId))).toEqual({ seq: 2 })
  expect(await bench.database.query('select size from seals')).toHaveLength(2)
})

const unfit = {
  'with text that the database cannot hold': { model: 'echo\0' },
  'with text that has no canonical form': { user: '\ud800' },
  'with a time that is none': { ts: 'half past never' },
  'with a sum that no column holds': { inputTokens: Number.MAX_SAFE_INTEGER, latencyMs: 1e300 },
}

for (const [what, draft] of Object.entries(unfit)) {
  test(`a receipt ${what} is refused and set aside; the others of its group are recorded`, async () => {
    bench = await createLedgerBench()
    const [tenantId = ''] = bench.tenantIds
    const ledger = await bench.open()
    const receipts = Array.from({ length: 30 }, (_, i) => newReceipt(tenantId, i === 17 ? draft : {}))
    const results = await Promise.allSettled(receipts.map((receipt) => ledger.append(receipt)))

    expect(results.map(({ status }) => status).indexOf('rejected')).toBe(17)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(29)
    expect(await verifyRecord(bench.database, tenantId)).toMatchObject({
      fault: null,
      chained: 29,
      sealed: 29,
    })
    expect(ledger.available()).toBe(true)
    const refused = await readFile(join(bench.dataDir, 'spool', 'refused.jsonl'), 'utf8')
    expect(refused).toContain(receipts[17]?.draft.id)
  })
}

test('a receipt of a tenant that is not there is refused; the others of its group are recorded', async () => {
  bench = await createLedgerBench()
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  const results = await Promise.allSettled(
    ['nobody', tenantId, tenantId].map((id) => ledger.append(newReceipt(id))),
  )
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(await verifyRecord(bench.database, tenantId)).toMatchObject({ fault: null, chained: 2 })
})

test('no receipt is given up for a fault of the database: it waits until an operator has mended it', async () => {
  bench = await createLedgerBench()
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open()
  await bench.database.query('alter table seals rename to mislaid')
  expect(await ledger.append(newReceipt(tenantId))).toEqual({ seq: null })
  expect(ledger.available()).toBe(false)
  await bench.database.query('alter table mislaid rename to seals')
  await expect.poll(() => ledger.available()).toBe(true)
  expect(await verifyRecord(bench.database, tenantId)).toMatchObject({ fault: null, chained: 1, sealed: 1 })
})

test('two replicas that append to the same tenants leave no gap and no repeat, and usage adds up to the micro-dollar', async () => {
  bench = await createLedgerBench({ tenants: 3 })
  const replicas = await Promise.all([bench.open(), bench.open()])
  const answered: (number | null)[] = []
  const callers = Array.from({ length: 24 }, async (_, caller) => {
    for (let call = 0; call < 25; call++) {
      const receipt = newReceipt(pick(bench.tenantIds), {
        key: `key_${caller % 5}`,
        model: pick(['echo', 'slow']),
        inputTokens: Math.floor(random() * 10_000),
        outputTokens: Math.floor(random() * 10_000),
        costNanos: Math.floor(random() * 1_000_000),
        latencyMs: Math.floor(random() * 100_000),
        outcome: pick(['ok', 'blocked', 'upstream_error', 'aborted']),
      })
      await jitter()
      answered.push((await pick(replicas).append(receipt)).seq)
    }
  })
  await Promise.all(callers)

  expect(answered).toHaveLength(600)
  expect(answered).not.toContain(null)
  for (const tenantId of bench.tenantIds) await expectUsageToMatch(tenantId)
  expect(await bench.countReceipts()).toBe(600)
})

async function expectUsageToMatch(tenantId: string): Promise<void> {
  const { fault, sealed, entries } = await verifyRecord(bench.database, tenantId)
  expect(fault).toBeNull()
  expect(sealed).toBe(entries.length)
  const [usage] = await bench.database.query(
    `select sum(requests)::int as requests, sum(input_tokens)::int as input, sum(output_tokens)::int as output,
       sum(cost_nanos)::int as cost, sum(blocked)::int as blocked, sum(errors)::int as errors, sum(latency_ms)::int as latency,
       (select sum(mod(trunc(sum / power(10::numeric, 12 * bucket)), 1e12))::int
          from (select sum(latency_buckets) from usage_hours where tenant_id = $1) as latencies, generate_series(0, 79) as bucket) as timed
     from usage_hours where tenant_id = $1`,
    [tenantId],
  )
  const sum = (field: string) => entries.reduce((total, entry) => total + entry[field], 0)
  const count = (outcome: string) => entries.filter((entry) => entry.outcome === outcome).length
  expect(usage).toEqual({
    requests: entries.length,
    input: sum('inputTokens'),
    output: sum('outputTokens'),
    cost: sum('costNanos'),
    blocked: count('blocked'),
    errors: count('upstream_error'),
    latency: sum('latencyMs'),
    timed: entries.length,
  })
}
