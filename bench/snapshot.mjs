// What an open snapshot, as of a logical backup, costs: the database's processor time per call with one and without.
// node --import ./scripts/typescript.mjs bench/snapshot.mjs [--seconds 60]
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/db/index.js'
import { createOpenCalls } from '../src/ledger/index.js'
import { publishSigningKey } from '../src/ledger/keys/published-keys.js'
import { loadOrCreateSigningKey } from '../src/ledger/keys/signing-key.js'
import { noMarks } from '../src/ledger/marks/record-marks.js'
import { openLedger } from '../src/ledger/write/writer.js'
import { createTenant } from '../src/modules/tenants/index.js'
import { createProjections } from '../src/service/projections.js'
import { newReceipt } from '../test/harness/receipt.js'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const seconds = Number(values.seconds)
const callers = 16
const msPerTick = 10

const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-bench-snapshot-'))
await chmod(dataDir, 0o755)
const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
const log = { debug: () => undefined, warn: console.warn, error: console.error }

try {
  await migrate(postgres.url)
  const { db, close } = openDatabase(postgres.url, (error) => console.error(error.message))
  const signingKey = await loadOrCreateSigningKey({ dataDir, configured: null })
  await publishSigningKey(db, signingKey.publicKey)
  const without = await measure((await createTenant(db, 'without')).id, signingKey)
  const reader = new pg.Client(postgres.url)
  await reader.connect()
  await reader.query('begin isolation level repeatable read')
  const tenant = await createTenant(db, 'with')
  await reader.query('select count(*) from tenants')
  const snapshot = await measure(tenant.id, signingKey)
  await reader.end()
  await close()
  for (const [name, { calls, microseconds }] of Object.entries({ without, snapshot }))
    console.log(`${name.padEnd(10)} ${calls} calls, ${microseconds.toFixed(0)} µs of the database each`)
  console.log(`ratio      ${(snapshot.microseconds / without.microseconds).toFixed(2)} (goal: below 1.15)`)
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** Calls that are opened and then recorded, one after the other by each caller. */
async function measure(tenantId, signingKey) {
  const databaseUrl = postgres.url
  const openCalls = await createOpenCalls({ databaseUrl, processId: 'bench', log })
  const projections = createProjections([])
  const ledger = await openLedger({ databaseUrl, dataDir, signingKey, marks: noMarks, projections, log })
  const before = await readProcessorMs()
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
  const usedMs = (await readProcessorMs()) - before
  await openCalls.close()
  await ledger.close()
  return { calls, microseconds: (usedMs * 1_000) / calls }
}

/** Of the connections of this process, by their server processes. */
async function readProcessorMs() {
  const client = new pg.Client(postgres.url)
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
