import type { TestDatabase } from './database.js'

/** The number of rows of every table of a database, and a checksum over all of their columns. */
export async function sumTables({ query }: Pick<TestDatabase, 'query'>): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  )
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text collate "C")), '') as sum from ${name} t`,
    )
    sums[name] = row?.sum ?? ''
  }
  return sums
}

/** Every object of a schema as its definition: columns, indexes, constraints, triggers and sequences with their values. */
export async function describeSchema({ query }: Pick<TestDatabase, 'query'>): Promise<string[]> {
  const rows = await query<{ line: string }>(`
    select 'column ' || attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull as line
      from pg_attribute a join pg_class c on c.oid = attrelid
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped
    union all select 'index ' || pg_get_indexdef(indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
      where relnamespace = current_schema()::regnamespace
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = current_schema()::regnamespace
    union all select 'trigger ' || tgenabled::text || ' ' || pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
      where not tgisinternal and relnamespace = current_schema()::regnamespace
    union all select 'partition ' || oid::regclass || ' ' || pg_get_expr(relpartbound, oid) from pg_class
      where relispartition and relnamespace = current_schema()::regnamespace
    union all select 'sequence ' || sequencename || ' ' || coalesce(last_value::text, 'unused') from pg_sequences
      where schemaname = current_schema()
    order by 1`)
  return rows.map(({ line }) => line)
}
