import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.js'
import { newReceipt } from '../../test/harness/receipt.js'
import { pick, random } from '../../test/harness/seed.js'
import { connectPipelined, type PipelinedConnection, type Statement } from '../db/index.js'
import type { NumberedReceipt } from '../ledger/index.js'
import { createSpendProjection, projectSpend } from '../modules/budgets/index.js'
import { createUsageProjection } from '../modules/usage/index.js'
import { bucketOf } from '../modules/usage/latency-buckets.js'
import { addToBucket } from '../modules/usage/usage-sum.js'

let database: TestDatabase
const connections: PipelinedConnection[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const connection of connections) await connection.close()
  await database.drop()
})

interface Writer {
  transact(receipts: readonly NumberedReceipt[], further?: Statement[]): Promise<void>
  /** How many rows the last transaction has looked for at their places. */
  placed(): number
}

async function openWriter(): Promise<Writer> {
  const connection = await connectPipelined(database.url, {
    answerTimeoutMs: 60_000,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
  connections.push(connection)
  const projections = [createUsageProjection(), createSpendProjection()]
  let placed = 0
  return {
    async transact(receipts, further = []) {
      const statements = projections.flatMap((project) => project(receipts))
      placed = statements
        .filter(({ name = '' }) => name.startsWith('add_to_'))
        .reduce(
          (sum, { values }) => sum + values.filter((value) => /^\(\d+,\d+\)$/.test(`${value}`)).length,
          0,
        )
      await connection.transact([...statements, ...further])
    },
    placed: () => placed,
  }
}

/** As of a logical backup. */
async function openSnapshot(): Promise<pg.Client> {
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from tenants')
  return client
}

const ts = '2026-01-01T10:20:30.000Z'
const keys = ['a', 'b', 'c', 'd', 'e', 'f']

const receiptOf = (tenantId: string, key: string, draft: Partial<NumberedReceipt['draft']> = {}) => ({
  ...newReceipt(tenantId, { ts, key, costNanos: 10, ...draft }),
  seq: 0,
})

/** Writes until a condition is met, which takes a bounded number of groups. */
async function writeUntil(writer: Writer, tenantId: string, isMet: (placed: number) => boolean) {
  for (let group = 1; group <= 2_000; group++) {
    await writer.transact(keys.map((key) => receiptOf(tenantId, key)))
    if (isMet(writer.placed())) return group
  }
  throw new Error('The condition was not met')
}

/** Of the rows that a group adds to: one for each key in three tables, and one for the tenant. */
const half = (3 * keys.length + 1) / 2

test('rows are looked for at their places while a snapshot is open, and by their keys after it', async () => {
  const writer = await openWriter()
  const snapshot = await openSnapshot()
  const groups = await writeUntil(writer, 'ten_snapshot', (placed) => placed > half)
  await snapshot.end()
  const further = await writeUntil(writer, 'ten_snapshot', (placed) => placed === 0)
  const [sum] = await database.query<{ nanos: string; minutes: string; hours: string }>(
    `select (select cost_nanos from spend_days where tenant_id = 'ten_snapshot' and scope_type = 'tenant') as nanos,
      (select sum(requests) from usage_minutes where tenant_id = 'ten_snapshot') as minutes,
      (select sum(requests) from usage_hours where tenant_id = 'ten_snapshot') as hours`,
  )
  const requests = (groups + further) * keys.length
  expect(Object.values(sum ?? {}).map(Number)).toEqual([requests * 10, requests, requests])
})

const tables = ['usage_hours', 'usage_minutes', 'spend_days']

test('wherever rows are by now, each amount is added once, and to its own row', async () => {
  const tenantId = 'ten_places'
  const writers = [await openWriter(), await openWriter()]
  const snapshot = await openSnapshot()
  for (const writer of writers) await writeUntil(writer, tenantId, (placed) => placed > half)
  for (const table of tables) await database.query(`delete from ${table} where tenant_id = '${tenantId}'`)

  const spent = new Map<string, number>()
  const counted = new Map<string, { nanos: number; buckets: number[] }>()
  let placed = 0
  for (let round = 0; round < 60; round++) {
    const writer = pick(writers)
    const receipts = keys
      .filter(() => random() < 0.6)
      .map((key) =>
        receiptOf(tenantId, key, {
          costNanos: 1 + Math.floor(random() * 9),
          latencyMs: Math.floor(random() * 3_000),
        }),
      )
    const fails = random() < 0.2
    const written = writer.transact(receipts, fails ? [{ text: 'select 1 / 0', values: [] }] : [])
    await (fails ? expect(written).rejects.toThrow('division') : written)
    placed += writer.placed()
    for (const { draft } of fails ? [] : receipts) {
      const { key = '', costNanos = 0, latencyMs = 0 } = draft
      add(spent, key, costNanos)
      const sum = counted.get(key) ?? { nanos: 0, buckets: [] }
      counted.set(key, sum)
      sum.nanos += costNanos
      addToBucket(sum.buckets, bucketOf(latencyMs), 1)
    }
    if (round % 10 === 4) {
      const key = pick(keys)
      await removeKey(tenantId, key)
      spent.delete(key)
      counted.delete(key)
    }
    if (round % 10 === 8) {
      // By somebody who does not know of places.
      for (const { text, values } of projectSpend([receiptOf(tenantId, 'a', { costNanos: 7 })]))
        await database.query(text, values)
      add(spent, 'a', 7)
    }
  }
  await snapshot.end()

  expect(placed).toBeGreaterThan(0)
  const read = (columns: string, table: string) =>
    database.query<{ key: string; nanos: string; buckets: number[] }>(
      `select ${columns}, cost_nanos as nanos from ${table} where tenant_id = '${tenantId}'`,
    )
  const spendRows = await read('scope_id as key', "(select * from spend_days where scope_type = 'key')")
  expect(new Map(spendRows.map(({ key, nanos }) => [key, Number(nanos)]))).toEqual(spent)
  for (const table of ['usage_hours', 'usage_minutes']) {
    const rows = await read('key_id as key, latency_buckets as buckets', table)
    expect(
      new Map(rows.map(({ key, nanos, buckets }) => [key, { nanos: Number(nanos), buckets }])),
      table,
    ).toEqual(counted)
  }
})

const add = (sums: Map<string, number>, key: string, nanos: number) =>
  void sums.set(key, (sums.get(key) ?? 0) + nanos)

/** The rows of a key go, and others move to where they and their neighbours were. */
async function removeKey(tenantId: string, key: string): Promise<void> {
  await database.query('delete from usage_hours where tenant_id = $1 and key_id = $2', [tenantId, key])
  await database.query('delete from usage_minutes where tenant_id = $1 and key_id = $2', [tenantId, key])
  await database.query('delete from spend_days where tenant_id = $1 and scope_id = $2', [tenantId, key])
  for (const table of tables) await database.query(`vacuum full ${table}`)
}
