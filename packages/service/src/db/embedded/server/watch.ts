import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { errorCode } from '../../../shared/error-code.js'
import { startPeriodic } from '../../background/periodic.js'
import { findServer, type RunningServer } from './pid-file.js'

const checkEveryMs = 500
const pingSilentEveryMs = 5_000
// Each start makes several attempts to launch the server. A fault that persists after these pauses needs an operator.
const pausesBetweenStartsMs = [1_000, 3_000]

// A server that is only slow must not be killed. These values allow for a minute and a half without an answer to a new connection.
const defaultPings: Pings = { everyMs: 20_000, timeoutMs: 10_000, maxSilent: 6 }

/** How often to open a connection to check whether the server answers. */
export interface Pings {
  /** While it answers. A server that did not is asked again after five seconds at most. */
  everyMs: number
  timeoutMs: number
  /** After this many unanswered connections in a row the server is killed. */
  maxSilent: number
}

export interface WatchOptions {
  directory: string
  port: number
  password: string
  logPath: string
  /** Whether the connection is open that this process keeps to the server. While it is, the server runs. */
  isPresent(): boolean
  /** Starts the server on the same port, or joins the one that another process has started there. */
  restart(): Promise<void>
  warn(message: string): void
  pings?: Pings
}

export interface Watch {
  /** Returns why the server is not available. Null while it runs. */
  fault(): string | null
  /** Resolves, with what to do, when the server cannot be started again. */
  broken: Promise<Error>
  /** Must be called when `isPresent` becomes false. */
  wake(): void
  close(): Promise<void>
}

/** Starts the server again when it ends or hangs, even if another process started it. */
export function watchServer(options: WatchOptions): Watch {
  const { directory, port, logPath, warn, pings = defaultPings } = options
  const closing = new AbortController()
  const { signal } = closing
  let fault: string | null = null
  let silentPings = 0
  let nextPingMs = performance.now() + pings.everyMs
  let isGivenUp = false
  let giveUp: (error: Error) => void = () => undefined
  const broken = new Promise<Error>((resolve) => {
    giveUp = (error) => {
      isGivenUp = true
      resolve(error)
    }
  })

  /** Checks the server and starts it again if necessary. */
  async function check(): Promise<void> {
    const server = await findServer(directory)
    if (server === undefined) return await startAgain('has ended')
    if (server.ready && server.port !== port)
      return giveUp(
        failure(
          `The embedded Postgres of ${directory} was started again by another process, on another port. Start the service again`,
        ),
      )
    if (performance.now() < nextPingMs) return
    silentPings = (await isAnswering(options, pings.timeoutMs)) ? 0 : silentPings + 1
    const waitMs = silentPings === 0 ? pings.everyMs : Math.min(pings.everyMs, pingSilentEveryMs)
    nextPingMs = performance.now() + waitMs
    if (silentPings < pings.maxSilent) return
    killServer(server)
    await startAgain(`did not answer ${pings.maxSilent} times in a row and was killed`)
  }

  async function startAgain(what: string): Promise<void> {
    fault = `The embedded Postgres ${what}; it is being started again`
    for (let start = 0; !signal.aborted; start++) {
      warn(`${fault}: ${logPath} may say why`)
      try {
        await options.restart()
        fault = null
        silentPings = 0
        return warn('the embedded Postgres runs again')
      } catch (cause) {
        const pauseMs = pausesBetweenStartsMs[start]
        const reason = messageOf(cause)
        if (pauseMs === undefined) {
          fault = `The embedded Postgres ${what} and cannot be started again`
          return giveUp(
            failure(`${fault}. See ${logPath}, fix what it reports, and start the service again. ${reason}`),
          )
        }
        warn(reason)
        await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  const loop = startPeriodic({
    run: check,
    everyMs: () => Math.max(checkEveryMs, options.isPresent() ? nextPingMs - performance.now() : 0),
    isIdle: () => isGivenUp,
    startsAtOnce: true,
    // An error may be temporary, for example when there is no free file descriptor to read the pid file.
    onError: (error) => warn(`cannot check whether the embedded Postgres runs: ${messageOf(error)}`),
  })
  return {
    fault: () => fault,
    broken,
    wake: loop.wake,
    async close() {
      closing.abort()
      // A connection that is being opened may take until its timeout.
      await Promise.race([loop.close(), pause(pings.timeoutMs, undefined, { ref: false })])
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Creates an error with a code, which is logged without a stack trace. */
const failure = (message: string): Error => Object.assign(new Error(message), { code: 'embedded_postgres' })

/** Returns whether the server answers. An error message counts as well, for example that it is starting or has too many connections. */
async function isAnswering({ port, password }: WatchOptions, timeoutMs: number): Promise<boolean> {
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port, user: 'tallystick', password, database: 'postgres', ssl: false },
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select true')
    return true
  } catch (error) {
    return /^[0-9A-Z]{5}$/.test(errorCode(error) ?? '')
  } finally {
    client.end().catch(() => undefined)
  }
}

function killServer({ pid }: RunningServer): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
