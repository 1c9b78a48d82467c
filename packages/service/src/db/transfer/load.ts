import pg from 'pg'
import { type Migration, migrateWithin, readMigrations, SchemaError } from '../schema/index.js'
import { quoteNames, readCatalogue } from './catalogue.js'
import { suspendConstraints } from './constraints.js'
import { copyIn } from './copy.js'
import { type Manifest, manifestName, type Part, type Parts, rowsName, tablePrefix } from './part.js'
import { arrangePartitions } from './partitions.js'
import { beginEmpty, endOtherSessions } from './target.js'

export interface LoadOptions {
  /** Deletes what the database contains. */
  isReplaced: boolean
  /** Called with each part that is neither the manifest nor of a table. */
  onPart(part: Part): void
  /** Called before the commit. Throws when the copy is not what it should be. */
  check(client: pg.Client): Promise<void>
  warn(message: string): void
  folder?: string
}

/** Fills a database with a copy, in one transaction, and brings its schema up to date. Returns the number of rows. */
export async function loadDatabase(client: pg.Client, parts: Parts, options: LoadOptions): Promise<number> {
  const iterator = parts[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) throw new SchemaError('The copy is empty')
  const manifest = readManifest(first.value)
  const [before, after] = splitMigrations(manifest, readMigrations(options.folder))

  await beginEmpty(client, options)
  await migrateWithin(client, before)
  await arrangePartitions(client, manifest.partitions)
  const { tables } = await readCatalogue(client)
  const known = new Set(tables.map(({ name }) => name))
  const unknown = manifest.tables.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (unknown.length > 0) options.warn(`Left out, because no migration makes them: ${unknown.join(', ')}`)
  const resume = await suspendConstraints(client)
  await client.query(`truncate ${quoteNames([...known])}`)

  const targets = new Map(
    manifest.tables
      .filter(({ name }) => known.has(name))
      .map(({ name, columns }) => [
        name,
        `copy ${pg.escapeIdentifier(name)} (${quoteNames(columns)}) from stdin`,
      ]),
  )
  const rows = await loadTables(client, iterator, targets, options)
  for (const { name, value, isCalled } of manifest.sequences)
    await client.query('select setval(to_regclass($1)::regclass, $2, $3)', [
      pg.escapeIdentifier(name),
      value,
      isCalled,
    ])
  await resume()
  await migrateWithin(client, after)
  await options.check(client)
  await client.query('commit')
  if (options.isReplaced) await endOtherSessions(client)
  await client.query('analyze')
  return rows
}

export function readManifest({ name, bytes }: Part): Manifest {
  if (name !== manifestName) throw new SchemaError('The file is not a backup of tallystick')
  const manifest: Manifest = JSON.parse(bytes.toString('utf8'))
  if (manifest.format !== 1)
    throw new SchemaError('The backup has a format of a newer version: use a newer version of tallystick')
  return manifest
}

/** The migrations that the copy has, in its order, and those that it lacks. */
function splitMigrations(
  { migrations, version }: Manifest,
  own: readonly Migration[],
): [Migration[], Migration[]] {
  const before = migrations.map(({ name, checksum }) => {
    const migration = own.find((each) => each.name === name)
    if (migration === undefined)
      throw new SchemaError(
        `The backup has migration ${name}, which this version does not know: use version ${version} or a newer one`,
      )
    if (migration.checksum !== checksum)
      throw new SchemaError(`Migration ${name} differs from the one of the backup: use version ${version}`)
    return migration
  })
  return [before, own.filter((migration) => !before.includes(migration))]
}

async function loadTables(
  client: pg.Client,
  parts: AsyncIterator<Part>,
  targets: ReadonlyMap<string, string>,
  { onPart }: LoadOptions,
): Promise<number> {
  const counts = new Map<string, number>([...targets.keys()].map((name) => [name, 0]))
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value
    if (part.name === rowsName) requireCounts(counts, part)
    else if (part.name.startsWith(tablePrefix)) {
      const table = part.name.slice(tablePrefix.length, part.name.lastIndexOf('/'))
      const target = targets.get(table)
      if (target === undefined) continue
      counts.set(table, (counts.get(table) ?? 0) + (await copyIn(client, target, part.bytes)))
    } else onPart(part)
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function requireCounts(counts: ReadonlyMap<string, number>, { bytes }: Part): void {
  const expected: Record<string, number> = JSON.parse(bytes.toString('utf8'))
  for (const [table, count] of counts)
    if (expected[table] !== count)
      throw new SchemaError(`The table ${table} got ${count} rows, and the copy has ${expected[table]}`)
}
