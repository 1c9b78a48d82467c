import type pg from 'pg'
import type { Migration, MigrationKind } from './migrations.js'

/** How the schema of a database stands to a program. */
export interface SchemaState {
  /** The number of the newest migration that the database has; 0 for a database without any. */
  schema: number
  /** What this program has and the database has not, in their order. */
  pending: Migration[]
  /** What the database has of a newer program. */
  unknown: { name: string; kind: MigrationKind }[]
}

/** A schema that this program cannot work with. Its message says what to run. */
export class SchemaError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SchemaError'
  }
}

/** Changes nothing, and works on the table of migrations of every version. */
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
    unknown: applied
      .filter(({ name }) => !known.has(name))
      .map(({ name, kind }) => ({
        name,
        kind: kind === 'expand' || kind === 'contract' ? kind : 'unmarked',
      })),
  }
}

interface AppliedRow {
  name: string
  checksum: string
  kind: string | null
}

async function readApplied(client: pg.Client): Promise<AppliedRow[]> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    "select to_regclass('schema_migrations') is not null as is_there",
  )
  if (!found[0]?.is_there) return []
  // As JSON, because the table of an older version has no column `kind`.
  const { rows } = await client.query<AppliedRow>(
    "select name, checksum, to_jsonb(m) ->> 'kind' as kind from schema_migrations m order by name",
  )
  return rows
}

/** The newest program must not be older than what took something away from it. */
export function refuseNewerSchema({ unknown, pending }: SchemaState): void {
  const strange = unknown.find(({ kind }) => kind !== 'expand')
  if (strange !== undefined)
    throw new SchemaError(
      `The database has migration ${strange.name}, which this version does not know: start a newer version`,
    )
  const [first] = unknown
  if (first !== undefined && pending.some(({ isNeeded }) => isNeeded))
    throw new SchemaError(
      `The database has migration ${first.name} of another version, and lacks ${namesOf(pending)} of this one: use the newer of the two versions`,
    )
}

/** Whether a program can serve on it as it is. */
export const canServeOn = ({ pending }: SchemaState): boolean => !pending.some(({ isNeeded }) => isNeeded)

export const namesOf = (migrations: readonly { name: string }[]): string =>
  migrations.map(({ name }) => name).join(', ')
