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
      await runAsAdmin(
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
      )
      return await createFrom(name)
    },
    async drop() {
      await pool.end()
      await runAsAdmin(`drop database if exists ${name} with (force)`)
    },
  }
}

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
