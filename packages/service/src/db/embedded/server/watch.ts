import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { errorCode } from '../../../shared/error-code.js'
import { findServer, type RunningServer } from './pid-file.js'

const lookEveryMs = 500
// Each makes several launches of its own. What does not pass in that time needs somebody who looks.
const pausesBetweenStartsMs = [1_000, 3_000]

// A server that is only slow must not be killed: a minute and a half of new connections of which none was answered.
const defaultPings: Pings = { everyMs: 5_000, timeoutMs: 10_000, maxSilent: 6 }

/** New connections, to see whether the server answers. */
export interface Pings {
  everyMs: number
  timeoutMs: number
  /** After so many in a row that were not answered it is killed. */
  maxSilent: number
}

export interface WatchOptions {
  directory: string
  port: number
  password: string
  logPath: string
  /** Starts the server on the same port, or joins the one that another process has started there. */
  restart(): Promise<void>
  warn(message: string): void
  pings?: Pings
}

export interface Watch {
  /** What is wrong with the server now, in words; null while it runs. */
  fault(): string | null
  /** Resolves, with what to do, when the server cannot be started again. */
  broken: Promise<Error>
  close(): Promise<void>
}

/** Starts the server again when it ends or hangs, whoever had started it. */
export function watchServer(options: WatchOptions): Watch {
  const { directory, port, logPath, warn, pings = defaultPings } = options
  const closing = new AbortController()
  const { signal } = closing
  let fault: string | null = null
  let silentPings = 0
  let nextPingMs = performance.now() + pings.everyMs
  let giveUp: (error: Error) => void = () => undefined
  const broken = new Promise<Error>((resolve) => {
    giveUp = resolve
  })

  /** False when it is out of our hands. */
  async function look(): Promise<boolean> {
    const server = await findServer(directory)
    if (server === undefined) return await startAgain('has ended')
    if (server.ready && server.port !== port) {
      giveUp(
        failure(
          `The embedded Postgres of ${directory} was started again by another process, on another port. Start the service again`,
        ),
      )
      return false
    }
    if (performance.now() < nextPingMs) return true
    silentPings = (await answers(options, pings.timeoutMs)) ? 0 : silentPings + 1
    nextPingMs = performance.now() + pings.everyMs
    if (silentPings < pings.maxSilent) return true
    killServer(server)
    return await startAgain(`did not answer ${pings.maxSilent} times in a row and was killed`)
  }

  async function startAgain(what: string): Promise<boolean> {
    fault = `The embedded Postgres ${what}; it is being started again`
    for (let start = 0; !signal.aborted; start++) {
      warn(`${fault}: ${logPath} may say why`)
      try {
        await options.restart()
        fault = null
        silentPings = 0
        warn('the embedded Postgres runs again')
        return true
      } catch (cause) {
        const pauseMs = pausesBetweenStartsMs[start]
        const words = cause instanceof Error ? cause.message : String(cause)
        if (pauseMs === undefined) {
          fault = `The embedded Postgres ${what} and cannot be started again`
          giveUp(
            failure(`${fault}. See ${logPath}, mend what it names, and start the service again. ${words}`),
          )
          return false
        }
        warn(words)
        await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
    return false
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // What cannot be read now, such as the pid file without a free file descriptor, may be readable next time.
      const goesOn = await look().catch((error) => {
        warn(`cannot see whether the embedded Postgres runs: ${error.message}`)
        return true
      })
      if (!goesOn) return
      // Unref: watching is no reason for the process to stay.
      await pause(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    fault: () => fault,
    broken,
    async close() {
      closing.abort()
      // A ping that is under way would be waited for.
      await Promise.race([running, pause(pings.timeoutMs, undefined, { ref: false })])
    },
  }
}

/** With a code: the words are enough, and a stack would hide them. */
const failure = (message: string): Error => Object.assign(new Error(message), { code: 'embedded_postgres' })

/** Any word of the server counts, also that it has no room or is just starting. */
async function answers({ port, password }: WatchOptions, timeoutMs: number): Promise<boolean> {
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
    // Gone already.
  }
}
