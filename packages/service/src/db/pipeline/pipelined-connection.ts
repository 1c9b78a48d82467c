import { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import pg from 'pg'
import { createWorkTimer } from '../../shared/deadline.js'
import { connectionSettings, type Statement, types } from '../connection/database.js'
import { Batch, type BatchResult } from './statement-batch.js'

/**
 * A dedicated connection that sends statements in batches, without waiting for each answer. The transaction of the ledger has about
 * eight statements, and takes one round trip instead of eight.
 */
export interface PipelinedConnection {
  /** Runs one statement in a transaction of its own. */
  read<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>
  /**
   * Runs a transaction in one message, so that the server never holds a lock while it waits for this process. Resolves only when the
   * server has confirmed the commit.
   */
  transact(statements: readonly Statement[]): Promise<void>
  /** Closes the connection, and does not wait long for the server to confirm it. */
  close(): Promise<void>
  /** Closes the socket at once. */
  destroy(): void
}

export interface PipelineOptions {
  /** After this long without an answer the server counts as unavailable: a stopped process, a broken disk, a lost network. */
  answerTimeoutMs: number
  /** Aborts connecting, or closes the connection. */
  signal: AbortSignal
  /** Called when the connection is lost, also between two transactions. */
  onLost(error: Error): void
}

const closeTimeoutMs = 1_000
const maxIdleInTransactionMs = 2_000

// These statements are repeated and find every row by key. By default the server plans statements with a list of keys each time, which
// takes longer than running them, and scans small tables sequentially.
const planOnce = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off'

/**
 * Timeouts with which the server ends transactions of a process that is gone. By itself it would notice only when TCP times out, after
 * hours. A statement that waits for a lock fails before this process stops waiting for the answer. `transaction_timeout` (since
 * Postgres 17) ends a transaction of which only the first part has arrived.
 */
const setTimeouts = (answerTimeoutMs: number): string =>
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
  // The socket is created here, because the driver cannot close a connection to a server that does not answer.
  const socket = addAbortSignal(signal, new Socket())
  const client = new pg.Client({
    ...connectionSettings(url),
    stream: () => socket,
  })
  let isOpen = false
  // Until the connection is open, errors are thrown to the caller.
  client.on('error', (error) => isOpen && onLost(error))
  try {
    await client.connect()
    await client.query(`${planOnce}; ${setTimeouts(answerTimeoutMs)}`)
    isOpen = true
  } catch (error) {
    socket.destroy()
    throw error
  }

  /** Closes the socket when there is no answer in time. */
  const answerTimer = createWorkTimer(answerTimeoutMs, () =>
    socket.destroy(new Error('The database does not answer')),
  )

  // Bounded: names of prepared statements, which are constants of the program.
  const prepared = new Set<string>()
  /** The rollback of a failed transaction. The transaction holds no locks any more, so only the next batch waits for the rollback. */
  let rolledBack: Promise<unknown> = Promise.resolve()

  async function send(statements: readonly Statement[], readsLast = false): Promise<BatchResult[]> {
    await rolledBack
    const batch = new Batch(statements, { prepared, types, readsLast })
    client.query(batch)
    return await answerTimer.limit(batch.done)
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
        rolledBack = send([rollback]).catch(() => undefined)
        throw error
      }
      // After a failed statement the server answers COMMIT with ROLLBACK and no error.
      if (results.at(-1)?.command !== 'COMMIT') throw new Error('The transaction was rolled back')
      for (const [i, { onCommitted }] of statements.entries()) onCommitted?.(results[i + 1]?.rows ?? [])
    },
    async close() {
      const timer = setTimeout(() => socket.destroy(), closeTimeoutMs)
      await client.end()
      clearTimeout(timer)
    },
    destroy: () => void socket.destroy(),
  }
}

const begin = { name: 'begin', text: 'begin', values: [] }
const commit = { name: 'commit', text: 'commit', values: [] }
const rollback = { name: 'rollback', text: 'rollback', values: [] }

/** The caller knows the type of the rows that its statement returns. The types of the driver rely on that as well. */
const rowsOf = <Row extends pg.QueryResultRow>(result: BatchResult | undefined): Row[] =>
  (result?.rows ?? []) as Row[]
