import { setTimeout as pause } from 'node:timers/promises'
import { hasCode } from '../../../shared/error-code.js'
import { type Launch, type LaunchOptions, launchServer } from './launch.js'
import { findServer, type RunningServer } from './pid-file.js'
import { closePresence, openPresence, type Presence } from './presence.js'
import { servesDirectory } from './process-identity.js'

/** After a crash the server replays its log, up to a gigabyte (max_wal_size), which may take minutes. */
const START_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 60_000
const LAUNCH_ATTEMPTS = 6
const RELAUNCH_MS = 100
const POLL_MS = 15

interface ServerOptions extends LaunchOptions {
  password: string
  /** Called when the presence of this process ends: the server has ended, or has closed all its connections. */
  onAbsent(): void
}

/**
 * Joins the server that runs on the directory, or starts it. When two processes start a server at the same time, Postgres allows only one
 * on the data directory. The other server ends, and its process joins the first.
 */
export async function joinServer(options: ServerOptions): Promise<{ port: number; presence: Presence }> {
  const { directory, password } = options
  const deadline = performance.now() + START_TIMEOUT_MS
  let launch: Launch | undefined
  let launches = 0
  let obstacle: unknown
  while (performance.now() < deadline) {
    const server = await findServer(directory)
    if (server?.ready) {
      try {
        const presence = await openPresence({ port: server.port, password }, directory, options.onAbsent)
        return { port: server.port, presence }
      } catch (error) {
        // Invalid password or no such user: waiting will not help.
        if (hasCode(error, '28P01', '28000'))
          throw new Error(`The database in ${directory} has another password than ours`, { cause: error })
        obstacle = error
      }
    }
    if (server === undefined && (launch === undefined || launch.hasEnded())) {
      if (launches === LAUNCH_ATTEMPTS) throw new Error(`Postgres does not start: ${await launch?.readLog()}`)
      // The cause of the last failure needs time to disappear. Usually it is sessions of a killed server that still use its memory.
      if (launches > 0) await pause(RELAUNCH_MS * 2 ** (launches - 1))
      launch = await launchServer(options)
      launches += 1
    }
    await pause(POLL_MS)
  }
  throw new Error(`Postgres in ${directory} was not ready within ${START_TIMEOUT_MS / 1000} s`, {
    cause: obstacle,
  })
}

/** Leaves the server, and stops it if nobody else is using it. */
export async function leaveServer(options: {
  directory: string
  password: string
  presence: Presence
}): Promise<void> {
  const { directory, password, presence } = options
  try {
    const server = await awaitSettled(directory)
    if (server === undefined) return
    await closePresence({ port: server.port, password }, presence, () => stopServer(server, directory))
  } catch (error) {
    // Another process that left at the same time may have stopped the server.
    if ((await awaitSettled(directory)) !== undefined) throw error
  } finally {
    await presence.end()
  }
}

async function stopServer({ pid }: RunningServer, directory: string): Promise<void> {
  // SIGINT is a fast shutdown: the server ends its sessions and writes all data.
  process.kill(pid, 'SIGINT')
  const deadline = performance.now() + STOP_TIMEOUT_MS
  while (await servesDirectory(pid, directory)) {
    if (performance.now() > deadline) throw new Error(`Postgres (pid ${pid}) takes too long to stop`)
    await pause(POLL_MS)
  }
}

/** Waits until a shutdown or a crash recovery has ended, so that the server is either ready or gone. */
async function awaitSettled(directory: string): Promise<RunningServer | undefined> {
  const deadline = performance.now() + STOP_TIMEOUT_MS
  for (;;) {
    const server = await findServer(directory)
    if (server === undefined || server.ready) return server
    if (performance.now() > deadline) throw new Error(`Postgres (pid ${server.pid}) takes too long to settle`)
    await pause(POLL_MS)
  }
}
