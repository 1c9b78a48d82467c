import pg from 'pg'
import { connectionSettings, type Statement } from './database.js'

/**
 * A dedicated connection that sends statements without waiting for each answer. The ledger's transaction has
 * about eight of them: one after the other they would cost eight round trips, here they cost two.
 */
export interface PipelinedConnection {
  /** Begins a transaction and reads with it, in one round trip. */
  begin<Row extends pg.QueryResultRow>(read: Statement): Promise<Row[]>
  /** Reads within the transaction. */
  read<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>
  /** Runs the rest and commits, in one round trip. Resolves only when the server said COMMIT. */
  commit(statements: readonly Statement[]): Promise<void>
  rollback(): Promise<void>
  close(): Promise<void>
}

// A server that hangs (a stopped process, a dead disk) is as good as gone: the driver then drops the connection.
const answerTimeoutMs = 10_000

export async function connectPipelined(url: string, onLost: (error: Error) => void): Promise<PipelinedConnection> {
  const client = new pg.Client({ ...connectionSettings(url), pipeline: true, query_timeout: answerTimeoutMs })
  client.on('error', onLost)
  await client.connect()

  return {
    async begin<Row extends pg.QueryResultRow>(read: Statement): Promise<Row[]> {
      const [, result] = await settleAll([client.query('begin'), client.query<Row>(read)])
      return result.rows
    },
    async read<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
      return (await client.query<Row>(statement)).rows
    },
    async commit(statements) {
      const sent = statements.map((statement) => client.query(statement))
      const [committed] = await settleAll([client.query('commit'), ...sent])
      // After a failed statement the server answers COMMIT with ROLLBACK and no error.
      if (committed.command !== 'COMMIT') throw new Error('The transaction was rolled back')
    },
    async rollback() {
      await client.query('rollback')
    },
    close: () => client.end(),
  }
}

/** Waits for all answers before it throws the first fault that says why, so that no rejection goes unhandled. */
async function settleAll<T extends readonly Promise<unknown>[]>(
  sent: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(sent)
  const faults = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  // 25P02, "transaction is aborted", only repeats that an earlier statement failed.
  if (faults.length > 0) throw faults.find((fault) => fault.code !== '25P02') ?? faults[0]
  return await Promise.all(sent)
}
