import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { TestDatabase } from '../service/database.js'

/** Where a text was found, such as `audit_log.after`, `file spool/1.jsonl` or `redis`. */
export type Location = string

export type Finding = [text: string, location: Location]

/** Every column of every table that holds one of the texts, in plain or as bytes. Parts of a partitioned table count as the table. */
export async function findInDatabase(database: TestDatabase, texts: readonly string[]): Promise<Finding[]> {
  const tables = await database.query<{ table: string; columns: string[]; bytes: string[] }>(
    `select c.relname as table, array_agg(a.attname::text) as columns,
       array_remove(array_agg(case when a.atttypid = 'bytea'::regtype then a.attname::text end), null) as bytes
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped
     group by c.relname order by 1`,
  )
  const found: Finding[] = []
  for (const { table, columns, bytes } of tables) {
    const holds = columns.map((column) =>
      bytes.includes(column)
        ? `('${column}', position(convert_to(needle, 'UTF8') in "${column}") > 0)`
        : `('${column}', strpos("${column}"::text, needle) > 0)`,
    )
    const rows = await database.query<{ needle: string; column: string }>(
      `select distinct needle, found.column from "${table}" cross join unnest($1::text[]) as needle
       cross join lateral (values ${holds.join(', ')}) as found ("column", holds) where holds order by 1, 2`,
      [texts],
    )
    for (const { needle, column } of rows) found.push([needle, `${table}.${column}`])
  }
  return found
}

/** Every file below a folder that holds one of the texts in its name or its bytes. */
export async function findInFiles(folder: string, texts: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const content = entry.isFile() ? await readFile(path) : Buffer.alloc(0)
    for (const text of texts)
      if (entry.name.includes(text) || content.includes(text))
        found.push([text, `file ${path.slice(folder.length + 1)}`])
  }
  return found
}

/** The texts that a key of the server, or what it holds, has; the location is `redis`. */
export async function findInRedis(client: Redis, texts: readonly string[]): Promise<Finding[]> {
  const all: string[] = []
  for (const key of await client.keys('*')) all.push(key, await readAll(client, key))
  return texts.filter((text) => all.some((each) => each.includes(text))).map((text) => [text, 'redis'])
}

async function readAll(client: Redis, key: string): Promise<string> {
  switch (await client.type(key)) {
    case 'string':
      return (await client.get(key)) ?? ''
    case 'hash':
      return JSON.stringify(await client.hgetall(key))
    case 'zset':
      return JSON.stringify(await client.zrange(key, '0', '-1'))
    case 'set':
      return JSON.stringify(await client.smembers(key))
    case 'list':
      return JSON.stringify(await client.lrange(key, 0, -1))
    default:
      return ''
  }
}
