import type pg from 'pg'
import type { Migration } from './migrations.js'

/** The schema of a database, compared with the migrations of a program. */
export interface SchemaState {
  /** The number of the newest migration that the database has; 0 for a database without any. */
  schema: number
  /** Migrations of this program that the database lacks, in their order. */
  pending: Migration[]
  /** Migrations of another program, usually a newer one, that the database has. */
  unknown: { name: string; kind: string }[]
}

/** A schema that this program cannot work with. Its message says what to run. */
export class SchemaError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SchemaError'
  }
}

export async function readSchemaState(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<SchemaState> {
  const applied = await readApplied(client)
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const expected = known.get(name)
    if (expected !== undefined && expected.checksum !== checksum)
      throw new SchemaError(`Migration ${name} was changed after it had been applied`)
  }
  const names = new Set(applied.map(({ name }) => name))
  return {
    schema: Math.max(0, ...applied.map(({ name }) => Number(name.slice(0, 4)))),
    pending: migrations.filter(({ name }) => !names.has(name)),
    unknown: applied.filter(({ name }) => !known.has(name)),
  }
}

interface AppliedRow {
  name: string
  checksum: string
  kind: string
}

async function readApplied(client: pg.Client): Promise<AppliedRow[]> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    "select to_regclass('schema_migrations') is not null as is_there",
  )
  if (!found[0]?.is_there) return []
  const { rows } = await client.query<AppliedRow>(
    'select name, checksum, kind from schema_migrations order by name',
  )
  return rows
}

/** Throws when a newer program has removed something that this one may use, or when each has migrations that the other lacks. */
export function refuseNewerSchema({ unknown, pending }: SchemaState): void {
  const removal = unknown.find(({ kind }) => kind !== 'expand')
  if (removal !== undefined)
    throw new SchemaError(
      `The database has migration ${removal.name}, which this version does not know: start a newer version`,
    )
  const [first] = unknown
  if (first !== undefined && pending.some(({ isNeeded }) => isNeeded))
    throw new SchemaError(
      `The database has migration ${first.name} of another version, and lacks ${namesOf(pending)} of this one: use the newer of the two versions`,
    )
}

/** Whether this program can serve before its pending migrations are applied. */
export const canServeOn = ({ pending }: SchemaState): boolean => !pending.some(({ isNeeded }) => isNeeded)

export const namesOf = (migrations: readonly { name: string }[]): string =>
  migrations.map(({ name }) => name).join(', ')
