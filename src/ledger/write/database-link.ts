import { setTimeout as pause } from 'node:timers/promises'
import { connectPipelined, type PipelinedConnection } from '../../db/index.js'
import type { LedgerLog } from '../log.js'

/** The ledger's own connection, which is made again by itself whenever it is lost. */
export interface DatabaseLink {
  /** Null while the database is away. */
  connection(): PipelinedConnection | null
  /** Gives up a connection that proved useless. */
  lose(lost: PipelinedConnection, error: unknown): void
  close(): Promise<void>
}

export interface DatabaseLinkOptions {
  databaseUrl: string
  answerTimeoutMs: number
  log: LedgerLog
  /** Begins the next piece of what must be done before a new connection is used; null when nothing is left. */
  catchUp(connection: PipelinedConnection): Promise<void> | null
}

const firstRetryMs = 50
const lastRetryMs = 1_000

/** Rejects when the first connection cannot be made: a service that cannot write its record does not start. */
export async function openDatabaseLink(options: DatabaseLinkOptions): Promise<DatabaseLink> {
  const { databaseUrl, answerTimeoutMs, log, catchUp } = options
  const closing = new AbortController()
  let current: PipelinedConnection | null = null
  let recovering: Promise<void> = Promise.resolve()

  async function connect(): Promise<void> {
    const opened: PipelinedConnection = await connectPipelined(databaseUrl, {
      answerTimeoutMs,
      signal: closing.signal,
      onLost: (error) => lose(opened, error),
    })
    try {
      for (let work = catchUp(opened); work !== null; work = catchUp(opened)) await work
    } catch (error) {
      opened.destroy()
      throw error
    }
    current = opened
  }

  function lose(lost: PipelinedConnection, error: unknown): void {
    if (current !== lost) return
    current = null
    lost.destroy()
    if (closing.signal.aborted) return
    log.warn({ err: error }, 'the record cannot be written; calls are refused until the database is back')
    recovering = recover()
  }

  async function recover(): Promise<void> {
    for (let delayMs = firstRetryMs; !closing.signal.aborted; delayMs = Math.min(delayMs * 2, lastRetryMs)) {
      try {
        await pause(delayMs, undefined, { signal: closing.signal })
        await connect()
        return log.warn({}, 'the record can be written again')
      } catch (error) {
        log.debug({ err: error }, 'the database is still away')
      }
    }
  }

  await connect()
  return {
    connection: () => current,
    lose,
    async close() {
      const last = current
      current = null
      await last?.close()
      closing.abort()
      await recovering
    },
  }
}
