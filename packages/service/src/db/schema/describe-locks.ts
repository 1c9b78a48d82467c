import { withoutComments } from './migrations.js'

const table = '(?:if (?:not )?exists )?(?:only )?([a-z_0-9]+)'

/** The lock that each kind of statement needs on an existing table. The patterns expect whitespace to be single spaces. */
const effects: { pattern: RegExp; words(table: string): string }[] = [
  {
    pattern: new RegExp(String.raw`\balter table ${table}`, 'g'),
    words: (name) => `${name}: readers and writers wait for a moment`,
  },
  {
    pattern: new RegExp(String.raw`\bdrop (?:table|view) ${table}`, 'g'),
    words: (name) => `${name}: readers and writers wait for a moment, then it is gone`,
  },
  {
    pattern: /\bcreate (?:unique )?index concurrently [^(;]*? on (?:only )?([a-z_0-9]+)/g,
    words: (name) => `${name}: nobody waits while an index is built`,
  },
  {
    pattern: /\bcreate (?:unique )?index (?!concurrently)[^(;]*? on (?:only )?([a-z_0-9]+)/g,
    words: (name) => `${name}: writers wait while an index is built`,
  },
  {
    pattern: /\bcreate (?:or replace )?(?:constraint )?trigger [^;]*? on ([a-z_0-9]+)/g,
    words: (name) => `${name}: writers wait for a moment`,
  },
  {
    pattern: /\bdrop trigger [^;]*? on ([a-z_0-9]+)/g,
    words: (name) => `${name}: readers and writers wait for a moment`,
  },
  {
    pattern: /(?:^|; ?)update (?:only )?([a-z_0-9]+)/g,
    words: (name) => `${name}: rows are changed; writers of the same rows wait until its end`,
  },
]

/** Describes the locks of a migration on existing tables. An estimate from the text of its statements, for people to read. */
export function describeLocks(sql: string): string[] {
  const text = withoutFunctionBodies(withoutComments(sql)).toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const made = new Set(
    [...text.matchAll(new RegExp(String.raw`\bcreate table ${table}`, 'g'))].map(([, name]) => name),
  )
  const found = effects.flatMap(({ pattern, words }) =>
    [...text.matchAll(pattern)].flatMap(([, name]) =>
      name === undefined || made.has(name) ? [] : [words(name)],
    ),
  )
  const lines = [...new Set(found)].sort()
  return lines.length > 0 ? lines : ['nothing that exists is locked']
}

const withoutFunctionBodies = (sql: string): string => sql.replaceAll(/\$([a-z_]*)\$[\s\S]*?\$\1\$/gi, "''")
