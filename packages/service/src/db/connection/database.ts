import { Socket } from 'node:net'
import { Kysely, PostgresDialect, Transaction } from 'kysely'
import pg from 'pg'
import { wasPaused } from '../../shared/deadline.js'
import type { Tables } from '../tables/tables.js'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** A statement of a pipelined transaction. With a name, the server keeps its plan. */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
  /** Called with the rows that the statement returned, after the commit of its transaction. Must not throw. */
  onCommitted?(rows: Record<string, unknown>[]): void
}

const int8 = 20

/** Reads bigint columns as numbers. They hold counts and nano-dollars below 2^53, so the numbers are exact. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 && format !== 'binary' ? readSafeInteger : pg.types.getTypeParser(oid, format),
}

function readSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new Error(`a bigint of the database is too large for a number: ${text}`)
  return value
}

export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'tallystick',
  }
}

/** Runs statements atomically: in the caller's transaction, or in a new one. */
export async function inTransaction<T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> {
  return db instanceof Transaction ? await act(db) : await db.transaction().execute(act)
}

/** Runs several reads on one snapshot. They must be short: a snapshot keeps vacuum from removing rows that are deleted in the meantime. */
export async function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await snapshot.execute(read)
}

/** The number of connections in use and idle, and of requests waiting for a connection. */
export interface PoolState {
  in_use: number
  idle: number
  waiting: number
}

export interface Database {
  db: Db
  connections(): PoolState
  /** Returns why no connection could be opened when one was last needed. Null once one is available. */
  connectFault(): unknown
  /** Shortens the timeout of queries under way and of later ones. For a service that is shutting down. */
  shortenTimeouts(): void
  close(): Promise<void>
}

// No query of the service runs for this long. An idle connection, on which nothing arrives either, is closed sooner.
const answerTimeoutMs = 15_000
// Longer than the pauses of the background work of an idle process, which would otherwise open a new connection each time.
const idleMs = 14_000
const shutdownTimeoutMs = 2_000

/** Creates a socket that is closed when the server does not answer. TCP alone reports a frozen or unreachable server only after hours. */
export function createSocketWithTimeout(timeoutMs: number = answerTimeoutMs): Socket {
  const socket = new Socket()
  const noAnswer = () => Object.assign(new Error('The database does not answer'), { code: 'ETIMEDOUT' })
  return socket.setTimeout(timeoutMs, () => socket.destroy(noAnswer()))
}

const maxConnections = 10

export interface DatabaseOptions {
  /** The maximum number of connections. */
  max?: number
  /** How long to wait for the answer to a query. */
  answerTimeoutMs?: number
}

interface Connections {
  connect(): Promise<pg.PoolClient>
}

const pools = new WeakMap<Db, Connections>()

/** Returns the pool of a database, or null for a transaction. */
export const poolOf = (db: Db): Connections | null => pools.get(db) ?? null

/**
 * Takes a connection from the pool. The pool's timeout keeps running while this process is paused, and after a pause it fires before a
 * connection that is available can be handed out. So after a pause the pool is asked once more.
 */
async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  const startedMs = performance.now()
  const timeoutMs = pool.options.connectionTimeoutMillis ?? Number.POSITIVE_INFINITY
  try {
    return await pool.connect()
  } catch (error) {
    if (!wasPaused(startedMs, timeoutMs)) throw error
    return await pool.connect()
  }
}

const isPoolTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('timeout exceeded when trying to connect')

export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  { max = maxConnections, answerTimeoutMs: timeoutMs = answerTimeoutMs }: DatabaseOptions = {},
): Database {
  // Bounded: one for each connection of the pool, which has a maximum.
  const sockets = new Set<Socket>()
  let isShuttingDown = false
  function openSocket(): Socket {
    const socket = createSocketWithTimeout(timeoutMs)
    if (isShuttingDown) socket.setTimeout(shutdownTimeoutMs)
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  const pool = new pg.Pool({
    ...connectionSettings(url),
    stream: openSocket,
    max,
    idleTimeoutMillis: idleMs,
  })
  // An idle connection that breaks, for example because the server restarted, is reported here. The pool replaces it.
  pool.on('error', (error) => {
    if (!isShuttingDown) onError(error)
  })
  // A connection that breaks in use fails its query. Without a listener, the event would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let connectFault: unknown = null
  async function connect(): Promise<pg.PoolClient> {
    try {
      const client = await takeConnection(pool)
      connectFault = null
      return client
    } catch (error) {
      // Without a connection that is being opened, all are in use, which is no fault of the database.
      if (pool.totalCount < max || !isPoolTimeout(error)) connectFault = error
      throw error
    }
  }
  const connections = { connect, end: () => pool.end() }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
  pools.set(db, connections)
  return {
    db,
    connections: () => ({
      in_use: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    connectFault: () => connectFault,
    shortenTimeouts() {
      isShuttingDown = true
      pool.options.connectionTimeoutMillis = shutdownTimeoutMs
      for (const socket of sockets) socket.setTimeout(shutdownTimeoutMs)
    },
    close: () => db.destroy(),
  }
}
