import { CompiledQuery, sql } from 'kysely'
import { isDatabaseAway } from '../../shared/error-code.js'
import { Batch } from '../pipeline/statement-batch.js'
import { type Db, inSnapshot, inTransaction, poolOf, type Statement, type Tx, types } from './database.js'

const maxIdleInTransactionMs = 2_000

/**
 * For a transaction of several round trips that locks what calls wait for: if this process is paused in the middle of it, the server
 * rolls it back after a moment.
 */
export async function boundIdleTime(tx: Tx): Promise<void> {
  const milliseconds = sql.raw(String(maxIdleInTransactionMs))
  await sql`set local idle_in_transaction_session_timeout = ${milliseconds}`.execute(tx)
}

/**
 * A transaction of several round trips that locks what calls wait for. One that the server has ended because this process was paused
 * is run once more: `act` must change nothing but the database. Not one that was lost while it was committed, since that may have
 * succeeded.
 */
export async function inBoundedTransaction<T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> {
  return await runBounded(db, inTransaction, act)
}

/** A snapshot of several round trips, during which what is deleted cannot be cleared away. It is read once more likewise. */
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

const plain = (text: string): Statement => ({ text, values: [] })

/** A transaction in one message: the server never waits for this process while it holds locks for it. */
export async function runTransaction(db: Db, statements: readonly Statement[]): Promise<void> {
  const pool = poolOf(db)
  if (pool === null) return await runOneByOne(db, statements)
  const client = await pool.connect()
  // Without names: the pool's connections know none.
  const unnamed = statements.map(({ text, values }) => ({ text, values }))
  const batch = new Batch([plain('begin'), ...unnamed, plain('commit')], {
    parsed: new Set(),
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
  // After a failure nobody knows what state the connection is in.
  client.release(failure !== null)
  if (failure !== null) throw failure
}

const runOneByOne = (db: Db, statements: readonly Statement[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    for (const { text, values } of statements) await tx.executeQuery(CompiledQuery.raw(text, values))
  })
