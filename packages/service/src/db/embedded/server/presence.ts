import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { locks } from '../../locks/locks.js'

/**
 * Who uses the server is what the server sees: each process keeps one connection open, its presence,
 * from start to stop. The kernel closes it for a process that is killed, so the count cannot go stale.
 */
const PRESENT = 'tallystick present'
const LEAVING = 'tallystick leaving'

// Advisory locks belong to a database, and the application never connects to `postgres`.
const HOME_DATABASE = 'postgres'

/** How long the sessions of a pool that was just closed may still show. */
const LINGER_MS = 2_000

export interface Presence {
  backendPid: number
  end(): Promise<void>
}

export interface Door {
  port: number
  password: string
}

/**
 * Joins the server's users. The door lock keeps this apart from a process that is leaving: either it
 * counts us, or we find the server gone and the caller starts it again.
 */
export async function enter(door: Door, directory: string): Promise<Presence> {
  const { client, socket } = await connect(door, PRESENT)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [locks.embeddedServer])
    const { rows } = await client.query<{ directory: string; pid: number }>(
      `SELECT current_setting('data_directory') AS directory, pg_backend_pid() AS pid`,
    )
    const [row] = rows
    if (row?.directory !== directory)
      throw new Error(`port ${door.port} serves ${row?.directory}, not ${directory}`)
    await client.query('SELECT pg_advisory_unlock($1)', [locks.embeddedServer])
    // Being present is no reason for the process to stay alive; saying goodbye is.
    socket.unref()
    const end = () => {
      socket.ref()
      return client.end()
    }
    return { backendPid: row.pid, end }
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Gives up the presence. If nobody else is on the server it calls `stopServer` while still holding
 * the door; two processes leaving at once pass one after the other, so the second is the last.
 */
export async function leave(door: Door, presence: Presence, stopServer: () => Promise<void>): Promise<void> {
  const { client } = await connect(door, LEAVING)
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
  { port, password }: Door,
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
  // When the server goes away the application's own pool reports it; here it must only not throw.
  client.on('error', () => undefined)
  await client.connect()
  return { client, socket }
}
