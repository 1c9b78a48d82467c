import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migrate } from './migrate.js'

let url: string
let admin: pg.Client
const name = () => new URL(url).pathname.slice(1)

beforeEach(async () => {
  const empty = new URL(inject('postgresUrl'))
  empty.pathname = `/empty_${randomBytes(6).toString('hex')}`
  url = empty.href
  admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  await admin.query(`create database ${name()}`)
})
afterEach(async () => {
  await admin.query(`drop database ${name()} with (force)`)
  await admin.end()
})

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

test('of five replicas that start at the same moment on an empty database, one does the work', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
  const [done, ...rest] = applied.map(({ applied }) => applied).filter((names) => names.length > 0)
  expect(rest).toEqual([])
  expect(done?.[0]).toBe('0001_initial.sql')
  const recorded = await query<{ name: string }>('select name from schema_migrations order by name')
  expect(recorded.map((row) => row.name)).toEqual(done)
  expect(await query('select * from instance')).toHaveLength(1)
})

test('a second run changes nothing', async () => {
  await migrate(url)
  expect(await migrate(url)).toEqual({ applied: [], waiting: [] })
})

test('a database that a newer version has changed is left alone', async () => {
  await migrate(url)
  await query(
    "insert into schema_migrations (name, checksum, kind) values ('9999_later.sql', 'x', 'contract')",
  )
  await expect(migrate(url)).rejects.toThrow(
    'has migration 9999_later.sql, which this version does not know: start a newer version',
  )
})

test('a migration that was edited after it ran is refused', async () => {
  await migrate(url)
  await query("update schema_migrations set checksum = 'x' where name = '0001_initial.sql'")
  await expect(migrate(url)).rejects.toThrow(
    'Migration 0001_initial.sql was changed after it had been applied',
  )
})

test('a migration that fails leaves nothing behind', async () => {
  await query('create table seals (only_here boolean)')
  await expect(migrate(url)).rejects.toThrow('Migration 0001_initial.sql failed; nothing of it was kept')
  expect(
    await query("select 1 from pg_tables where schemaname = 'public' and tablename = 'tenants'"),
  ).toEqual([])
})

test('a replica that waits for its turn survives the loss of its connection', async () => {
  const other = new pg.Client(url)
  await other.connect()
  await other.query('select pg_advisory_lock(7070001)')
  const waiting = expect(migrate(url)).rejects.toThrow()
  const find = `select pid from pg_stat_activity
    where datname = '${name()}' and application_name = 'tallystick migrate' and query like '%advisory%'`
  let pid: number | undefined
  while (pid === undefined) pid = (await query<{ pid: number }>(find))[0]?.pid
  await query(`select pg_terminate_backend(${pid})`)
  await waiting
  await other.end()
})
