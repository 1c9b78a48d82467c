import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { templateDatabase } from '../run/postgres-setup.js'

export interface TestDatabase {
  url: string
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

export interface CopyableDatabase extends TestDatabase {
  /** Copies the current state to another database. Ends the connections to this one. */
  copy(): Promise<TestDatabase>
  /** Gives this database the state of a copy, as an asynchronous failover does that loses the last commits. Connections end. */
  failOverTo(copy: TestDatabase): Promise<void>
}

/** A fresh, migrated database on the shared server. Copying the template takes about 50 ms. */
export const createTestDatabase = (): Promise<CopyableDatabase> => createFrom(templateDatabase)

async function createFrom(template: string): Promise<CopyableDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await runAsAdmin(`create database ${name} template ${template}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  pool.on('error', () => undefined)
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    async copy() {
      // A service that runs would connect again before the copy begins.
      await runAsAdmin(`alter database ${name} with allow_connections false`)
      await endConnections(name)
      const made = await createFrom(name)
      await runAsAdmin(`alter database ${name} with allow_connections true`)
      return made
    },
    async failOverTo(other) {
      const otherName = new URL(other.url).pathname.slice(1)
      await runAsAdmin(`alter database ${name} with allow_connections false`)
      await endConnections(name)
      await endConnections(otherName)
      await runAsAdmin(`alter database ${name} rename to ${name}_lost`)
      await runAsAdmin(`alter database ${otherName} rename to ${name}`)
      await runAsAdmin(`drop database ${name}_lost`)
    },
    async drop() {
      await pool.end()
      await runAsAdmin(`drop database if exists ${name} with (force)`)
    },
  }
}

const endConnections = (name: string): Promise<void> =>
  runAsAdmin(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`)

async function runAsAdmin(statement: string): Promise<void> {
  const admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  try {
    // Copying the template fails while another file is copying it, so it is retried.
    await admin.query('select pg_advisory_lock(7070002)')
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
