import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPostgres } from '../../test/harness/postgres-setup.js'
import { newReceipt } from '../../test/harness/receipt.js'
import { pick, random } from '../../test/harness/seed.js'
import { inVainMs } from '../../test/harness/wait.js'
import { connectPipelined, migrate, type PipelinedConnection, type Statement } from '../db/index.js'
import type { NumberedReceipt } from '../ledger/index.js'
import { createSpendProjection, projectSpend } from '../modules/budgets/index.js'
import { createUsageProjection } from '../modules/usage/index.js'
import { bucketOf } from '../modules/usage/latency-buckets.js'
import { addToBucket } from '../modules/usage/usage-sum.js'

// A server of its own: Postgres notices that a snapshot is over once the oldest transaction has ended, be it in another database.
let server: Awaited<ReturnType<typeof startTestPostgres>>
let pool: pg.Pool
const connections: PipelinedConnection[] = []
beforeAll(async () => {
  server = await startTestPostgres()
  await migrate(server.url)
  pool = new pg.Pool({ connectionString: server.url })
})
afterAll(async () => {
  for (const connection of connections) await connection.close()
  await pool.end()
  await server.stop()
})

interface Writer {
  /** Answers how many rows it has looked for at their places. */
  transact(
    receipts: readonly NumberedReceipt[],
    change?: (statements: Statement[]) => Statement[],
  ): Promise<number>
}

async function openWriter(): Promise<Writer> {
  const connection = await connectPipelined(server.url, {
    answerTimeoutMs: 60_000,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
  connections.push(connection)
  const projections = [createUsageProjection(), createSpendProjection()]
  return {
    async transact(receipts, change = (statements) => statements) {
      const statements = projections.flatMap((project) => project(receipts))
      await connection.transact(change(statements))
      return statements.flatMap(({ values }) => values).filter(isPlace).length
    },
  }
}

const isPlace = (value: unknown): boolean => /^\(\d+,\d+\)$/.test(String(value))

/** Each place becomes that of another row of its table. */
const confusePlaces = (statements: Statement[]): Statement[] =>
  statements.map((statement) => {
    const places = statement.values.filter(isPlace)
    const rotated = [...places.slice(1), places[0]].values()
    return {
      ...statement,
      values: statement.values.map((value) => (isPlace(value) ? rotated.next().value : value)),
    }
  })

/** As of a logical backup. */
async function openSnapshot(): Promise<pg.Client> {
  const client = new pg.Client(server.url)
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

/** Writes until so many rows were looked for at their places, and answers how many groups that took. */
async function writeUntil(
  isEnough: (placed: number) => boolean | Promise<boolean>,
  write: () => Promise<number>,
): Promise<number> {
  const deadline = performance.now() + inVainMs
  for (let group = 1; performance.now() < deadline; group++) if (await isEnough(await write())) return group
  throw new Error('The condition was not met')
}

/** The rows of spend that a group adds to: one for each key, and one for the tenant. */
const all = keys.length + 1

test('while a snapshot is open, rows of spend are looked for at their places and those of usage get parts; after it neither', async () => {
  const tenantId = 'ten_snapshot'
  const writer = await openWriter()
  const write = () => writer.transact(keys.map((key) => receiptOf(tenantId, key)))
  const snapshot = await openSnapshot()
  const ofUsage = () => countRows(['usage_hours', 'usage_minutes'], tenantId)
  const parts = 2 * 3 * keys.length
  let groups = await writeUntil(async (placed) => placed === all && (await ofUsage()) > parts, write)
  await snapshot.end()
  groups += await writeUntil((placed) => placed === 0, write)
  // Until 300 writes, which fill pages of each row under a snapshot, make no further part.
  for (let [before, now] = [-1, 0]; before !== now; [before, now] = [now, await ofUsage()])
    for (let group = 0; group < 300; group++, groups++) await write()
  const {
    rows: [sum],
  } = await pool.query<{ nanos: string; minutes: string; hours: string }>(
    `select (select cost_nanos from spend_days where tenant_id = $1 and scope_type = 'tenant') as nanos,
      (select sum(requests) from usage_minutes where tenant_id = $1) as minutes,
      (select sum(requests) from usage_hours where tenant_id = $1) as hours`,
    [tenantId],
  )
  const requests = groups * keys.length
  expect(Object.values(sum ?? {}).map(Number)).toEqual([requests * 10, requests, requests])
})

test('wherever rows are by now, each amount is added once, and to its own row', async () => {
  const tenantId = 'ten_places'
  const spent = new Map<string, number>()
  const counted = new Map<string, { nanos: number; buckets: number[] }>()

  async function write(writer: Writer, change?: (statements: Statement[]) => Statement[]): Promise<number> {
    const receipts = keys.map((key) =>
      receiptOf(tenantId, key, {
        costNanos: 1 + Math.floor(random() * 9),
        latencyMs: Math.floor(random() * 3_000),
      }),
    )
    const placed = await writer.transact(receipts, change)
    for (const { draft } of receipts) {
      const { key = '', costNanos = 0, latencyMs = 0 } = draft
      add(spent, key, costNanos)
      const sum = counted.get(key) ?? { nanos: 0, buckets: [] }
      counted.set(key, sum)
      sum.nanos += costNanos
      addToBucket(sum.buckets, bucketOf(latencyMs), 1)
    }
    return placed
  }

  const writers = [await openWriter(), await openWriter()]
  const failing = (statements: Statement[]) => [...statements, { text: 'select 1 / 0', values: [] }]
  const disturbances: ((writer: Writer) => Promise<unknown>)[] = [
    (writer) => write(writer, confusePlaces),
    (writer) => expect(write(writer, failing)).rejects.toThrow('division'),
    (writer) => Promise.all(writers.filter((other) => other !== writer).map((other) => write(other))),
    // By somebody who does not know of places.
    async () => {
      for (const { text, values } of projectSpend([receiptOf(tenantId, 'a', { costNanos: 7 })]))
        await pool.query(text, values)
      add(spent, 'a', 7)
    },
    async () => {
      const key = pick(keys)
      await removeKey(tenantId, key)
      spent.delete(key)
      counted.delete(key)
    },
  ]
  const snapshot = await openSnapshot()
  for (const disturb of [...disturbances, ...disturbances]) {
    const writer = pick(writers)
    await writeUntil(
      (placed) => placed === all,
      () => write(writer),
    )
    await disturb(writer)
    await write(writer)
  }
  await snapshot.end()

  const { rows: spendRows } = await pool.query<{ key: string; nanos: string }>(
    `select scope_id as key, cost_nanos as nanos from spend_days where tenant_id = $1 and scope_type = 'key'`,
    [tenantId],
  )
  expect(new Map(spendRows.map(({ key, nanos }) => [key, Number(nanos)]))).toEqual(spent)
  for (const table of ['usage_hours', 'usage_minutes']) {
    const { rows } = await pool.query<{ key: string; nanos: string; buckets: number[] }>(
      `select key_id as key, sum(cost_nanos) as nanos, sum_buckets(latency_buckets) as buckets
       from ${table} where tenant_id = $1 group by key_id`,
      [tenantId],
    )
    const sums = rows.map(({ key, nanos, buckets }) => [key, { nanos: Number(nanos), buckets }] as const)
    expect(new Map(sums), table).toEqual(counted)
  }
})

async function countRows(tables: readonly string[], tenantId: string): Promise<number> {
  let sum = 0
  for (const table of tables) {
    const { rowCount } = await pool.query(`select from ${table} where tenant_id = $1`, [tenantId])
    sum += rowCount ?? 0
  }
  return sum
}

const add = (sums: Map<string, number>, key: string, nanos: number) =>
  void sums.set(key, (sums.get(key) ?? 0) + nanos)

/** The rows of a key go, and all others move. */
async function removeKey(tenantId: string, key: string): Promise<void> {
  await pool.query('delete from usage_hours where tenant_id = $1 and key_id = $2', [tenantId, key])
  await pool.query('delete from usage_minutes where tenant_id = $1 and key_id = $2', [tenantId, key])
  await pool.query('delete from spend_days where tenant_id = $1 and scope_id = $2', [tenantId, key])
  for (const table of ['usage_hours', 'usage_minutes', 'spend_days']) await pool.query(`vacuum full ${table}`)
}
