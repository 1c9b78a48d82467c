// `npm run upgrade-trial -- <commit>`: builds the program of a commit, serves with three replicas of it, migrates with this program, and
// replaces the replicas one by one, all under load. Reports what callers saw. Needs redis-server; loopback only.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../packages/service/src/db/index.js'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { root } from './build/sources.mjs'

const firstMigration = 'packages/service/migrations/0001_initial.sql'

/** @param {string[]} args */
const git = (...args) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** @returns {string} */
function chooseCommit() {
  const [ref] = process.argv.slice(2)
  if (ref === undefined) return fail('Name the commit to upgrade from: npm run upgrade-trial -- <commit>')
  const { status, stdout } = git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
  if (status !== 0) return fail(`There is no commit ${ref} here. Fetch it, or name another one.`)
  if (git('cat-file', '-e', `${stdout.trim()}:${firstMigration}`).status !== 0)
    return fail(
      `${ref} is older than 0.1.0: it has no ${firstMigration}. Upgrades start from 0.1.0. Name a later commit.`,
    )
  return stdout.trim()
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(1)
}

const commit = chooseCommit()

const callers = 6
const steadyMs = 5_000
const folder = mkdtempSync(join(tmpdir(), 'tallystick-upgrade-'))
const oldCheckout = join(folder, 'old')
const bootstrapKey = `tallystick_sk_${'upgradetrial'.repeat(2)}`
/** @type {(() => Promise<unknown> | unknown)[]} */
const closers = [() => rmSync(folder, { recursive: true, force: true })]

async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/**
 * Links every installed package, and the packages of this repository as they are in the old checkout.
 * @param {string} from @param {string} to
 */
function linkPackages(from, to) {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const path = join(from, name)
    if (name === '@tallystick') linkPackages(path, join(to, name))
    else if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(to, name))
    else symlinkSync(path, join(to, name))
  }
}

async function buildOld() {
  execFileSync('git', ['worktree', 'add', '--detach', oldCheckout, commit], { cwd: root, stdio: 'ignore' })
  closers.push(() => execFileSync('git', ['worktree', 'remove', '--force', oldCheckout], { cwd: root }))
  linkPackages(join(root, 'node_modules'), join(oldCheckout, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: oldCheckout, stdio: 'inherit' })
}

async function startRedis() {
  const port = await findFreePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const server = spawn('redis-server', args, { stdio: 'ignore' })
  closers.push(() => server.kill())
  return `redis://127.0.0.1:${port}`
}

let replicasStarted = 0

/** @param {string} checkout @param {Record<string, string>} env */
async function startReplica(checkout, env) {
  const dataDir = join(folder, `replica-${++replicasStarted}`)
  const child = spawn(process.execPath, [join(checkout, 'packages/service/dist/cli/index.js'), 'serve'], {
    env: { PATH: process.env.PATH ?? '', TALLYSTICK_PORT: '0', TALLYSTICK_DATA_DIR: dataDir, ...env },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  closers.push(() => child.kill('SIGKILL'))
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const found = /listens on (http:\/\/\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`a replica ended with ${code}:\n${output}`)))
  })
  return {
    address: String(address),
    underWay: 0,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await gone
      if (code !== 0) console.log(`A replica ended with ${code}:\n${output.slice(-2_000)}`)
    },
  }
}

/** @typedef {Awaited<ReturnType<typeof startReplica>>} Replica */

/** The replicas on the load balancer: calls go to these. @type {Replica[]} */
const balanced = []
/** @type {{ status: number, id: string | null, ms: number, text: string }[]} */
const answers = []
let isOver = false

/** @param {number} caller */
async function call(caller) {
  for (let turn = caller; !isOver; turn++) {
    const replica = balanced[turn % balanced.length]
    if (replica === undefined) throw new Error('no replica serves')
    replica.underWay++
    const startedMs = performance.now()
    try {
      const response = await fetch(`${replica.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'mock/echo',
          stream: turn % 2 === 0,
          messages: [{ role: 'user', content: 'Count this.' }],
        }),
      })
      const text = await response.text()
      const id = response.headers.get('x-tallystick-request-id')
      answers.push({
        status: response.status,
        id,
        ms: performance.now() - startedMs,
        text: text.slice(0, 200),
      })
    } catch (error) {
      answers.push({ status: 0, id: null, ms: performance.now() - startedMs, text: String(error) })
    } finally {
      replica.underWay--
    }
  }
}

/** Removes a replica as a load balancer does: no new calls, wait for those under way, then stop. @param {Replica} replica */
async function takeOut(replica) {
  balanced.splice(balanced.indexOf(replica), 1)
  while (replica.underWay > 0) await pause(20)
  await replica.stop()
}

/** @param {string} title */
function report(title) {
  const took = answers.splice(0)
  const refused = took.filter(({ status }) => status !== 200)
  const longestMs = Math.max(0, ...took.map(({ ms }) => ms))
  console.log(
    `${title}: ${took.length} calls, ${refused.length} refused or broken, the longest took ${longestMs.toFixed(0)} ms`,
  )
  for (const { status, text } of refused.slice(0, 3)) console.log(`  ${status} ${text}`)
  answered.push(...took.filter(({ status }) => status === 200).map(({ id }) => id ?? ''))
  refusedCount += refused.length
}

/** @type {string[]} */
const answered = []
let refusedCount = 0

async function run() {
  await buildIfChanged()
  await buildOld()
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: () => undefined })
  closers.push(() => postgres.stop())
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: await startRedis(),
    TALLYSTICK_BOOTSTRAP_KEY: bootstrapKey,
    TALLYSTICK_MASTER_KEY: randomBytes(32).toString('hex'),
    TALLYSTICK_SIGNING_KEY: generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    TALLYSTICK_LOG_LEVEL: 'warn',
  }
  for (let i = 0; i < 3; i++) balanced.push(await startReplica(oldCheckout, env))
  const old = [...balanced]
  const program = join(root, 'packages/service/dist/cli/index.js')
  const tallystick = (/** @type {string[]} */ ...args) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [program, ...args], {
        env: { PATH: process.env.PATH ?? '', ...env },
        cwd: folder,
      })
      child.stdout.on('data', (chunk) => process.stdout.write(chunk))
      child.stderr.on('data', (chunk) => process.stdout.write(chunk))
      child.once('exit', resolve)
    })

  const calling = Array.from({ length: callers }, (_, caller) => call(caller))
  await pause(steadyMs)
  report('Before')

  // Holds a lock on the record, like a long report, while the schema changes.
  const reader = new pg.Client(postgres.url)
  await reader.connect()
  await reader.query('begin; select from receipts limit 1')
  const migrating = tallystick('migrate')
  await pause(steadyMs)
  await reader.end()
  if ((await migrating) !== 0) throw new Error('migrate failed')
  report('While `tallystick migrate` ran, beside a transaction that had read the record')
  await pause(steadyMs)
  report('Old replicas on the new schema')

  for (const [i, replica] of old.entries()) {
    balanced.push(await startReplica(root, env))
    await takeOut(replica)
    report(`Replica ${i + 1} replaced`)
  }
  if ((await tallystick('migrate')) !== 0) throw new Error('migrate failed')
  await pause(steadyMs)
  report('New replicas')
  isOver = true
  await Promise.all(calling)
  report('The last calls')

  const client = new pg.Client(postgres.url)
  await client.connect()
  const { rows } = await client.query(
    'select count(*)::int as all, count(distinct request_id)::int as distinct from receipts where request_id = any($1)',
    [answered],
  )
  await client.end()
  const lost = answered.length - rows[0].distinct
  console.log(
    `${answered.length} calls were answered, ${refusedCount} refused; ${lost} have no receipt, ${rows[0].all - rows[0].distinct} have two`,
  )
  const [replica] = balanced
  const headers = { authorization: `Bearer ${bootstrapKey}` }
  const get = async (/** @type {string} */ path) =>
    Buffer.from(await (await fetch(`${replica?.address}${path}`, { headers })).arrayBuffer())
  writeFileSync(join(folder, 'record.jsonl'), await get('/v1/compliance/export'))
  writeFileSync(join(folder, 'jwks.json'), await get('/.well-known/tallystick/jwks.json'))
  const verdict = await tallystick('verify', join(folder, 'record.jsonl'), '--key', join(folder, 'jwks.json'))
  for (const each of [...balanced]) await each.stop()
  return refusedCount + lost === 0 && verdict === 0
}

try {
  process.exitCode = (await run()) ? 0 : 1
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  for (const close of closers.reverse()) await close()
}
process.exit()
