import { CompiledQuery, sql } from 'kysely'
import { isDatabaseAway } from '../../shared/error-code.js'
import { Batch } from '../pipeline/statement-batch.js'
import { type Db, inSnapshot, inTransaction, poolOf, type Statement, type Tx, types } from './database.js'

const maxIdleInTransactionMs = 2_000

/**
 * Limits how long a transaction may be idle. For a transaction of several round trips with locks that calls wait for: if this process is
 * paused in the middle of it, the server rolls it back after a moment.
 */
export async function boundIdleTime(tx: Tx): Promise<void> {
  const milliseconds = sql.raw(String(maxIdleInTransactionMs))
  await sql`set local idle_in_transaction_session_timeout = ${milliseconds}`.execute(tx)
}

/**
 * Runs a transaction of several round trips with locks that calls wait for. It is run once more when the server has ended it because this
 * process was paused, so `act` must change nothing but the database. It is not repeated when the connection was lost during the commit,
 * which may have succeeded.
 */
export async function inBoundedTransaction<T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> {
  return await runBounded(db, inTransaction, act)
}

/**
 * Reads a snapshot in several round trips, during which vacuum cannot remove deleted rows. It is read once more when the server has ended
 * it because this process was paused.
 */
export async function inBoundedSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return await runBounded(db, inSnapshot, read)
}

async function runBounded<T>(
  db: Db,
  run: (db: Db, act: (tx: Tx) => Promise<T>) => Promise<T>,
  act: (tx: Tx) => Promise<T>,
): Promise<T> {
  let wasEnded = false
  const attempt = () =>
    run(db, async (tx) => {
      await boundIdleTime(tx)
      try {
        return await act(tx)
      } catch (error) {
        wasEnded = isDatabaseAway(error)
        throw error
      }
    })
  try {
    return await attempt()
  } catch (error) {
    if (!wasEnded || db.isTransaction) throw error
    return await attempt()
  }
}

const withoutValues = (text: string): Statement => ({ text, values: [] })

/** Runs a transaction in one message, so that the server never holds locks while it waits for this process. */
export async function runTransaction(db: Db, statements: readonly Statement[]): Promise<void> {
  const pool = poolOf(db)
  if (pool === null) return await runOneByOne(db, statements)
  const client = await pool.connect()
  // Named statements are known only to the connection that prepared them, and the pool may return any connection.
  const unnamed = statements.map(({ text, values }) => ({ text, values }))
  const batch = new Batch([withoutValues('begin'), ...unnamed, withoutValues('commit')], {
    prepared: new Set(),
    types,
    readsLast: false,
  })
  let failure: unknown = new Error('The transaction was rolled back')
  try {
    client.query(batch)
    const results = await batch.done
    // After a failed statement the server answers COMMIT with ROLLBACK and no error.
    if (results.at(-1)?.command === 'COMMIT') failure = null
  } catch (error) {
    failure = error
  }
  // After a failure the state of the connection is unknown, so it is not used again.
  client.release(failure !== null)
  if (failure !== null) throw failure
}

const runOneByOne = (db: Db, statements: readonly Statement[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    for (const { text, values } of statements) await tx.executeQuery(CompiledQuery.raw(text, values))
  })
