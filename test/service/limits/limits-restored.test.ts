import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../packages/service/src/db/index.js'
import { createProjections } from '../../../packages/service/src/main/record/projections.js'
import { createOpenCalls } from '../../../packages/service/src/record/index.js'
import {
  type EndedCalls,
  endedCalls,
  readRecentCalls,
} from '../../../packages/service/src/record/open-calls/recent-calls.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import { newToolReceipt } from '../../harness/mcp/tool-receipt.js'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../harness/record/ledger.js'
import { pick, random } from '../../harness/run/seed.js'
import { waitFor } from '../../harness/run/wait.js'
import { startDatabaseProxy } from '../../harness/service/database-proxy.js'

// What a store of limits that has lost its memory reads again from the database.

let bench: LedgerBench
let opened: Database
let tenantId: string
let names = 0
beforeAll(async () => {
  bench = await createLedgerBench()
  opened = openDatabase(bench.database.url, () => undefined)
})
beforeEach(async () => {
  tenantId = (await createTenant(opened.db, `restored-${names++}`)).id
})
afterAll(async () => {
  await opened.close()
  await bench.close()
})

/** From the receipts themselves, as they stand in the record. */
async function endedByRecord(): Promise<EndedCalls[]> {
  const { rows } = await sql<EndedCalls>`
    select c ->> 'key' as "keyId", c ->> 'server' as server, (extract(epoch from ts) * 1000)::bigint as "atMs",
      count(*) as calls,
      sum(coalesce((c ->> 'inputTokens')::bigint, 0) + coalesce((c ->> 'outputTokens')::bigint, 0))::bigint as tokens
    from (select ts, canonical::jsonb as c from receipts
          where tenant_id = ${tenantId} and ts > now() - interval '120 seconds') as recent
    where c ->> 'kind' <> 'control' and not c ? 'batch' and not c @> '{"checks": [{"name": "budget", "result": "fail"}]}'
    group by 1, 2, 3`.execute(opened.db)
  return rows
}

/** Calls of the same moment may come in several pieces: their sum is what counts. */
function added(ended: readonly EndedCalls[]): EndedCalls[] {
  const sums = new Map<string, EndedCalls>()
  for (const { keyId, server, atMs, calls, tokens } of ended) {
    const name = JSON.stringify([atMs, keyId, server])
    const sum = sums.get(name) ?? { keyId, server, atMs, calls: 0, tokens: 0 }
    sums.set(name, { ...sum, calls: sum.calls + calls, tokens: sum.tokens + tokens })
  }
  return [...sums.keys()].sort().flatMap((name) => sums.get(name) ?? [])
}

test('whatever calls there were, and in whatever pages they are read, limits are restored as the record has them', async () => {
  const ledger = await bench.open({ projections: createProjections([]) })
  const startMs = Date.now()
  const receipts = Array.from({ length: 400 }, () => {
    // Many share their millisecond; some are too old, and none is about to become so.
    const agoMs = pick([0, 1, 2, 30_000, Math.floor(random() * 60_000), 200_000])
    const draft = {
      ts: new Date(startMs - agoMs).toISOString(),
      key: pick(['key_1', 'key_2']),
      ...(random() < 0.1 && {
        checks: [{ name: 'budget', applicable: true, result: 'fail' as const, action: 'block' }],
      }),
      ...(random() < 0.1 && { batch: 'batch_1' }),
      ...(random() < 0.1 && {
        checks: [{ name: 'budget', applicable: true, result: 'pass' as const }],
      }),
    }
    const tokens = { inputTokens: Math.floor(random() * 1_000), outputTokens: Math.floor(random() * 1_000) }
    return random() < 0.3
      ? newToolReceipt(tenantId, { ...draft, server: pick(['files', 'search']) })
      : newReceipt(tenantId, { ...draft, ...tokens })
  })
  await Promise.all(receipts.map((receipt) => ledger.append(receipt)))
  const expected = added(await endedByRecord())
  expect(expected.length).toBeGreaterThan(10)
  for (const pageSize of [1, 7, 5_000])
    expect(added((await readRecentCalls(opened.db, tenantId, pageSize)).ended)).toEqual(expected)
})

test('they are found by an index, without a vacuum and without statistics', async () => {
  await bench.database.query(
    `insert into calls (tenant_id, ts, seq, request_id, kind, key_id, stream, input_tokens, output_tokens, cached_tokens, cost_nanos)
     select case when n % 2 = 0 then $1 else 'another' end, now() - n * interval '100 milliseconds', n, 'req', 'model', 'key_1',
       false, 1, 1, 0, 0 from generate_series(1, 5000) as n`,
    [tenantId],
  )
  const plan = await opened.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql<Record<string, string>>`explain ${endedCalls(tenantId)}`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/Index Scan (using|on) calls_\d{8}_pkey/)
  expect(plan).not.toContain('Seq Scan')
})

test('while a replica that restores limits is paused, calls of the same tenant go on', async () => {
  const proxy = await startDatabaseProxy(bench.database.url)
  const paused = openDatabase(proxy.url, () => undefined)
  const log = { debug: () => undefined, warn: () => undefined, error: () => undefined }
  const openCalls = await createOpenCalls({ databaseUrl: bench.database.url, processId: 'p', log })
  try {
    await sql`select 1`.execute(paused.db)
    proxy.holdAnswers()
    const restoring = readRecentCalls(paused.db, tenantId)
    const generations = () =>
      bench.database.query('select generation from admission_generations where tenant_id = $1', [tenantId])
    await waitFor('the next generation', async () => Number((await generations())[0]?.generation) === 1)
    expect(await openCalls.open({ receipt: newReceipt(tenantId), generation: 1, limitsVersion: 0 })).toBe(
      true,
    )
    // One that the restored limits may not know of is admitted again.
    expect(await openCalls.open({ receipt: newReceipt(tenantId), generation: 0, limitsVersion: 0 })).toBe(
      false,
    )
    await proxy.restore()
    expect(await restoring).toMatchObject({ generation: 1, ended: [], open: [{ tenantId }] })
  } finally {
    await proxy.restore()
    await openCalls.close()
    await paused.close()
    await proxy.close()
  }
})
