import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/**
 * `expand` adds to the schema what the previous release does not notice, so its processes continue to serve. `contract` removes
 * what they use, so it waits until none of them serves.
 */
export type MigrationKind = 'expand' | 'contract'

export interface Migration {
  name: string
  /** The schema that it makes: the number at the beginning of its name. */
  number: number
  kind: MigrationKind
  /** Its statements run one by one, outside of a transaction, as `create index concurrently` must. */
  isConcurrent: boolean
  /** Whether this program cannot serve without it. */
  isNeeded: boolean
  /** The summary in the first line, which the plan shows. */
  summary: string
  sql: string
  checksum: string
}

export function readMigrations(folder: string = migrationsFolder): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => parseMigration(name, readFileSync(`${folder}/${name}`, 'utf8')))
}

const header = /^-- (expand|contract)(, concurrently)?: (.+)$/

export function parseMigration(name: string, sql: string): Migration {
  const [, kind, concurrently, summary = ''] = header.exec(sql.slice(0, sql.indexOf('\n'))) ?? []
  if (kind !== 'expand' && kind !== 'contract')
    throw new Error(
      `Migration ${name} does not say whether the previous release works beside it: begin it with "-- expand: summary" or "-- contract: summary"`,
    )
  const isConcurrent = concurrently !== undefined
  // An index makes queries faster; only a unique one changes what a statement may do.
  const isOnlyFaster = isConcurrent && !/create\s+unique\s+index/i.test(sql)
  return {
    name,
    number: Number(name.slice(0, 4)),
    kind,
    isConcurrent,
    isNeeded: kind === 'expand' && !isOnlyFaster,
    summary,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
  }
}

/** The statements of a migration that runs outside of a transaction. Each must end with a semicolon at the end of a line. */
export function splitStatements(sql: string): string[] {
  return withoutComments(sql)
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

export const withoutComments = (sql: string): string => sql.replaceAll(/--.*$/gm, '')

/** The schema that a program was written for: its newest migration. */
export const schemaOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.number ?? 0
