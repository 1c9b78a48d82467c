import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Cause, CheckName } from '../../packages/service/src/main/probes/finding.js'
import type { RedisServer } from '../harness/processes/redis.js'
import { waitFor } from '../harness/run/wait.js'
import type { Api } from '../harness/service/api.js'
import { lacksDisks, mountDisk, type PostgresServer } from './postgres.js'

/** A service and what it depends on. */
export interface Scene {
  postgres: PostgresServer
  redis: RedisServer
  dataDir: string
  api: Api
}

/** A fault of a dependency, and what must tell an operator of it. */
export interface DependencyFault {
  name: string
  check: CheckName
  cause: Cause
  status: 'degraded' | 'unready'
  /** What the message of the check says. */
  says: RegExp
  /** All alerts about dependencies that fire if it lasts. */
  alerts: readonly string[]
  /** Begins the fault. Resolves with a function that ends it. */
  strike(scene: Scene): Promise<() => Promise<unknown>>
  /** Why it cannot be tried here; null when it can. */
  lacks?(): string | null
}

const down = ['TallystickDatabaseDown', 'TallystickRecordNotWritable']

export const dependencyFaults: readonly DependencyFault[] = [
  {
    ...{ name: 'Redis is away', check: 'limits', cause: 'redis_unreachable', status: 'degraded' },
    says: /^Redis is unavailable.*Calls of keys with limits or budgets.*get 503/,
    alerts: ['TallystickRedisDown'],
    async strike({ redis }) {
      await redis.kill()
      return () => redis.restart()
    },
  },
  {
    ...{ name: 'Redis hangs', check: 'limits', cause: 'redis_unreachable', status: 'degraded' },
    says: /^Redis (?:is unavailable|does not answer)/,
    alerts: ['TallystickRedisDown'],
    async strike({ redis }) {
      redis.halt()
      return async () => redis.continue()
    },
  },
  {
    ...{ name: 'Redis is out of memory', check: 'limits', cause: 'redis_refuses_writes', status: 'degraded' },
    says: /^Redis is out of memory and refuses writes: raise its maxmemory/,
    alerts: ['TallystickRedisRefusesWrites'],
    async strike({ redis }) {
      await redis.client.config('SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1')
      return () => redis.client.config('SET', 'maxmemory', '0')
    },
  },
  {
    ...{ name: 'Redis is a replica', check: 'limits', cause: 'redis_refuses_writes', status: 'degraded' },
    says: /^Redis is a read-only replica: lead REDIS_URL to the primary/,
    alerts: ['TallystickRedisRefusesWrites'],
    async strike({ redis }) {
      await redis.client.call('REPLICAOF', '127.0.0.1', '1')
      return () => redis.client.call('REPLICAOF', 'NO', 'ONE')
    },
  },
  {
    ...{ name: 'Redis may evict limits', check: 'limits', cause: 'redis_may_evict', status: 'degraded' },
    says: /allkeys-lru.*set it to noeviction/,
    alerts: ['TallystickRedisMayEvict'],
    async strike({ redis }) {
      await redis.client.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru')
      return () => redis.client.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction')
    },
  },
  {
    ...{ name: 'the database is away', check: 'database', cause: 'database_unreachable', status: 'unready' },
    says: /^The database (?:cannot be reached|is starting)/,
    alerts: down,
    async strike({ postgres }) {
      await postgres.end('SIGKILL')
      return () => postgres.start()
    },
  },
  {
    ...{ name: 'the database hangs', check: 'database', cause: 'database_hung', status: 'unready' },
    says: /^The database does not answer: it hangs/,
    alerts: ['TallystickDatabaseHung'],
    async strike({ postgres }) {
      await signalServer(postgres, 'SIGSTOP')
      return () => signalServer(postgres, 'SIGCONT')
    },
  },
  {
    ...{ name: 'the database is out of connections', check: 'database', cause: 'database_exhausted' },
    status: 'unready',
    says: /^The database accepts no more connections/,
    alerts: ['TallystickDatabaseExhausted', 'TallystickRecordNotWritable'],
    async strike({ postgres }) {
      const taken: pg.Client[] = []
      // Nobody else connects until all connections are taken.
      postgres.relay.lead(1)
      postgres.relay.cut()
      for (let refused = 0; refused < 20; ) {
        const client = await postgres.connect().catch(() => null)
        if (client === null) refused++
        else taken.push(client)
      }
      postgres.leadBack()
      return () => Promise.all(taken.map((client) => client.end()))
    },
  },
  {
    ...{
      name: 'the database is read-only',
      check: 'database',
      cause: 'database_read_only',
      status: 'unready',
    },
    says: /^The database is read-only.*Lead DATABASE_URL to the primary/,
    alerts: ['TallystickDatabaseReadOnly'],
    async strike({ postgres }) {
      await setReadOnly(postgres, 'on')
      return () => setReadOnly(postgres, 'off')
    },
  },
  {
    ...{ name: "the database's disk is full", check: 'database', cause: 'database_full', status: 'unready' },
    says: /^The disk of the database is full/,
    alerts: ['TallystickDatabaseFull', 'TallystickRecordNotWritable', 'TallystickSpoolNotDrained'],
    lacks: lacksDisks,
    async strike({ postgres, api }) {
      await postgres.setDisk('full')
      // It notices when a table needs another page.
      await waitFor('a receipt that has no room', async () => {
        const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
        await api.post('/v1/chat/completions', call)
        const { body } = await api.get('/readyz')
        return body.status === 'unready'
      })
      return async () => {
        await postgres.setDisk('roomy')
        // It gives up when there is no room for its log.
        await postgres.start()
      }
    },
  },
  {
    ...{ name: 'a table is missing', check: 'database', cause: 'schema_refused', status: 'unready' },
    says: /^The database does not have the schema of this version. Run tallystick migrate/,
    alerts: ['TallystickSchemaRefused'],
    async strike({ postgres }) {
      await postgres.query('alter table processes rename to processes_of_another_version')
      return () => postgres.query('alter table processes_of_another_version rename to processes')
    },
  },
  {
    ...{
      name: 'the disk of the data directory is full',
      check: 'disk',
      cause: 'disk_full',
      status: 'degraded',
    },
    says: /^The disk of the data directory is full. Free space there/,
    alerts: ['TallystickDataDirectoryLow', 'TallystickDataDirectoryNotWritable'],
    lacks: lacksDisks,
    async strike({ dataDir }) {
      mountDisk(dataDir, 'remount,size=1m')
      const ballast = join(dataDir, 'ballast')
      await writeFile(ballast, Buffer.alloc(2 << 20)).catch(() => undefined)
      return async () => {
        await rm(ballast, { force: true })
        mountDisk(dataDir, 'remount,size=4g')
      }
    },
  },
  {
    ...{
      name: 'the data directory is read-only',
      check: 'disk',
      cause: 'disk_not_writable',
      status: 'degraded',
    },
    says: /^The data directory cannot be written \(EROFS\)/,
    alerts: ['TallystickDataDirectoryNotWritable'],
    lacks: lacksDisks,
    async strike({ dataDir }) {
      mountDisk(dataDir, 'remount,ro')
      return async () => mountDisk(dataDir, 'remount,rw')
    },
  },
  {
    ...{ name: 'the disk of the data directory is nearly full', check: 'disk', cause: 'disk_low' },
    status: 'degraded',
    says: /^The disk of the data directory has \d+ MiB left/,
    alerts: ['TallystickDataDirectoryLow'],
    lacks: lacksDisks,
    async strike({ dataDir }) {
      mountDisk(dataDir, 'remount,size=90m')
      return async () => mountDisk(dataDir, 'remount,size=4g')
    },
  },
  {
    ...{
      name: 'the spool cannot be written',
      check: 'spool',
      cause: 'spool_not_writable',
      status: 'degraded',
    },
    says: /^The spool cannot be written/,
    alerts: ['TallystickDataDirectoryNotWritable'],
    async strike({ dataDir }) {
      await rm(join(dataDir, 'spool'), { recursive: true })
      return async () => {
        await mkdir(join(dataDir, 'spool'), { mode: 0o700 })
      }
    },
  },
]

async function setReadOnly(postgres: PostgresServer, value: 'on' | 'off'): Promise<void> {
  const client = await postgres.connect()
  await client.query('set default_transaction_read_only = off')
  await client.query(`alter system set default_transaction_read_only = ${value}`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

/** Pauses or continues the server with all its processes, so that it accepts connections and answers nothing. */
async function signalServer(postgres: PostgresServer, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const pid = await postgres.pid()
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const each of [pid, ...children.trim().split(' ').map(Number)]) process.kill(each, signal)
}
