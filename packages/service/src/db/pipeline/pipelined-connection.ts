import { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import pg from 'pg'
import { startTimer } from '../../shared/deadline.js'
import { connectionSettings, type Statement, types } from '../connection/database.js'
import { Batch, type BatchResult } from './statement-batch.js'

/**
 * A dedicated connection that sends statements in batches, without waiting for each answer. The ledger's transaction
 * has about eight of them: one after the other they would cost eight round trips, here they cost one.
 */
export interface PipelinedConnection {
  /** Runs one statement in a transaction of its own. */
  read<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>
  /**
   * Begins a transaction, runs all of it and commits, in one message: the server never waits for this process while it holds a lock
   * for it. Resolves only when the server said COMMIT.
   */
  transact(statements: readonly Statement[]): Promise<void>
  /** Says goodbye, but does not wait long for an answer to it. */
  close(): Promise<void>
  /** Drops the connection where it stands. */
  destroy(): void
}

export interface PipelineOptions {
  /** A server that is silent for longer (a stopped process, a dead disk, a lost network) is as good as gone. */
  answerTimeoutMs: number
  /** Gives up a connection that is still being made, or drops one that was. */
  signal: AbortSignal
  /** Called when the connection is lost, also between two transactions. */
  onLost(error: Error): void
}

const goodbyeMs = 1_000
const maxIdleInTransactionMs = 2_000

// These statements are repeated and find every row by key. By default the server plans those with a list of keys again
// each time, which takes longer than running them, and scans small tables sequentially.
const planOnce = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off'

/**
 * What the server does without us when we vanish: it would find out by itself only when TCP gives up, after hours. Whoever waits for
 * a lock gives up before we give up the answer. `transaction_timeout` (since Postgres 17) ends a transaction of which only the first
 * part has arrived.
 */
const endWithoutUs = (answerTimeoutMs: number): string =>
  [
    `set idle_in_transaction_session_timeout = ${Math.min(maxIdleInTransactionMs, answerTimeoutMs)}`,
    `set lock_timeout = ${Math.ceil(answerTimeoutMs / 2)}`,
    `set statement_timeout = ${answerTimeoutMs}`,
    `select set_config(name, '${answerTimeoutMs}', false) from pg_settings where name = 'transaction_timeout'`,
  ].join('; ')

export async function connectPipelined(
  url: string,
  { answerTimeoutMs, signal, onLost }: PipelineOptions,
): Promise<PipelinedConnection> {
  // Our own socket, since the driver has no way to drop a connection whose other end says nothing.
  const socket = addAbortSignal(signal, new Socket())
  const client = new pg.Client({
    ...connectionSettings(url),
    stream: () => socket,
  })
  let isOpen = false
  // Until it is open, the error is the caller's to catch: it has no connection yet that could be lost.
  client.on('error', (error) => isOpen && onLost(error))
  try {
    await client.connect()
    await client.query(`${planOnce}; ${endWithoutUs(answerTimeoutMs)}`)
    isOpen = true
  } catch (error) {
    socket.destroy()
    throw error
  }

  /** One timer for a whole round trip: the driver's own would be one for each statement. */
  async function answered<T>(work: Promise<T>): Promise<T> {
    const silent = startTimer(answerTimeoutMs, () =>
      socket.destroy(new Error('The database does not answer')),
    )
    try {
      return await work
    } finally {
      silent.stop()
    }
  }

  const parsed = new Set<string>()
  /** A transaction that failed holds no locks any more, but is to be ended. Only what is sent next waits for that. */
  let ended: Promise<unknown> = Promise.resolve()

  async function send(statements: readonly Statement[], readsLast = false): Promise<BatchResult[]> {
    await ended
    const batch = new Batch(statements, { parsed, types, readsLast })
    client.query(batch)
    return await answered(batch.done)
  }

  return {
    async read<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
      return rowsOf<Row>((await send([statement], true)).at(0))
    },
    async transact(statements) {
      let results: BatchResult[]
      try {
        results = await send([begin, ...statements, commit])
      } catch (error) {
        ended = send([rollback]).catch(() => undefined)
        throw error
      }
      // After a failed statement the server answers COMMIT with ROLLBACK and no error.
      if (results.at(-1)?.command !== 'COMMIT') throw new Error('The transaction was rolled back')
      for (const [i, { onCommitted }] of statements.entries()) onCommitted?.(results[i + 1]?.rows ?? [])
    },
    async close() {
      const unheard = setTimeout(() => socket.destroy(), goodbyeMs)
      await client.end()
      clearTimeout(unheard)
    },
    destroy: () => void socket.destroy(),
  }
}

const begin = { name: 'begin', text: 'begin', values: [] }
const commit = { name: 'commit', text: 'commit', values: [] }
const rollback = { name: 'rollback', text: 'rollback', values: [] }

/** The type of the rows is known to the author of the statement; the driver's own types rely on that as well. */
const rowsOf = <Row extends pg.QueryResultRow>(result: BatchResult | undefined): Row[] =>
  (result?.rows ?? []) as Row[]
