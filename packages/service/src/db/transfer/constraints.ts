import type pg from 'pg'

/**
 * Drops the foreign keys and disables the triggers of all tables, and returns what restores both. Rows then arrive in any order, and
 * change nothing but their table. Foreign keys are dropped because only a superuser could disable them; made again, they check all rows.
 */
export async function suspendConstraints(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace order by 1, 2`,
  )
  const { rows: triggers } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and c.relnamespace = current_schema()::regnamespace order by 1`,
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { table } of triggers) await client.query(`alter table ${table} disable trigger user`)
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const { table } of triggers) await client.query(`alter table ${table} enable trigger user`)
  }
}
