import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { templateDatabase } from './postgres-setup.js'

export interface TestDatabase {
  url: string
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

/** A fresh, migrated database on the shared server. Copying the template takes about 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await runAsAdmin(`create database ${name} template ${templateDatabase}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  pool.on('error', () => undefined)
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
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
    // Two files that copy the template at the same moment get in each other's way for an instant.
    await admin.query('select pg_advisory_lock(7070002)')
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
