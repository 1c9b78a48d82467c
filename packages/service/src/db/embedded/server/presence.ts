import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { locks } from '../../locks/locks.js'

/**
 * Each process that uses the server keeps one connection open from start to stop, its presence, by which the server can count its users.
 * The kernel closes the connection of a process that is killed, so the count is always correct.
 */
const PRESENT = 'tallystick present'
const LEAVING = 'tallystick leaving'

// Advisory locks belong to a database, and the application never connects to `postgres`.
const HOME_DATABASE = 'postgres'

/** How long the sessions of a pool may remain visible after it was closed. */
const LINGER_MS = 2_000

export interface Presence {
  backendPid: number
  isOpen(): boolean
  end(): Promise<void>
}

/** The port of the server and the password for it. */
export interface ServerAccess {
  port: number
  password: string
}

/**
 * Registers this process as a user of the server. A lock excludes processes that are leaving: either such a process counts this one, or
 * the server is stopped and this call fails, so that the caller starts the server again. `onClosed` is called when the connection ends.
 */
export async function openPresence(
  access: ServerAccess,
  directory: string,
  onClosed = () => {},
): Promise<Presence> {
  const { client, socket } = await connect(access, PRESENT)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [locks.embeddedServer])
    const { rows } = await client.query<{ directory: string; pid: number }>(
      `SELECT current_setting('data_directory') AS directory, pg_backend_pid() AS pid`,
    )
    const [row] = rows
    if (row?.directory !== directory)
      throw new Error(`port ${access.port} serves ${row?.directory}, not ${directory}`)
    await client.query('SELECT pg_advisory_unlock($1)', [locks.embeddedServer])
    // The open connection must not keep the process alive, but closing it must.
    socket.unref()
    const end = () => {
      socket.ref()
      return client.end()
    }
    socket.once('close', onClosed)
    return { backendPid: row.pid, isOpen: () => !socket.destroyed, end }
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Closes the presence. Calls `stopServer` under the lock if no other process uses the server. Two processes that leave at the same time
 * acquire the lock one after the other, and the second stops the server.
 */
export async function closePresence(
  access: ServerAccess,
  presence: Presence,
  stopServer: () => Promise<void>,
): Promise<void> {
  const { client } = await connect(access, LEAVING)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [locks.embeddedServer])
    const last = await isLast(client, presence.backendPid)
    await presence.end()
    if (last) await stopServer()
  } finally {
    await client.end()
  }
}

async function isLast(client: pg.Client, ownPid: number): Promise<boolean> {
  const deadline = performance.now() + LINGER_MS
  for (;;) {
    const { rows } = await client.query<{ present: number; others: number }>(
      `SELECT count(*) FILTER (WHERE application_name = $1)::int AS present, count(*)::int AS others
         FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid NOT IN ($2, pg_backend_pid())`,
      [PRESENT, ownPid],
    )
    const [row] = rows
    if (row?.others === 0) return true
    if (row === undefined || row.present > 0 || performance.now() > deadline) return false
    await pause(20)
  }
}

async function connect(
  { port, password }: ServerAccess,
  applicationName: string,
): Promise<{ client: pg.Client; socket: Socket }> {
  const socket = new Socket()
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'tallystick',
    password,
    database: HOME_DATABASE,
    application_name: applicationName,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    lock_timeout: 10_000,
    stream: () => socket,
  })
  // The pool of the application reports a lost server. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return { client, socket }
}
