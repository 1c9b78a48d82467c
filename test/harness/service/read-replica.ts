import { appendFile, chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { chooseAccount } from '../../../packages/service/src/db/embedded/account/account.js'
import { runProgram } from '../../../packages/service/src/db/embedded/account/run-program.js'
import {
  findPlatformPackage,
  prepareBinaries,
} from '../../../packages/service/src/db/embedded/binaries/binaries.js'
import { launchServer } from '../../../packages/service/src/db/embedded/server/launch.js'
import { findServer } from '../../../packages/service/src/db/embedded/server/pid-file.js'
import { migrate, startEmbeddedPostgres } from '../../../packages/service/src/db/index.js'
import { findFreePort } from '../processes/redis.js'
import { waitFor } from '../run/wait.js'
import type { TestDatabase } from './database.js'

/** A real standby that streams from a real primary. */
export interface ReplicatedDatabase extends TestDatabase {
  replica: {
    url: string
    query: TestDatabase['query']
    kill(): Promise<void>
    start(): Promise<void>
  }
}

const isSkipped = (path: string): boolean =>
  basename(path) === 'postmaster.pid' || basename(dirname(path)) === 'pg_wal'

/** Starts two servers of their own, because one of them is paused and killed. */
export async function createReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-replicated-'))
  // Under root the servers run as another account, which must be able to enter.
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'primary')
  const primary = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  await migrate(primary.url)
  const primaryPool = openPool(primary.url)

  const directory = join(folder, 'replica')
  const account = await chooseAccount(directory)
  const { postgres } = await prepareBinaries({
    packageDir: findPlatformPackage(),
    copiesDir: '/var/lib/tallystick',
    ...{ account, log: () => undefined },
  })
  await copyRunning(primary.url, join(dataDir, 'postgres'), directory)
  if (account) {
    const args = ['-R', `${account.uid}:${account.gid}`, directory]
    await runProgram({ program: 'chown', args, account: undefined, timeoutMs: 60_000 })
  }
  const url = new URL(primary.url)
  url.port = String(await findFreePort())
  const pool = openPool(url.href)

  const pid = async () => (await findServer(directory))?.pid
  async function start(): Promise<void> {
    const logPath = join(folder, 'replica.log')
    const launch = await launchServer({ postgres, directory, logPath, account, port: Number(url.port) })
    await waitFor('the replica', async () => {
      if (launch.hasEnded()) throw new Error(await launch.readLog())
      return await pool.query('select 1').then(
        () => true,
        () => false,
      )
    })
  }
  async function kill(): Promise<void> {
    // An immediate shutdown: SIGKILL would leave its children, which hold the memory that a new start needs.
    const found = await pid()
    if (found !== undefined) process.kill(found, 'SIGQUIT')
    await waitFor('the replica to end', async () => (await pid()) === undefined)
  }
  await start()
  return {
    url: primary.url,
    query: createQuery(primaryPool),
    replica: {
      url: url.href,
      query: createQuery(pool),
      ...{ kill, start },
    },
    async drop() {
      await pool.end()
      await kill()
      await primaryPool.end()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => undefined)
  return pool
}

const createQuery =
  (pool: pg.Pool): TestDatabase['query'] =>
  async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    (await pool.query<Row>(text, values)).rows

/** Copies the files of a running server, as `pg_basebackup` does, into one that streams from it. */
async function copyRunning(url: string, source: string, target: string): Promise<void> {
  const { port, username, password } = new URL(url)
  // The end of the backup must be told by the connection that began it.
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query("select pg_backup_start('replica', true)")
    await cp(source, target, { recursive: true, filter: (path) => !isSkipped(path) })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(target, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  await writeFile(join(target, 'standby.signal'), '')
  const primary = `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)} sslmode=disable`
  await appendFile(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
}
