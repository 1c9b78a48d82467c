import pg from 'pg'

/** What the schema of a database contains, as its catalogue says it: a table that a migration adds is found without a list. */
export interface Catalogue {
  /** Without partitions: their rows are read and written through their table. */
  tables: { name: string; columns: string[] }[]
  partitions: Partition[]
  sequences: { name: string; value: string; isCalled: boolean }[]
}

export interface Partition {
  name: string
  parent: string
  /** `FOR VALUES FROM (…) TO (…)`, or `DEFAULT`. */
  bound: string
  /** The statements that make the indexes that the parent does not have. */
  indexes: string[]
}

// Tables of extensions, and of other programs under other roles, are no part of it.
const ownTables = `
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and c.relowner = (select relowner from pg_class where oid = to_regclass('schema_migrations'))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

const columnsOf = `
  (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')`

const ownIndexes = `
  (select coalesce(array_agg(replace(pg_get_indexdef(i.indexrelid), ' ON ' || quote_ident(current_schema()) || '.', ' ON ')
     order by i.indexrelid::regclass::text), '{}')
   from pg_index i where i.indrelid = c.oid and i.indisvalid
     and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid))`

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const { rows: tables } = await client.query<Catalogue['tables'][number]>(
    `select c.relname::text as name, ${columnsOf} as columns ${ownTables} and not c.relispartition order by 1`,
  )
  const { rows: partitions } = await client.query<Partition>(
    `select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound, ${ownIndexes} as indexes,
       (select p.relname::text from pg_inherits h join pg_class p on p.oid = h.inhparent where h.inhrelid = c.oid) as parent
     ${ownTables} and c.relispartition order by 1`,
  )
  return { tables, partitions, sequences: await readSequences(client) }
}

async function readSequences(client: pg.Client): Promise<Catalogue['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select s.relname::text as name from pg_class s
     join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
     where s.relkind = 'S' and d.refobjid in (select c.oid ${ownTables}) order by 1`,
  )
  const sequences: Catalogue['sequences'] = []
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    )
    for (const state of states) sequences.push({ name, ...state })
  }
  return sequences
}

/** A list of identifiers, quoted: names come from a catalogue, or from a file. */
export const quoteNames = (names: readonly string[]): string => names.map(pg.escapeIdentifier).join(', ')
