// What an open snapshot, as of a logical backup, costs: the database's processor time per call with one and without.
// node --import ./scripts/typescript.mjs bench/snapshot.mjs [--seconds 60]
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createOpenCalls } from '../src/ledger/index.js'
import { noMarks } from '../src/ledger/marks/record-marks.js'
import { openLedger } from '../src/ledger/write/writer.js'
import { createTenant } from '../src/modules/tenants/index.js'
import { createProjections } from '../src/service/projections.js'
import { newReceipt } from '../test/harness/receipt.js'
import { startRecordDatabase } from './database.mjs'
import { runAndCleanUp } from './processes.mjs'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const seconds = Number(values.seconds)
const callers = 16
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
  for (const [name, { calls, microseconds }] of Object.entries({ without, snapshot }))
    console.log(`${name.padEnd(10)} ${calls} calls, ${microseconds.toFixed(0)} µs of the database each`)
  console.log(`ratio      ${(snapshot.microseconds / without.microseconds).toFixed(2)} (goal: below 1.15)`)
})

/** Calls that are opened and then recorded, one after the other by each caller. */
async function measure({ url: databaseUrl, folder: dataDir, signingKey }, tenantId) {
  const openCalls = await createOpenCalls({ databaseUrl, processId: 'bench', log })
  const projections = createProjections([])
  const ledger = await openLedger({ databaseUrl, dataDir, signingKey, marks: noMarks, projections, log })
  const before = await readProcessorMs(databaseUrl)
  const untilMs = performance.now() + seconds * 1_000
  let calls = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < untilMs) {
        const receipt = newReceipt(tenantId, { key: `key_${caller % 4}`, costNanos: 1_000 })
        await openCalls.open({ receipt, generation: null, limitsVersion: 0 })
        await ledger.append(receipt)
        calls++
      }
    }),
  )
  const usedMs = (await readProcessorMs(databaseUrl)) - before
  await openCalls.close()
  await ledger.close()
  return { calls, microseconds: (usedMs * 1_000) / calls }
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
