import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { connectionSettings } from './database.js'
import { locks } from './locks.js'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

interface Migration {
  name: string
  sql: string
  checksum: string
}

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(`${folder}${name}`, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** Brings the schema up to date. Replicas that start together queue on an advisory lock; one does the work. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client(connectionSettings(url))
  // A connection that breaks fails the statement under way, which reports it; here it must only not throw.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [locks.migrations])
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations',
    )
    const applied = new Map(rows.map((row) => [row.name, row.checksum]))
    const migrations = readMigrations()
    refuseForeignHistory(applied, migrations)
    const pending = migrations.filter((migration) => !applied.has(migration.name))
    for (const migration of pending) await apply(client, migration)
    return pending.map((migration) => migration.name)
  } finally {
    // Ending the session releases the advisory lock.
    await client.end()
  }
}

function refuseForeignHistory(applied: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  for (const [name, checksum] of applied) {
    const expected = known.get(name)
    if (expected === undefined) {
      throw new Error(
        `The database has migration ${name}, which this version does not know: start a newer version`,
      )
    }
    if (expected !== checksum) throw new Error(`Migration ${name} was changed after it had been applied`)
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Migration ${migration.name} failed; nothing of it was kept`, { cause })
  }
}
