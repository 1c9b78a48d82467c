import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectionSettings } from '../connection/database.js'
import { locks } from '../locks/locks.js'
import { applyMigration, applyWithin, type LockOptions } from './apply-migration.js'
import { type Migration, readMigrations } from './migrations.js'
import {
  canServeOn,
  namesOf,
  readSchemaState,
  refuseNewerSchema,
  SchemaError,
  type SchemaState,
} from './schema-state.js'
import { keepOthersFromServing, readServingSchemas } from './serving-programs.js'

export interface MigrateOptions extends Partial<LockOptions> {
  /** The folder of the migrations; that of this program by default. */
  folder?: string
}

export interface Migrated {
  applied: string[]
  /** Contractions that were left for later, because processes of an earlier version serve. */
  waiting: Migration[]
}

const pollMs = 100
// The lock of a process that was just killed stays held until the server notices that its connection is closed.
const maxLockWaitMs = 5_000

const lockOptionsOf = ({
  lockTimeoutMs = 1_000,
  giveUpMs = 600_000,
  log = () => undefined,
}: MigrateOptions) => ({
  lockTimeoutMs,
  giveUpMs,
  log,
})

/** Brings the schema up to date while other processes serve. Of several calls at the same time, one does the work. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<Migrated> {
  const migrations = readMigrations(options.folder)
  return await withClient(url, async (client) => {
    await waitForMigrationLock(client, lockOptionsOf(options).log)
    const state = await readSchemaState(client, migrations)
    refuseNewerSchema(state)
    return await applyPending(client, state, options)
  })
}

/**
 * For the start of a service: brings the schema up to date when no other process serves the database. Otherwise an operator decides
 * when to migrate, and the start continues if this program can work with the schema as it is.
 */
export async function prepareSchema(url: string, options: MigrateOptions = {}): Promise<void> {
  const migrations = readMigrations(options.folder)
  const { log } = lockOptionsOf(options)
  await withClient(url, async (client) => {
    const found = await readSchemaState(client, migrations)
    refuseNewerSchema(found)
    if (found.unknown.length > 0)
      log(`the database has ${namesOf(found.unknown)} of a newer version, which this one works beside`)
    if (found.pending.length === 0) return
    // A replica that can serve does not wait for a migration that takes minutes.
    if (!canServeOn(found)) await waitForMigrationLock(client, log)
    else if (!(await tryMigrationLock(client))) return reportPending(found, log)
    const state = await readSchemaState(client, migrations)
    refuseNewerSchema(state)
    if (state.pending.length === 0) return
    if (await isAlone(client, canServeOn(state) ? 0 : maxLockWaitMs))
      await applyPending(client, state, options)
    else reportPending(state, log)
  })
}

/** Throws unless this program can work with the schema that is there. Changes nothing. */
export async function requireSchema(
  url: string,
  options: Pick<MigrateOptions, 'folder'> = {},
): Promise<void> {
  const { state } = await readSchema(url, options)
  refuseNewerSchema(state)
  if (!canServeOn(state)) throw new SchemaError(whatToRun(state))
}

/** The state of the schema, and the schemas of the programs that serve on it. Changes nothing. */
export async function readSchema(
  url: string,
  { folder }: Pick<MigrateOptions, 'folder'> = {},
): Promise<{ state: SchemaState; serving: number[] }> {
  return await withClient(url, async (client) => ({
    state: await readSchemaState(client, readMigrations(folder)),
    serving: await readServingSchemas(client),
  }))
}

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionSettings(url), application_name: 'tallystick migrate' })
  // A broken connection fails the statement under way, which reports it. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await act(client)
  } finally {
    // Ending the session releases its advisory locks.
    await client.end()
  }
}

/**
 * Polls instead of waiting in the database: a waiting statement has a snapshot, and a concurrent index build waits for all older
 * snapshots, so both would wait for each other.
 */
async function waitForMigrationLock(client: pg.Client, log: (message: string) => void): Promise<void> {
  for (let hasSaid = false; !(await tryMigrationLock(client)); await pause(pollMs)) {
    if (!hasSaid) log('another process brings the schema up to date; waiting for it')
    hasSaid = true
  }
}

async function tryMigrationLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    locks.migrations,
  ])
  return rows[0]?.taken ?? false
}

async function isAlone(client: pg.Client, withinMs: number): Promise<boolean> {
  for (
    const untilMs = performance.now() + withinMs;
    !(await keepOthersFromServing(client));
    await pause(pollMs)
  )
    if (performance.now() >= untilMs) return false
  return true
}

async function applyPending(
  client: pg.Client,
  { pending }: SchemaState,
  options: MigrateOptions,
): Promise<Migrated> {
  if (pending.length === 0) return { applied: [], waiting: [] }
  const lockOptions = lockOptionsOf(options)
  // Timeouts that a role or a database sets for all sessions must not cancel the build of an index.
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
  )
  await createMigrationsTable(client)
  const migrated: Migrated = { applied: [], waiting: [] }
  for (const migration of pending) {
    const mustWait = migration.kind === 'contract' && (await servesOlder(client, migration))
    if (mustWait) migrated.waiting.push(migration)
    else {
      await applyMigration(client, migration, lockOptions)
      migrated.applied.push(migration.name)
    }
  }
  return migrated
}

const createMigrationsTable = (client: pg.Client) =>
  client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now(), kind text not null)`)

/** Applies migrations in the transaction of the caller, to tables that nobody else sees yet. */
export async function migrateWithin(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await createMigrationsTable(client)
  for (const migration of migrations) await applyWithin(client, migration)
}

const servesOlder = async (client: pg.Client, { number }: Migration): Promise<boolean> =>
  (await readServingSchemas(client)).some((schema) => schema < number)

/** Warns if this program can serve without the pending migrations, and throws if it cannot. */
function reportPending(state: SchemaState, log: (message: string) => void): void {
  if (!canServeOn(state)) throw new SchemaError(whatToRun(state))
  log(
    `the schema is not up to date (${namesOf(state.pending)}), and other processes serve this database; this one works all the same: run \`tallystick migrate\``,
  )
}

const whatToRun = ({ schema, pending }: SchemaState): string =>
  schema === 0
    ? 'The database is empty: run `tallystick migrate`, or `tallystick serve`, which fills an empty one by itself'
    : `The database has schema ${schema}, and this version needs ${namesOf(pending.filter(({ isNeeded }) => isNeeded))}: run \`tallystick migrate\` with this version; processes that serve now go on`
