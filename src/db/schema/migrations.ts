import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the migrations of this program are. */
export const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** The newest migration of the last release without marks. It and those before it say nothing of older programs. */
export const lastUnmarked = 34

/**
 * `expand` adds what programs of before do not notice: they serve on beside it. `contract` takes away what they use: it waits
 * until none of them is left. `unmarked` is of before the marks: this program needs it, and older ones may not work beside it.
 */
export type MigrationKind = 'expand' | 'contract' | 'unmarked'

export interface Migration {
  name: string
  /** The schema that it makes: the number at the beginning of its name. */
  number: number
  kind: MigrationKind
  /** Its statements run one by one, outside of a transaction, as `create index concurrently` must. */
  isConcurrent: boolean
  /** Whether this program cannot serve without it. */
  isNeeded: boolean
  /** What its mark says of it. */
  words: string
  sql: string
  checksum: string
}

export function readMigrations(folder: string = migrationsFolder): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => parseMigration(name, readFileSync(`${folder}/${name}`, 'utf8')))
}

const mark = /^-- (expand|contract)(, concurrently)?: (.+)$/m

export function parseMigration(name: string, sql: string): Migration {
  const firstLine = sql.slice(0, sql.indexOf('\n'))
  const [, marked, concurrently, words = ''] = mark.exec(firstLine) ?? []
  const kind = marked === 'expand' || marked === 'contract' ? marked : 'unmarked'
  const isConcurrent = concurrently !== undefined
  // An index makes questions faster; only one that is unique changes what a statement may do.
  const isOnlyFaster = isConcurrent && !/create\s+unique\s+index/i.test(sql)
  return {
    name,
    number: Number(name.slice(0, 4)),
    kind,
    isConcurrent,
    isNeeded: kind === 'unmarked' || (kind === 'expand' && !isOnlyFaster),
    words,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
  }
}

/** The statements of a migration that runs outside of a transaction. Each ends with a semicolon at the end of a line. */
export function splitStatements(sql: string): string[] {
  return withoutComments(sql)
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

export const withoutComments = (sql: string): string => sql.replaceAll(/--.*$/gm, '')

/** The schema that this program was written for: its newest migration. */
export const schemaOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.number ?? 0
