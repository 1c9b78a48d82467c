// What each page of the console costs a tenant with a million calls. README.md says how to read it.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { migrate, openDatabase, startEmbeddedPostgres } from '../packages/service/src/db/index.js'
import { operatorOf } from '../packages/service/src/resources/audit/index.js'
import { createKey } from '../packages/service/src/resources/keys/index.js'
import { createTenant } from '../packages/service/src/resources/tenants/index.js'
import { openFolder } from './folder.mjs'
import { fillTenant } from './pages/fill.mjs'
import { findRequests, pages } from './pages/requests.mjs'
import { readTreeTime, subtractTreeTime } from './process-tree.mjs'
import { end, runAndCleanUp, startServer } from './processes.mjs'
import { describeMachine } from './report.mjs'

const usage = `Usage: npm run bench:pages -- [options]
  --calls N       calls in ninety days (1000000)
  --rounds N      how often each request is sent (5)
  --only TEXT     only pages whose path has this text
  --requests      each request of a page as well
  --data FOLDER   keeps the database there and uses it again`

const goalMs = 300
const program = fileURLToPath(new URL('../packages/service/dist/cli/index.js', import.meta.url))

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
      requests: { type: 'boolean', default: false },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const folder = values.data === undefined ? await openFolder(cleanup) : openKeptFolder(values.data)
  const isFilled = existsSync(join(folder, 'postgres'))
  const { url, stop } = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
  cleanup.add(() => stop())
  const key = await prepare(url, isFilled ? null : Number(values.calls))
  const { pid, address } = await startService(cleanup, url, join(folder, 'service'))
  const paths = pages.filter((path) => path.includes(values.only))
  const found = await findRequests(address, key, paths)
  const { cores, node } = describeMachine()
  console.log(
    `${cores} cores, Node ${node}, ${Number(values.calls).toLocaleString('en')} calls; ms of processor time\n`,
  )
  console.log(formatRow('page', ['requests', 'service', 'database', 'together']))
  for (const [path, requests] of found) {
    const costs = []
    for (const request of requests)
      costs.push({
        request,
        ...(await measure({ address, key, pid, folder, rounds: Number(values.rounds) }, request)),
      })
    const sum = (field) => costs.reduce((total, cost) => total + cost[field], 0)
    const [service, database] = [sum('service'), sum('database')]
    const isOver = service + database > goalMs
    console.log(
      formatRow(path, [requests.length, service, database, service + database]) + (isOver ? '  over' : ''),
    )
    if (!values.requests) continue
    for (const { request, service, database } of costs.sort(
      (a, b) => b.service + b.database - a.service - a.database,
    ))
      console.log(`   ${(service + database).toFixed(0).padStart(6)}  ${decodeURIComponent(request)}`)
  }
}

/** @param {string} name */
function openKeptFolder(name) {
  const folder = resolve(name)
  mkdirSync(folder, { recursive: true })
  // Under root the database has an account of its own, which must get through to it.
  chmodSync(folder, 0o755)
  return folder
}

/** Fills the database, unless it is filled already, and returns a manager key. */
async function prepare(url, calls) {
  await migrate(url)
  const { db, close } = openDatabase(url, (error) => console.error(error.message))
  try {
    if (calls !== null) {
      const { id } = await createTenant(db, 'bench')
      await fillTenant({ db, url, tenantId: id, calls })
    }
    const { id } = await db
      .selectFrom('tenants')
      .select('id')
      .where('name', '=', 'bench')
      .executeTakeFirstOrThrow()
    await sql`checkpoint`.execute(db)
    return (
      await createKey(db, operatorOf(id), {
        name: `pages ${randomBytes(4).toString('hex')}`,
        role: 'manager',
      })
    ).value
  } finally {
    await close()
  }
}

async function startService(cleanup, databaseUrl, dataDir) {
  const { child, address } = startServer({
    name: 'the service',
    args: [program, 'serve'],
    env: {
      TALLYSTICK_PORT: '0',
      TALLYSTICK_DATA_DIR: dataDir,
      TALLYSTICK_LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
    },
    listening: /listens on (http:\/\/\S+)/,
  })
  cleanup.add(() => end(child))
  return { address: await address, pid: child.pid ?? 0 }
}

/** Processor time of one request in ms, after one that does not count. */
async function measure({ address, key, pid, folder, rounds }, request) {
  const ask = async () => {
    const response = await fetch(address + request, { headers: { authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    return response.status
  }
  const status = await ask()
  if (status !== 200) console.error(`${request} answered ${status}`)
  const before = readTreeTime(pid, folder)
  for (let round = 0; round < rounds; round++) await ask()
  const time = subtractTreeTime(readTreeTime(pid, folder), before)
  return {
    service: (time.mainThread + time.otherThreads) / 1_000 / rounds,
    database: time.database / 1_000 / rounds,
  }
}

function formatRow(name, cells) {
  return (
    name.padEnd(50) +
    cells.map((cell) => String(typeof cell === 'number' ? Math.round(cell) : cell).padStart(10)).join('')
  )
}

await runAndCleanUp(run)
