import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isSoak } from '../../../../../test/harness/run/soak.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { canEnter, chooseAccount, parsePasswd } from './account/account.js'
import { findPlatformPackage } from './binaries/binaries.js'
import { SHARED_DIR } from './cluster.js'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './index.js'
import { findServer } from './server/pid-file.js'

const SOURCES = dirname(fileURLToPath(import.meta.url))
const IS_ROOT = process.getuid?.() === 0

let compiled: string
/** A folder with a database in it that is stopped. */
let made: string
let root: string
let dataDirs: string[]
let children: ChildProcess[]
let messages: string[]

/** Other processes run a bundle of the sources, so these tests need no build before them. */
beforeAll(async () => {
  compiled = await openTempDir()
  await writeFile(join(compiled, 'package.json'), '{"type":"module"}')
  await symlink(join(SOURCES, '../../../../../node_modules'), join(compiled, 'node_modules'))
  const contents = `
    import { promises } from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    import { startEmbeddedPostgres } from './index.js'
    const { rename } = promises
    if (process.argv[3] === 'unfinished') {
      promises.rename = (from, to) =>
        to === process.argv[2] + '/postgres' ? new Promise(() => setInterval(() => {}, 60_000)) : rename(from, to)
      syncBuiltinESMExports()
    }
    const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
    const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2], log: () => {} })
    say({ url: postgres.url })
    process.stdin.once('data', async () => { await postgres.stop(); process.exit(0) })`
  await build({
    stdin: { contents, resolveDir: SOURCES },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outfile: join(compiled, 'user.js'),
  })
  made = await openTempDir()
  await (await startEmbeddedPostgres({ dataDir: join(made, '.tallystick'), log: () => {} })).stop()
})
afterAll(async () => {
  for (const folder of [compiled, made]) await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  root = await openTempDir()
  dataDirs = []
  children = []
  messages = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const dataDir of dataDirs) {
    const directory = await realpath(join(dataDir, 'postgres')).catch(() => undefined)
    if (directory === undefined) continue
    const server = await findServer(directory)
    if (server !== undefined) {
      process.kill(server.pid, 'SIGQUIT')
      // One that a test has stopped hears nothing else.
      process.kill(server.pid, 'SIGCONT')
      await waitFor('its end', async () => (await findServer(directory)) === undefined)
    }
    if (directory.startsWith(SHARED_DIR)) await rm(directory, { recursive: true })
  }
  await rm(root, { recursive: true, force: true })
})

/** Temp folders are born 0700, which under root would send every database elsewhere. */
async function openTempDir(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'tallystick-embedded-')))
  await chmod(path, 0o755)
  return path
}

function newDataDir(...path: string[]): string {
  const dataDir = join(root, ...path, '.tallystick')
  dataDirs.push(dataDir)
  return dataDir
}

/** For tests that are not about creating a database, which takes seconds. */
function usedDataDir(...path: string[]): string {
  const dataDir = newDataDir(...path)
  execFileSync('mkdir', ['-p', dirname(dataDir)])
  execFileSync('cp', ['-a', join(made, '.tallystick'), dataDir])
  return dataDir
}

function start(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: (message) => messages.push(message) })
}

async function query(url: string, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows[0] ?? {}
  } finally {
    await client.end()
  }
}

const startedAt = async (url: string) =>
  (await query(url, 'SELECT pg_postmaster_start_time()::text AS at')).at

async function serverOf(dataDir: string) {
  return findServer(await realpath(join(dataDir, 'postgres')))
}

/** Runs `startEmbeddedPostgres` in a process group of its own. With `unfinished` it never puts a new database in place. */
function spawnUser(
  dataDir: string,
  identity: { uid?: number; gid?: number } = {},
  ...words: 'unfinished'[]
): ChildProcess {
  const child = spawn(process.execPath, [join(compiled, 'user.js'), dataDir, ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    cwd: '/',
    ...identity,
  })
  children.push(child)
  return child
}

async function urlFrom(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no output')
  for await (const line of createInterface(child.stdout)) return JSON.parse(line).url
  throw new Error('the child ended before it had a database')
}

async function tellToStop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.stdin?.write('stop\n')
  expect(await exit).toEqual([0, null])
}

/** Kills the whole process group, as a closing terminal or a supervisor would. */
async function killHard(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  if (child.pid === undefined) throw new Error('the child never started')
  process.kill(-child.pid, 'SIGKILL')
  await exit
}

describe('the embedded Postgres', () => {
  it('starts on an empty folder, durable, in UTF-8 and UTC, on loopback alone', async () => {
    const dataDir = newDataDir()
    const postgres = await start(dataDir)
    const settings = await query(
      postgres.url,
      `SELECT current_user AS user, current_database() AS database, current_setting('fsync') AS fsync,
              current_setting('synchronous_commit') AS synchronous, current_setting('full_page_writes') AS pages,
              current_setting('listen_addresses') AS addresses, current_setting('timezone') AS zone,
              current_setting('unix_socket_directories') AS sockets, current_setting('server_encoding') AS encoding,
              (SELECT datlocale FROM pg_database WHERE datname = current_database()) AS locale,
              (SELECT rolpassword LIKE 'SCRAM-SHA-256$%' FROM pg_authid WHERE rolname = current_user) AS scram`,
    )
    expect(settings).toEqual({
      user: 'tallystick',
      database: 'tallystick',
      fsync: 'on',
      synchronous: 'on',
      pages: 'on',
      addresses: '127.0.0.1',
      zone: 'UTC',
      sockets: '',
      encoding: 'UTF8',
      locale: 'C.UTF-8',
      scram: true,
    })
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
    await expect(startedAt(postgres.url.replace(/:[^:@]+@/, ':wrong@'))).rejects.toThrow(/password/)
    await postgres.stop()
    expect(await serverOf(dataDir)).toBeUndefined()
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
  })

  it('keeps its data from one start to the next', async () => {
    const dataDir = usedDataDir()
    const first = await start(dataDir)
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const second = await start(dataDir)
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 })
    await second.stop()
  })

  it('outlives a killed process and its group, and is found again by the next', async () => {
    const dataDir = usedDataDir()
    const child = spawnUser(dataDir)
    const url = await urlFrom(child)
    const before = await startedAt(url)
    await killHard(child)
    const postgres = await start(dataDir)
    expect(postgres.url).toBe(url)
    expect(await startedAt(postgres.url)).toBe(before)
    // The server counts a dead one until it has seen its connection close.
    const present = `SELECT count(*)::int AS users FROM pg_stat_activity WHERE application_name = 'tallystick present'`
    await waitFor('the dead one to be gone', async () => (await query(url, present)).users === 1)
    await postgres.stop()
    expect(await serverOf(dataDir)).toBeUndefined()
  })

  it('is one server for two processes that start at once on an empty folder, and the last one out stops it', async () => {
    const dataDir = newDataDir()
    const [one, other] = [spawnUser(dataDir), spawnUser(dataDir)]
    const [oneUrl, otherUrl] = await Promise.all([urlFrom(one), urlFrom(other)])
    expect(oneUrl).toBe(otherUrl)
    await tellToStop(one)
    expect((await query(otherUrl, 'SELECT 1 AS up')).up).toBe(1)
    await tellToStop(other)
    expect(await serverOf(dataDir)).toBeUndefined()
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
  })

  it('is stopped when all its users leave at the same moment', async () => {
    const dataDir = usedDataDir()
    const users = [await start(dataDir), await start(dataDir), await start(dataDir)]
    await Promise.all(users.map((user) => user.stop()))
    expect(await serverOf(dataDir)).toBeUndefined()
  })

  it('keeps running for a client that is not one of ours', async () => {
    const dataDir = usedDataDir()
    const postgres = await start(dataDir)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await postgres.stop()
    expect((await client.query('SELECT 1 AS up')).rows).toEqual([{ up: 1 }])
    await client.end()
  })

  it('serves whoever starts it while another is stopping it', async () => {
    const dataDir = usedDataDir()
    let current = await start(dataDir)
    for (let round = 0; round < (isSoak ? 5 : 2); round += 1) {
      const [next] = await Promise.all([start(dataDir), current.stop()])
      expect((await query(next.url, 'SELECT 1 AS up')).up).toBe(1)
      current = next
    }
    await current.stop()
  })

  it('recovers what was committed when the server itself is killed', async () => {
    const dataDir = usedDataDir()
    const first = await start(dataDir)
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const server = await serverOf(dataDir)
    process.kill(server?.pid ?? 0, 'SIGKILL')
    const second = await start(dataDir)
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 })
    await second.stop()
    await first.stop()
  })

  it('is killed and started again on its port when it hangs', async () => {
    const dataDir = usedDataDir()
    const postgres = await startEmbeddedPostgres({
      ...{ dataDir, log: () => undefined, onFault: (message) => messages.push(message) },
      pings: { everyMs: 100, timeoutMs: 6_000, maxSilent: 2 },
    })
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const hung = (await serverOf(dataDir))?.pid ?? 0
    process.kill(hung, 'SIGSTOP')
    await waitFor('its return', () => messages.at(-1) === 'the embedded Postgres runs again')
    expect(messages[0]).toMatch(/did not answer 2 times in a row and was killed; it is being started again/)
    expect((await serverOf(dataDir))?.pid).not.toBe(hung)
    expect(await query(postgres.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 })
    expect(postgres.watch?.fault()).toBeNull()
    await postgres.stop()
  })

  it('starts although the pid in its old pid file now belongs to another process of its account', async () => {
    const dataDir = usedDataDir()
    const first = await start(dataDir)
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    const lines = (await readFile(pidFile, 'utf8')).split('\n')
    await first.stop()
    const account = await chooseAccount(join(dataDir, 'postgres'))
    const stranger = spawn('sleep', ['1200'], account ? { uid: account.uid, gid: account.gid } : {})
    children.push(stranger)
    await once(stranger, 'spawn')
    await writeFile(pidFile, [stranger.pid, ...lines.slice(1)].join('\n'))
    const second = await start(dataDir)
    expect((await query(second.url, 'SELECT 1 AS up')).up).toBe(1)
    await second.stop()
    expect(stranger.exitCode).toBeNull()
  })

  it('does not mistake the server of the folder it was copied from for its own', async () => {
    const [original, copy] = [usedDataDir('original'), newDataDir('copy')]
    await cp(original, copy, { recursive: true })
    const running = await start(original)
    await cp(join(original, 'postgres', 'postmaster.pid'), join(copy, 'postgres', 'postmaster.pid'))
    const copied = await start(copy)
    expect(copied.url).not.toBe(running.url)
    const { directory } = await query(copied.url, `SELECT current_setting('data_directory') AS directory`)
    expect(directory).toBe(join(copy, 'postgres'))
    expect((await query(running.url, 'SELECT 1 AS up')).up).toBe(1)
    await copied.stop()
    await running.stop()
  })

  it('starts afresh after it was killed half-way through creating the database', async () => {
    const dataDir = newDataDir()
    const child = spawnUser(dataDir, {}, 'unfinished')
    const scratch = async () =>
      (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('.build-'))
    await waitFor('the beginning', async () => (await scratch()).length > 0)
    await killHard(child)
    expect(await readdir(dataDir)).not.toContain('postgres')
    const postgres = await start(dataDir)
    expect((await query(postgres.url, 'SELECT 1 AS up')).up).toBe(1)
    await postgres.stop()
    expect(await scratch()).toEqual([])
  })

  it('lives in folders with spaces, quotes and very long paths', async () => {
    const dataDir = newDataDir("a folder's own space", ...Array.from({ length: 4 }, () => 'long'.repeat(40)))
    const postgres = await start(dataDir)
    expect((await query(postgres.url, 'SELECT 1 AS up')).up).toBe(1)
    await postgres.stop()
  })

  it('says why when Postgres cannot start', async () => {
    const dataDir = usedDataDir()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '12\n')
    await expect(start(dataDir)).rejects.toThrow(/incompatible with server/)
  })

  it('does not make up a new password for a database that has one', async () => {
    const dataDir = usedDataDir()
    await rm(join(dataDir, 'postgres-password'))
    await expect(start(dataDir)).rejects.toThrow(/password is missing/)
  })
})

describe('the embedded Postgres under closed folders', () => {
  it('keeps root’s database where its account can reach it, and refuses to replace a lost one', async ({
    skip,
  }) => {
    skip(!IS_ROOT, 'only root runs Postgres under another account')
    const home = join(root, 'home')
    await mkdir(home, { mode: 0o700 })
    const dataDir = newDataDir('home', 'checkout')
    const postgresDir = join(dataDir, 'postgres')
    const users = await Promise.all([start(dataDir), start(dataDir)])
    expect(users[0].url).toBe(users[1].url)
    expect((await lstat(postgresDir)).isSymbolicLink()).toBe(true)
    const target = await readlink(postgresDir)
    expect(messages.filter((message) => message.includes(target))).toHaveLength(1)
    await query(users[0].url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await Promise.all(users.map((user) => user.stop()))

    const again = await start(dataDir)
    expect(await query(again.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 })
    await again.stop()

    const siblings = (await readdir(SHARED_DIR)).filter((name) => target.includes(name.slice(0, 17)))
    expect(siblings).toHaveLength(1)
    await rm(target, { recursive: true })
    await expect(start(dataDir)).rejects.toThrow(/is gone/)
  })

  it('takes over a database that root brought back from a backup', async ({ skip }) => {
    skip(!IS_ROOT, 'only root can own what it restores')
    const [original, restored] = [usedDataDir('original'), newDataDir('restored')]
    const first = await start(original)
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    // Copied by root, every file belongs to root, which Postgres would not accept.
    await cp(original, restored, { recursive: true })
    const postgres = await start(restored)
    expect(await query(postgres.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 })
    await postgres.stop()
  })

  it('runs for an ordinary user with a closed home, and then for root on the same folder', async ({
    skip,
  }) => {
    skip(!IS_ROOT, 'only root can become another user')
    const nobody = parsePasswd(await readFile('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody')
    if (nobody === undefined) return skip('there is no user nobody')
    for (const needed of [dirname(process.execPath), findPlatformPackage()])
      skip(!(await canEnter(needed, nobody)), `nobody cannot enter ${needed}`)
    const home = join(root, 'home')
    await mkdir(home, { mode: 0o700 })
    await chown(home, nobody.uid, nobody.gid)
    const dataDir = newDataDir('home')
    const child = spawnUser(dataDir, { uid: nobody.uid, gid: nobody.gid })
    const url = await urlFrom(child)
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(nobody.uid)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await tellToStop(child)

    const postgres = await start(dataDir)
    expect(await query(postgres.url, 'SELECT answer FROM kept')).toEqual({ answer: 42 })
    await postgres.stop()
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(nobody.uid)
  })
})
