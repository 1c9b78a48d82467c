import type pg from 'pg'
import { locks } from '../locks/locks.js'
import { readMigrations, schemaOf } from './migrations.js'

let own: number | undefined

/** The schema that this program was written for. */
export function programSchema(): number {
  own ??= schemaOf(readMigrations())
  return own
}

/** The name of the connection that holds a process's serving lock. Migrations read from it which programs serve. */
export const servingName = (schema: number = programSchema()): string => `tallystick, schema ${schema}`

/** For each process that serves this database, the schema that its program was written for; 0 where its connection does not say. */
export async function readServingSchemas(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ program: string }>(
    `select coalesce(application_name, '') as program
     from pg_locks left join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = $1
       and pg_locks.database = (select oid from pg_database where datname = current_database())
       and pid <> pg_backend_pid()`,
    [locks.serving],
  )
  return rows.map(({ program }) => Number(/schema (\d+)/.exec(program)?.[1] ?? 0))
}

/** True when no process serves this database. Until the connection ends, none can begin to. */
export async function keepOthersFromServing(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    locks.serving,
  ])
  return rows[0]?.taken ?? false
}
