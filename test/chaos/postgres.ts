import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findServer } from '../../packages/service/src/db/embedded/server/pid-file.js'
import { migrate, startEmbeddedPostgres } from '../../packages/service/src/db/index.js'
import { waitFor } from '../harness/run/wait.js'
import { type Relay, startRelay } from './relay.js'

/** A real server that can be stopped, killed, paused and filled, behind a relay that stays. */
export interface PostgresServer {
  /** By way of the relay: for the replicas. */
  url: string
  relay: Relay
  /** Lets the relay lead to the server again. */
  leadBack(): void
  /** Directly: for looking, and for breaking things. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  connect(database?: string): Promise<pg.Client>
  signal(signal: NodeJS.Signals): Promise<void>
  pid(): Promise<number>
  /** Resolves once the server is gone. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Also one that runs: then nothing happens. */
  start(): Promise<void>
  /** Takes away what its disk has left, or gives it back. */
  setDisk(state: 'full' | 'roomy'): Promise<void>
  /** Copies the current state to another database, whose name is returned. Ends the connections to this one. */
  copy(): Promise<string>
  /** Puts a copy in place of the database, as a restore or an asynchronous failover does. Connections end. */
  replaceBy(copy: string): Promise<void>
  close(): Promise<void>
}

/** Why a disk of its own cannot be had; null when it can. */
export const lacksDisks = (): string | null =>
  process.getuid?.() === 0 && process.platform === 'linux' ? null : 'needs root on Linux'

/** A disk in memory at this folder, or other options for the one that is there. */
export function mountDisk(folder: string, options: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  if (status !== 0) throw new Error(`A disk cannot be mounted: ${stderr}`)
}

/** A server that is just ending may still have files open there. */
export const unmountDisk = (folder: string): void => void spawnSync('umount', ['--lazy', folder])

const roomyDisk = '8g'

export async function startPostgres(): Promise<PostgresServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-chaos-db-'))
  const hasDisk = lacksDisks() === null
  if (hasDisk) mountDisk(dataDir, `size=${roomyDisk}`)
  // Under root the server runs as another account, which must be able to enter.
  await chmod(dataDir, 0o755)
  const directory = join(dataDir, 'postgres')
  const launch = () => startEmbeddedPostgres({ dataDir, log: () => undefined })
  let direct = (await launch()).url
  const portOf = (url: string) => Number(new URL(url).port)
  const relay = await startRelay(portOf(direct))
  const url = new URL(direct)
  url.port = String(relay.port)
  await migrate(direct)

  const name = url.pathname.slice(1)
  let copies = 0

  /** Runs statements while nobody is connected to the database. */
  async function whileAlone(...statements: string[]): Promise<void> {
    const admin = await connect('template1')
    relay.lead(1)
    relay.cut()
    try {
      await admin.query(`alter database "${name}" with allow_connections false`)
      await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
        name,
      ])
      for (const statement of statements) await admin.query(statement)
      await admin.query(`alter database "${name}" with allow_connections true`)
    } finally {
      relay.lead(portOf(direct))
      await admin.end()
    }
  }

  async function pidOf(): Promise<number> {
    const server = await findServer(directory)
    if (!server) throw new Error('Postgres does not run')
    return server.pid
  }

  async function connect(database = name): Promise<pg.Client> {
    const target = new URL(direct)
    target.pathname = `/${database}`
    const client = new pg.Client(target.href)
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  return {
    url: url.href,
    relay,
    leadBack: () => relay.lead(portOf(direct)),
    connect,
    async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      const client = await connect()
      try {
        return (await client.query<Row>(text, values)).rows
      } finally {
        await client.end()
      }
    },
    pid: pidOf,
    async signal(signal) {
      process.kill(await pidOf(), signal)
    },
    async end(signal) {
      process.kill(await pidOf(), signal)
      await waitFor('Postgres to end', async () => (await findServer(directory)) === undefined, 60_000)
    },
    async start() {
      direct = (await launch()).url
      relay.lead(portOf(direct))
    },
    async copy() {
      const copy = `${name}_copy_${++copies}`
      await whileAlone(`create database "${copy}" template "${name}"`)
      return copy
    },
    async replaceBy(copy) {
      await whileAlone(
        `alter database "${name}" rename to "${copy}_lost"`,
        `alter database "${copy}" rename to "${name}"`,
      )
    },
    async setDisk(state) {
      const { blocks, bfree, bsize } = await statfs(dataDir)
      mountDisk(dataDir, `remount,size=${state === 'roomy' ? roomyDisk : (blocks - bfree) * bsize}`)
    },
    async close() {
      await relay.close()
      const server = await findServer(directory)
      if (server) {
        process.kill(server.pid, 'SIGINT')
        await waitFor('Postgres to end', async () => (await findServer(directory)) === undefined, 60_000)
      }
      if (hasDisk) unmountDisk(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
