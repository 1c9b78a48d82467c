// How long the attestation of a period takes, and what other calls notice of it. README.md says how to read it.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../packages/service/src/db/index.js'
import { loadOrCreateSigningKey } from '../packages/service/src/record/index.js'
import { startPostgres } from './database.mjs'
import { end, runAndCleanUp, startServer } from './processes.mjs'
import { describeMachine } from './report.mjs'
import { createTenant, seedRecord } from './seed-record.mjs'

const usage = `Usage: npm run bench:attestation -- [options]
  --sizes N,N    how many receipts the period has (10000,100000,1000000)
  --group N      how many receipts share a seal (128)
  --rounds N     how many attestations of each, whose median counts (3); 0: only jobs, each once, for millions of receipts`

const program = fileURLToPath(new URL('../packages/service/dist/cli/index.js', import.meta.url))
const question = JSON.stringify({ model: 'mock/echo', messages: [{ role: 'user', content: 'How many?' }] })

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      group: { type: 'string', default: '128' },
      rounds: { type: 'string', default: '3' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const { url, key, dataDir } = await startService(cleanup)
  const signingKey = await loadOrCreateSigningKey({ dataDir, configured: null })
  const { cores, node } = describeMachine()
  console.log(`${cores} cores, Node ${node}, a seal per ${values.group} receipts, median of ${values.rounds}`)
  const alone = await measureCalls(url, key, 2_000)
  console.log(`calls alone: p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms\n`)
  for (const size of values.sizes.split(',').map(Number)) {
    const tenant = await createTenant(databaseUrl, `bench-${size}`)
    await seedRecord(databaseUrl, { tenantId: tenant.id, size, group: Number(values.group), signingKey })
    console.log(`${String(size).padStart(9)} receipts`)
    const rounds = Number(values.rounds)
    if (rounds > 0) {
      const timesMs = []
      for (let round = 0; round < rounds; round++) timesMs.push(await attest(url, tenant.key, size))
      const [, during] = await measureDuring(url, key, () => attest(url, tenant.key, size))
      console.log(`  attestation: ${describeTime(median(timesMs), size)}; ${describeCalls(during)}`)
    }
    for (const kind of /** @type {const} */ (['attestations', 'exports'])) {
      const alone = rounds > 0 ? await makeJob(url, tenant.key, kind) : null
      const [beside, during] = await measureDuring(url, key, () => makeJob(url, tenant.key, kind))
      const { ms, bytes, keptBytes } = alone ?? beside
      console.log(
        `  ${kind} as a job: ${describeTime(ms, size)}; ${(bytes / size).toFixed(0)} bytes each, ` +
          `${(keptBytes / size).toFixed(0)} kept; ${describeCalls(during)}`,
      )
    }
  }
}

/** @param {number} ms @param {number} size */
const describeTime = (ms, size) => `${(ms / 1000).toFixed(2)} s, ${((ms * 1000) / size).toFixed(1)} µs each`

/** @param {ReturnType<typeof summarise>} summary */
const describeCalls = ({ calls, p50, p99 }) =>
  `calls meanwhile (${calls}): p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

let databaseUrl = ''

/** The service as it ships, on a database that this run fills. @param {import('./processes.mjs').Cleanup} cleanup */
async function startService(cleanup) {
  const postgres = await startPostgres(cleanup)
  databaseUrl = postgres.url
  await migrate(databaseUrl)
  const dataDir = join(postgres.folder, 'data')
  const key = `tallystick_sk_${randomBytes(20).toString('hex')}`
  const { child, address } = startServer({
    name: 'the service',
    args: [program, 'serve'],
    env: {
      TALLYSTICK_PORT: '0',
      TALLYSTICK_DATA_DIR: dataDir,
      TALLYSTICK_LOG_LEVEL: 'warn',
      TALLYSTICK_BOOTSTRAP_KEY: key,
      DATABASE_URL: databaseUrl,
    },
    listening: /listens on (http:\/\/\S+)/,
  })
  cleanup.add(() => end(child))
  return { url: await address, key, dataDir }
}

/** @param {string} url @param {string} key @param {number} size */
async function attest(url, key, size) {
  const startedMs = performance.now()
  const response = await fetch(`${url}/v1/compliance/attestation?days=30`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { totals } = /** @type {any} */ (await response.json())
  if (totals?.chainVerifiedCount !== size || totals?.signaturesVerifiedCount !== size)
    throw new Error(`the record does not verify: ${JSON.stringify(totals)}`)
  return performance.now() - startedMs
}

/** @param {string} url @param {string} key @param {'attestations' | 'exports'} kind */
async function makeJob(url, key, kind) {
  const headers = { authorization: `Bearer ${key}` }
  const ask = async (path, method = 'GET') =>
    /** @type {any} */ (await (await fetch(`${url}/v1/compliance/${path}`, { method, headers })).json())
  const startedMs = performance.now()
  let job = await ask(kind, 'POST')
  for (; job.finishedAt === null; job = await ask(`jobs/${job.id}`)) await pause(50)
  const ms = performance.now() - startedMs
  if (job.status !== 'done') throw new Error(`the job ended: ${JSON.stringify(job)}`)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query(
    'select sum(length(content))::float8 as kept from compliance_job_parts where job_id = $1',
    [job.id],
  )
  await client.end()
  return { ms, bytes: job.bytes, keptBytes: rows[0].kept }
}

/**
 * What the work gives, and how governed calls went meanwhile, one after the other.
 * @template T
 * @param {string} url @param {string} key @param {() => Promise<T>} work
 * @returns {Promise<[T, ReturnType<typeof summarise>]>}
 */
async function measureDuring(url, key, work) {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  const timesMs = []
  while (!isDone) timesMs.push(await call(url, key))
  return [await working, summarise(timesMs)]
}

async function measureCalls(url, key, forMs) {
  const timesMs = []
  for (let i = 0; i < 200; i++) await call(url, key)
  for (const untilMs = performance.now() + forMs; performance.now() < untilMs; )
    timesMs.push(await call(url, key))
  return summarise(timesMs)
}

async function call(url, key) {
  const startedMs = performance.now()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: question })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`a call was answered ${response.status}`)
  return performance.now() - startedMs
}

/** @param {number[]} timesMs */
function summarise(timesMs) {
  const sorted = timesMs.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { calls: sorted.length, p50: at(0.5), p99: at(0.99) }
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

await runAndCleanUp(run)
