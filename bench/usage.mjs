// How long questions about usage take, over ten million calls of ninety days. README.md says how to read it.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { closeDays } from '../packages/service/src/reporting/usage/index.js'
import { reportUsage } from '../packages/service/src/reporting/usage/reports/report.js'
import { createTenant } from '../packages/service/src/resources/tenants/index.js'
import { startDatabase } from './database.mjs'
import { runAndCleanUp } from './processes.mjs'
import { describeMachine } from './report.mjs'

const usage = `Usage: npm run bench:usage -- [options]
  --calls N         calls in ninety days (10000000)
  --combinations N  of key, user, team, model, outcome and tags in each hour (50)
  --kept N          days of which the calls themselves are there as well (7)
  --rounds N        how often each question is asked (9)
  --json            print JSON`

const days = 90
const goalMs = 100

const dayAgo = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** @type {(Partial<import('../packages/service/src/reporting/usage/query/report-query.js').UsageFilter> & { ofKept?: true })[]} */
const questions = [
  { range: '90d' },
  { range: '90d', groupBy: 'team,model' },
  { range: '90d', groupBy: 'tag.project' },
  { range: '90d', groupBy: 'outcome', teamId: 'team_1', model: 'model-2' },
  { range: '90d', timeZone: 'Europe/Berlin' },
  { range: '90d', timeZone: 'America/Los_Angeles' },
  { from: dayAgo(45), to: dayAgo(0), compare: 'previous' },
  { range: '30d', interval: 'hour' },
  { range: '7d', timeZone: 'Asia/Kolkata', ofKept: true },
  { range: '7d', groupBy: 'session', ofKept: true },
  { range: '7d', minCostUsd: 0.00001, ofKept: true },
]

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '10000000' },
      combinations: { type: 'string', default: '50' },
      kept: { type: 'string', default: '7' },
      rounds: { type: 'string', default: '9' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const { db } = await startDatabase(cleanup, { max: 1 })
  const { id: tenantId } = await createTenant(db, 'bench')
  const perRow = Math.round(Number(values.calls) / (days * 24 * Number(values.combinations)))
  const filled = { tenantId, combinations: Number(values.combinations), perRow, kept: Number(values.kept) }
  await fill(db, filled)
  const closingMs = await timed(() => closeDays(db, new Date()))
  for (const table of ['folded_usage_hours', 'usage_days', 'calls'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)

  const results = []
  for (const { ofKept, ...query } of questions) {
    if (ofKept && filled.kept < 7) continue
    const times = []
    const before = await processorTimeMs(db)
    for (let round = 0; round < Number(values.rounds); round++)
      times.push(await timed(() => reportUsage(db, () => new Date(), { tenantId, own: null, ...query })))
    const cpuMs = ((await processorTimeMs(db)) - before) / times.length
    times.sort((a, b) => a - b)
    results.push({ query, p50Ms: times[Math.floor(times.length / 2)], leastMs: times[0], cpuMs })
  }
  const report = { ...describeMachine(), ...filled, closingMs, results }
  console.log(values.json ? JSON.stringify(report, null, 2) : format(report))
}

/** Of this process and of its one connection's server: steadier than the clock beside other work. */
async function processorTimeMs(db) {
  const { rows } = await /** @type {import('kysely').RawBuilder<{ pid: number }>} */ (
    sql`select pg_backend_pid() as pid`
  ).execute(db)
  const fields = readFileSync(`/proc/${rows[0].pid}/stat`, 'utf8').split(') ')[1].split(' ')
  const { user, system } = process.cpuUsage()
  return (Number(fields[11]) + Number(fields[12])) * 10 + (user + system) / 1_000
}

async function timed(act) {
  const start = performance.now()
  await act()
  return performance.now() - start
}

/** Hours as the gateway would have left them; of the last days the calls, too, as many as the hours have counted. */
async function fill(db, { tenantId, combinations, perRow, kept }) {
  const who = sql`'key_' || c % 25, 'user_' || c % 10, 'team_' || c % 3, 'openai', 'model-' || c % 8,
    case when c % 9 = 0 then 'blocked' else 'ok' end,
    case when c % 2 = 0 then '{}' else jsonb_build_object('project', 'p' || c % 5) end`
  const eachCombination = sql`generate_series(0, ${sql.lit(combinations)} - 1) as c,
    lateral (select ${who}) as w (key_id, user_id, team_id, provider, model, outcome, tags)`
  const calls = sql.lit(perRow)
  await sql`select make_calls_partitions(now() - make_interval(days => ${kept}::integer), now())`.execute(db)
  // A day at a time: no statement takes so long that the connection counts as broken.
  for (let ago = days; ago >= 0; ago--) {
    const day = sql`date_trunc('day', now(), 'UTC') - make_interval(days => ${sql.lit(ago)})`
    const hours = sql`generate_series(${day}, least(now(), ${day} + interval '23 hours'), '1 hour') as hour`
    await sql`insert into folded_usage_hours (tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, tags, tags_id,
        requests, input_tokens, output_tokens, cost_nanos, latency_ms, latency_buckets)
      select ${tenantId}, hour, w.*, tags_id(w.tags), ${calls}, 92000, 40000, ${calls} * 1000, ${calls} * 200,
        (select sum(power(10::numeric, 12 * bucket)) from generate_series(24, 43) as bucket) + greatest(0, ${calls} - 20) * 1e528
      from ${hours}, ${eachCombination}`.execute(db)
    if (ago > kept) continue
    await sql`insert into calls (tenant_id, ts, seq, request_id, kind, key_id, user_id, team_id, provider, model, outcome, tags,
        stream, input_tokens, output_tokens, cached_tokens, cost_nanos, latency_ms, session)
      select ${tenantId}, hour + make_interval(secs => n * 3600.0 / ${calls}), row_number() over (),
        'req_' || extract(epoch from hour) || '_' || c || '_' || n, 'model', w.*, true, 1000, 400, 0, 1000, 200,
        'session-' || (c * 7 + n) % 200
      from ${hours}, generate_series(0, ${calls} - 1) as n, ${eachCombination}`.execute(db)
  }
}

function format({ cores, node, combinations, perRow, kept, closingMs, results }) {
  const calls = days * 24 * combinations * perRow
  const lines = results.map(({ query, p50Ms, leastMs, cpuMs }) => {
    const text = new URLSearchParams(query).toString()
    return `${decodeURIComponent(text).padEnd(52)}  p50 ${p50Ms.toFixed(0).padStart(5)} ms   least ${leastMs.toFixed(0).padStart(5)} ms   processor ${cpuMs.toFixed(0).padStart(5)} ms`
  })
  const slow = results.filter(
    ({ query, p50Ms }) => (query.range === '90d' || query.compare) && p50Ms > goalMs,
  )
  return [
    `${cores} cores, Node ${node}`,
    `${calls.toLocaleString('en')} calls over ${days} days, ${combinations} combinations an hour, calls of ${kept} days kept`,
    `closing the days: ${(closingMs / days).toFixed(0)} ms each`,
    '',
    ...lines,
    `goal: ninety days under ${goalMs} ms: ${slow.length === 0 ? 'met' : `not met by ${slow.length}`}`,
  ].join('\n')
}

await runAndCleanUp(run)
