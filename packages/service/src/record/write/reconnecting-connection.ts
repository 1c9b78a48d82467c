import { setTimeout as pause } from 'node:timers/promises'
import { connectPipelined, type PipelinedConnection } from '../../db/index.js'
import type { LedgerLog } from '../log.js'

/** A dedicated connection that reconnects by itself. */
export interface ReconnectingConnection {
  /** Null while the database is unavailable. */
  current(): PipelinedConnection | null
  /** Returns why the database is unavailable, from the last failure. Null while it is available. */
  fault(): unknown
  /** Closes a connection that failed and starts to reconnect. */
  discard(failed: PipelinedConnection, error: unknown): void
  close(): Promise<void>
}

export interface ReconnectingConnectionOptions {
  databaseUrl: string
  answerTimeoutMs: number
  log: LedgerLog
  /** Work to do before a new connection is used: called again and again until it returns null. */
  beforeUse(connection: PipelinedConnection): Promise<void> | null
}

const firstRetryMs = 50
const maxRetryMs = 1_000

/** Rejects when the first connection fails: a service that cannot write its record does not start. */
export async function openReconnectingConnection(
  options: ReconnectingConnectionOptions,
): Promise<ReconnectingConnection> {
  const { databaseUrl, answerTimeoutMs, log, beforeUse } = options
  const closing = new AbortController()
  let current: PipelinedConnection | null = null
  let reconnecting: Promise<void> = Promise.resolve()
  let lastError: unknown = null

  async function connect(): Promise<void> {
    const opened: PipelinedConnection = await connectPipelined(databaseUrl, {
      answerTimeoutMs,
      signal: closing.signal,
      onLost: (error) => discard(opened, error),
    })
    try {
      for (let work = beforeUse(opened); work !== null; work = beforeUse(opened)) await work
    } catch (error) {
      opened.destroy()
      throw error
    }
    current = opened
  }

  function discard(failed: PipelinedConnection, error: unknown): void {
    if (current !== failed) return
    current = null
    lastError = error
    failed.destroy()
    if (closing.signal.aborted) return
    log.warn({ err: error }, 'the record cannot be written; calls are refused until the database is back')
    reconnecting = reconnect()
  }

  async function reconnect(): Promise<void> {
    for (let delayMs = firstRetryMs; !closing.signal.aborted; delayMs = Math.min(delayMs * 2, maxRetryMs)) {
      try {
        await pause(delayMs, undefined, { signal: closing.signal })
        await connect()
        return log.warn({}, 'the record can be written again')
      } catch (error) {
        lastError = error
        log.debug({ err: error }, 'the database is still unavailable')
      }
    }
  }

  await connect()
  return {
    current: () => current,
    fault: () => (current === null ? (lastError ?? new Error('The connection is closed')) : null),
    discard,
    async close() {
      const last = current
      current = null
      await last?.close()
      closing.abort()
      await reconnecting
    },
  }
}
