import pg from 'pg'
import { readVersion } from '../../config/index.js'
import { SchemaError } from '../schema/index.js'
import { type Catalogue, quoteNames, readCatalogue } from './catalogue.js'
import { copyOut } from './copy.js'
import { jsonPart, type Manifest, manifestName, type Part, rowsName, tablePrefix } from './part.js'

export interface DumpOptions {
  /** Further parts that are read from the same snapshot. They follow the manifest. */
  more(client: pg.Client): Promise<Part[]>
}

/** Reads one snapshot of all tables, while others read and write them. */
export async function* dumpDatabase(client: pg.Client, { more }: DumpOptions): AsyncGenerator<Part> {
  const catalogue = await openSnapshot(client)
  yield jsonPart(manifestName, await describe(client, catalogue))
  yield* await more(client)
  const rows: Record<string, number> = {}
  for (const { name, columns } of catalogue.tables) {
    // A partitioned table can be copied only by a query.
    const copy = copyOut(
      client,
      `copy (select ${quoteNames(columns)} from ${pg.escapeIdentifier(name)}) to stdout`,
    )
    let number = 0
    let next = await copy.next()
    for (; !next.done; next = await copy.next())
      yield { name: `${tablePrefix}${name}/${String(++number).padStart(6, '0')}`, bytes: next.value }
    rows[name] = next.value
  }
  await client.query('commit')
  yield jsonPart(rowsName, rows)
}

const maxAttempts = 10

/**
 * Locks all tables against migrations and against dropping their partitions, and then takes the snapshot. Locked after it, a table could
 * have lost rows of the snapshot. So the catalogue is read twice, until it is the same within the snapshot.
 */
async function openSnapshot(client: pg.Client): Promise<Catalogue> {
  for (let attempt = 1; ; attempt++) {
    const { tables, partitions } = await readCatalogue(client)
    if (tables.length === 0)
      throw new SchemaError('The database has no tables of tallystick: there is nothing to copy')
    await client.query('begin isolation level repeatable read, read only')
    try {
      await client.query(
        `lock table ${quoteNames([...tables, ...partitions].map(({ name }) => name))} in access share mode`,
      )
      const catalogue = await readCatalogue(client)
      const before = JSON.stringify([tables, partitions])
      if (before === JSON.stringify([catalogue.tables, catalogue.partitions])) return catalogue
    } catch (error) {
      if (attempt >= maxAttempts) throw error
    }
    await client.query('rollback')
    if (attempt >= maxAttempts) throw new SchemaError('The tables of the database keep changing; try again')
  }
}

async function describe(client: pg.Client, catalogue: Catalogue): Promise<Manifest> {
  const { rows: migrations } = await client.query<Manifest['migrations'][number]>(
    'select name, checksum from schema_migrations order by applied_at, name',
  )
  const { rows } = await client.query<{ server: string; createdAt: string }>(
    `select current_setting('server_version') as server, to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`,
  )
  const { server = '', createdAt = '' } = rows[0] ?? {}
  return { format: 1, version: readVersion(), createdAt, server, migrations, ...catalogue }
}
