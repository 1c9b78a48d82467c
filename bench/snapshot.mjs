// What an open snapshot, as of a logical backup, costs: the database's processor time per call with one and without.
// node --import ./scripts/typescript.mjs bench/snapshot.mjs [--seconds 60] [--calls 40000] [--keys 4] [--pages]
// With --calls: so many, however long they take. That is what to compare on a machine that does other things.
// With --pages: also which tables and indexes the calls touch more pages of than without it.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createProjections } from '../packages/service/src/main/record/projections.js'
import { createOpenCalls } from '../packages/service/src/record/index.js'
import { noMarks } from '../packages/service/src/record/marks/record-marks.js'
import { openLedger } from '../packages/service/src/record/write/writer.js'
import { startFolding } from '../packages/service/src/reporting/usage/index.js'
import { createTenant } from '../packages/service/src/resources/tenants/index.js'
import { newReceipt } from '../test/harness/record/receipt.js'
import { startRecordDatabase } from './database.mjs'
import { runAndCleanUp } from './processes.mjs'
import { beginProcessorTimes } from './record/processor-time.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    calls: { type: 'string', default: 'Infinity' },
    keys: { type: 'string', default: '4' },
    pages: { type: 'boolean', default: false },
  },
})
const seconds = Number.isFinite(Number(values.calls)) ? Number.POSITIVE_INFINITY : Number(values.seconds)
const callsPerTurn = Number(values.calls) / 6
const keys = Number(values.keys)
const callers = 16
const turns = 6
const msPerTick = 10

const log = { debug: () => undefined, warn: console.warn, error: console.error }

await runAndCleanUp(async (cleanup) => {
  const place = await startRecordDatabase(cleanup)
  const without = await measure(place, (await createTenant(place.db, 'without')).id)
  const reader = new pg.Client(place.url)
  await reader.connect()
  await reader.query('begin isolation level repeatable read')
  const tenant = await createTenant(place.db, 'with')
  await reader.query('select count(*) from tenants')
  const snapshot = await measure(place, tenant.id)
  await reader.end()
  for (const [name, { calls, microseconds, course, server }] of Object.entries({ without, snapshot }))
    console.log(
      `${name.padEnd(10)} ${calls} calls, ${microseconds.toFixed(0)} µs of the database's connections each (by turns: ${course.join(', ')}), ${server.toFixed(0)} µs of the whole server`,
    )
  console.log(`ratio      ${(snapshot.microseconds / without.microseconds).toFixed(2)} (goal: below 1.15)`)
  if (values.pages) printPages(without, snapshot)
})

/** Pages per call of each relation, the most grown first. */
function printPages(without, snapshot) {
  const rows = [...snapshot.pages]
    .map(([name, under]) => ({ name, before: without.pages.get(name) ?? 0, under }))
    .sort((a, b) => b.under - b.before - (a.under - a.before))
  console.log('\npages per call: without, under a snapshot')
  for (const { name, before, under } of rows.slice(0, 15))
    console.log(`${before.toFixed(2).padStart(8)} ${under.toFixed(2).padStart(8)}  ${name}`)
}

/** Calls that are opened and then recorded, one after the other by each caller. */
async function measure({ db, url: databaseUrl, folder: dataDir, postgresFolder, signingKey }, tenantId) {
  const openCalls = await createOpenCalls({ databaseUrl, processId: 'bench', log })
  const projections = createProjections([])
  const folding = startFolding({ db, onError: console.error })
  const ledger = await openLedger({ databaseUrl, dataDir, signingKey, marks: noMarks, projections, log })
  const pagesBefore = await readPages(databaseUrl)
  const sums = { calls: 0, usedMs: 0 }
  const course = []
  const endTimes = beginProcessorTimes(postgresFolder)
  for (let turn = 0; turn < turns; turn++) {
    const before = await readProcessorMs(databaseUrl)
    const calls = await makeCalls(openCalls, ledger, tenantId)
    const usedMs = (await readProcessorMs(databaseUrl)) - before
    course.push(((usedMs * 1_000) / calls).toFixed(0))
    sums.calls += calls
    sums.usedMs += usedMs
  }
  const { database } = endTimes()
  await folding.close()
  await openCalls.close()
  await ledger.close()
  const pages = new Map()
  for (const [name, touched] of await readPages(databaseUrl))
    pages.set(name, (touched - (pagesBefore.get(name) ?? 0)) / sums.calls)
  return {
    calls: sums.calls,
    microseconds: (sums.usedMs * 1_000) / sums.calls,
    course,
    pages,
    server: database / sums.calls,
  }
}

/** Answers how many there were in the time of a turn. */
async function makeCalls(openCalls, ledger, tenantId) {
  const untilMs = performance.now() + (seconds * 1_000) / turns
  let calls = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < untilMs && calls < callsPerTurn) {
        calls++
        const receipt = newReceipt(tenantId, { key: `key_${(caller + 16 * calls) % keys}`, costNanos: 1_000 })
        await openCalls.open({ receipt, generation: null, limitsVersion: 0 })
        await ledger.append(receipt)
      }
    }),
  )
  return calls
}

/** How many pages of each table and index were touched so far, by everybody. */
async function readPages(databaseUrl) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query(
    `select relname as name, coalesce(heap_blks_hit, 0) + coalesce(heap_blks_read, 0) as touched from pg_statio_user_tables
     union all select indexrelname, coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0) from pg_statio_user_indexes`,
  )
  await client.end()
  return new Map(rows.map(({ name, touched }) => [name, Number(touched)]))
}

/** Of the connections of this process, by their server processes. */
async function readProcessorMs(databaseUrl) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query(
    `select pid from pg_stat_activity where application_name = 'tallystick' and pid <> pg_backend_pid()`,
  )
  await client.end()
  return rows.reduce((sum, { pid }) => sum + processorMsOf(pid), 0)
}

function processorMsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return 0
  }
}
