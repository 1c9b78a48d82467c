import type pg from 'pg'
import { locks } from '../locks/locks.js'
import { SchemaError } from '../schema/index.js'
import { quoteNames, readCatalogue } from './catalogue.js'

const oldestServer = 150_000

interface TargetRow {
  version: number
  version_text: string
  encoding: string
  may_create: boolean
  relations: number
}

/** Checks a database that is to be filled, before anything is read or written. */
export async function checkTarget(client: pg.Client, { isReplaced }: { isReplaced: boolean }): Promise<void> {
  const { rows } = await client.query<TargetRow>(`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
      current_setting('server_encoding') as encoding,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      (select count(*)::int from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
        as relations`)
  const [row] = rows
  if (row === undefined) return
  if (row.version < oldestServer)
    throw new SchemaError(`The database runs PostgreSQL ${row.version_text}; at least 15 is needed`)
  if (row.encoding !== 'UTF8')
    throw new SchemaError(`The database has the encoding ${row.encoding}; create one with the encoding UTF8`)
  if (!row.may_create)
    throw new SchemaError(
      'The role may not create tables in this database: make it the owner of the database',
    )
  if (row.relations > 0 && !isReplaced)
    throw new SchemaError(
      `The database is not empty: it has ${row.relations} tables. Use an empty one; --replace deletes what it contains`,
    )
  const { rows: locked } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [locks.migrations],
  )
  if (!locked[0]?.taken)
    throw new SchemaError(
      'Another process is changing the schema of this database; try again when it has ended',
    )
}

const lockTimeout = '10s'
const maxAttempts = 6

/** Begins the transaction. With `isReplaced`, it first ends what others do, and then drops all tables, views and functions. */
export async function beginEmpty(client: pg.Client, { isReplaced }: { isReplaced: boolean }): Promise<void> {
  for (let attempt = 1; isReplaced; attempt++) {
    const { tables } = await readCatalogue(client)
    await endOtherSessions(client)
    await client.query('begin')
    if (tables.length === 0) return
    try {
      await client.query(`set local lock_timeout = '${lockTimeout}'`)
      await client.query(`lock table ${quoteNames(tables.map(({ name }) => name))} in access exclusive mode`)
      await client.query('set local lock_timeout = 0')
      await client.query(`drop table ${quoteNames(tables.map(({ name }) => name))} cascade`)
      await dropFunctions(client)
      return
    } catch (error) {
      await client.query('rollback')
      if (attempt >= maxAttempts) throw error
    }
  }
  await client.query('begin')
}

/**
 * Ends the sessions of this role in this database. What processes keep of it is then read again, and their record is compared with
 * the database before they sign, as after any restore.
 */
export const endOtherSessions = (client: pg.Client) =>
  client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`)

async function dropFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.proowner = current_user::regrole
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
  )
  if (rows.length > 0) await client.query(`drop function ${rows.map(({ name }) => name).join(', ')} cascade`)
}
