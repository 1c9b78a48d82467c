// What it takes to restore a tenant's limits from the database, as after a restart. README.md says how to read it.
// npm run bench:rebuild [-- --calls 120000 --others 500000 --keys 20 --rounds 5]
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createUsageLoader, rateWindows } from '../packages/service/src/calls/core/index.js'
import { createMemoryAdmission } from '../packages/service/src/limits/index.js'
import { createTenant } from '../packages/service/src/resources/tenants/index.js'
import { startDatabase } from './database.mjs'
import { runAndCleanUp } from './processes.mjs'
import { beginProcessorTimes } from './record/processor-time.mjs'
import { describeMachine } from './report.mjs'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '120000' },
    others: { type: 'string', default: '500000' },
    keys: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
  },
})

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { db, postgresFolder } = await startDatabase(cleanup)
  const { id: tenantId } = await createTenant(db, 'bench')
  // Never vacuumed, as after a burst.
  await sql`alter table calls_default set (autovacuum_enabled = off)`.execute(db)
  await fill(db, tenantId, 0, Number(values.others), "interval '2 hours'")
  const { cores, node } = describeMachine()
  console.log(`${cores} cores, Node ${node}; ${values.calls} calls in two minutes, ${values.others} before`)
  const usageLoader = createUsageLoader(db, async (_, accounts) =>
    accounts.map(() => ({ asOfSeq: 0, spentNanos: 0 })),
  )
  for (let round = 0; round < Number(values.rounds); round++) {
    await sql`delete from calls where tenant_id = ${tenantId} and seq > ${Number(values.others)}`.execute(db)
    await fill(db, tenantId, Number(values.others), Number(values.calls), "interval '0'")
    const admission = createMemoryAdmission(usageLoader)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const times = beginProcessorTimes(postgresFolder)
    delay.enable()
    const startedMs = performance.now()
    const decision = await admission.admit({
      tenantId,
      attemptId: `req_${round}`,
      claims: [
        {
          id: rateWindows.requestsOf('key_1'),
          unit: 'requests',
          amount: 1,
          limit: 1,
          windowMs: rateWindows.windowMs,
        },
      ],
      spend: null,
    })
    const ms = performance.now() - startedMs
    delay.disable()
    if (decision.admitted) throw new Error('the calls of the last minute were forgotten')
    const { node: own, database } = times()
    console.log(
      `${ms.toFixed(0)} ms; processor: this process ${(own / 1000).toFixed(0)} ms, database ${(database / 1000).toFixed(0)} ms; ` +
        `longest turn ${(delay.max / 1e6).toFixed(0)} ms`,
    )
    await admission.close?.()
  }
}

/** Straight into the table, spread over a minute and a half before the moment that is `ago`. */
async function fill(db, tenantId, first, count, ago) {
  for (let from = 0; from < count; from += 20_000)
    await sql`insert into calls (tenant_id, ts, seq, request_id, kind, key_id, provider, model, stream, status, outcome,
        input_tokens, output_tokens, cached_tokens, cost_nanos, latency_ms)
      select ${tenantId}, now() - ${sql.raw(ago)} - (n % 90000) * interval '1 millisecond', ${first}::int + n,
        'req_' || (${first}::int + n), 'model', 'key_' || n % ${Number(values.keys)}::int, 'openai', 'gpt-4o-mini', false, 200, 'ok',
        100 + n % 900, 50, 0, 1000, 800
      from generate_series(${from + 1}::int, ${Math.min(from + 20_000, count)}::int) n`.execute(db)
}

await runAndCleanUp(run)
