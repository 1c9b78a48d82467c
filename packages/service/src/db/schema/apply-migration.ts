import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from '../../shared/error-code.js'
import { type Migration, splitStatements, withoutComments } from './migrations.js'

export interface LockOptions {
  /** How long a migration waits for a lock. Later statements on the same table wait behind it for as long. */
  lockTimeoutMs: number
  /** How long it retries before it gives up. */
  giveUpMs: number
  log(message: string): void
}

const firstPauseMs = 100
const maxPauseMs = 2_000

const lockNotAvailable = '55P03'
const deadlock = '40P01'

/** Applies one migration, and retries while another transaction holds what it must lock. */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  lockOptions: LockOptions,
): Promise<void> {
  const apply = migration.isConcurrent ? applyStatements : applyInTransaction
  try {
    await retryLocks(() => apply(client, migration, lockOptions), migration.name, lockOptions)
  } catch (cause) {
    const kept = migration.isConcurrent ? 'run it again' : 'nothing of it was kept'
    throw new Error(`Migration ${migration.name} failed; ${kept}`, { cause })
  }
}

async function retryLocks(
  work: () => Promise<void>,
  name: string,
  { giveUpMs, log }: LockOptions,
): Promise<void> {
  const untilMs = performance.now() + giveUpMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await work()
    } catch (error) {
      const isLocked = [lockNotAvailable, deadlock].includes(errorCode(error) ?? '')
      if (!isLocked) throw error
      if (performance.now() > untilMs)
        throw new Error(
          `a transaction held a table that it must lock for ${giveUpMs / 1_000} s; pg_stat_activity shows the oldest by xact_start: end it, then run \`tallystick migrate\` again`,
          { cause: error },
        )
      log(`${name} waits for a table that another transaction holds; it is tried again`)
      await pause(pauseMs)
    }
  }
}

async function applyInTransaction(
  client: pg.Client,
  migration: Migration,
  { lockTimeoutMs }: LockOptions,
): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.sql)
    await recordMigration(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Applies a migration in the transaction of the caller. An index need not be built concurrently there, and cannot be. */
export async function applyWithin(client: pg.Client, migration: Migration): Promise<void> {
  const { sql, isConcurrent } = migration
  await client.query(isConcurrent ? withoutComments(sql).replaceAll(/\bconcurrently\b/gi, '') : sql)
  await recordMigration(client, migration)
}

/** Runs statements without a lock timeout. No statement waits for a concurrent index build, and cancelling it would leave an invalid index. */
async function applyStatements(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of splitStatements(migration.sql)) {
    const [, index] = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement) ?? []
    if (index !== undefined) await dropInvalidIndex(client, index)
    await client.query(statement)
  }
  await recordMigration(client, migration)
}

/** Drops the index of a failed concurrent build, which Postgres maintains but never uses. */
async function dropInvalidIndex(client: pg.Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rowCount) await client.query(`drop index concurrently if exists ${index}`)
}

async function recordMigration(client: pg.Client, { name, checksum, kind }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum, kind) values ($1, $2, $3)', [
    name,
    checksum,
    kind,
  ])
}
