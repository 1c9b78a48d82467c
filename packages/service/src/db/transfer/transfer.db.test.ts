import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { createNewerMigrations } from '../../../../../test/harness/processes/migrations-folder.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { describeSchema, sumTables } from '../../../../../test/harness/service/table-sums.js'
import { migrate } from '../schema/index.js'
import { checkTarget, dumpDatabase, loadDatabase, type Part, withTransferSession } from './index.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(database.drop)
  return database
}

async function openEmpty(): Promise<TestDatabase> {
  const database = await open()
  await database.query('drop schema public cascade')
  await database.query('create schema public')
  return database
}

const dump = (url: string) =>
  withTransferSession(url, async (client) => {
    const parts: Part[] = []
    for await (const part of dumpDatabase(client, { more: async () => [] })) parts.push(part)
    return parts
  })

interface Loading {
  isReplaced?: boolean
  folder?: string
  check?: () => Promise<void>
  warn?: (message: string) => void
}

async function load(url: string, parts: readonly Part[], options: Loading = {}): Promise<number> {
  const { isReplaced = false, check = async () => undefined, warn = () => undefined, ...rest } = options
  return await withTransferSession(url, async (client) => {
    await checkTarget(client, { isReplaced })
    const all = (async function* () {
      yield* parts
    })()
    return await loadDatabase(client, all, { isReplaced, onPart: () => undefined, check, warn, ...rest })
  })
}

/** A migration with every type, constraint and kind of table that a later one might use. */
const oddTables = `-- expand: odd tables
create table "Odd ""names" (
  id          bigint generated always as identity primary key,
  "Other"     bigint references "Odd ""names" deferrable,
  pair        bigint,
  bytes       bytea, document jsonb, text_document json, words text[], grid integer[][], number numeric, ratio double precision,
  span        interval, day date, at timestamptz, local timestamp, flag boolean, fixed char(4), key uuid, address inet,
  range       int8range, search tsvector,
  doubled     numeric generated always as (number * 2) stored
);
create table odd_pairs (id serial primary key, odd bigint not null references "Odd ""names");
alter table "Odd ""names" add constraint pairs foreign key (pair) references odd_pairs;
create table odd_parts (name text not null, at timestamptz not null, primary key (name, at)) partition by range (at);
create table odd_lists (kind text, value text) partition by list (kind);
create table odd_lists_rest partition of odd_lists default;
create function change_odd() returns trigger language plpgsql as $$ begin new.words := array['changed']; return new; end $$;
create trigger change_odd before insert on "Odd ""names" for each row when (new.flag) execute function change_odd();
`

/** Adds rows in the order in which the tables need one another, of random values with those that are hard to write as text. */
async function fillOddTables({ query }: TestDatabase): Promise<void> {
  await query(`insert into "Odd ""names" ("Other", bytes, document, text_document, words, grid, number, ratio, span, day, at, local,
      fixed, key, address, range, search)
    select nullif(i - 1, 0), decode(md5(random()::text) || '00ff5c0a', 'hex'),
      jsonb_build_object(E'a\\tb\\n\\\\.', i, 'list', jsonb_build_array(null, 1.50, E'\\u00e4 "')), '{"b": 1,  "b": 2}',
      array[E'\\\\N', null, '', '{}', E'tab\\t"quoted", \\\\', chr(1 + (random() * 50000)::int)], array[[1, 2], [i, null]],
      (random() * 1e20)::numeric / 3, random() / 3, make_interval(secs => random() * 1e7), current_date - i,
      now() - make_interval(secs => random() * 1e9), now()::timestamp, 'x', gen_random_uuid(), '10.0.0.1/8',
      int8range(i, i + 9), to_tsvector('simple', 'it''s ' || i)
    from generate_series(1, 500) i`)
  await query(`insert into odd_pairs (odd) select id from "Odd ""names"`)
  await query(
    `update "Odd ""names" set pair = id, ratio = case when id % 3 = 0 then 'NaN' else ratio end, flag = true`,
  )
  await query(`update "Odd ""names" set bytes = decode(repeat('5c', 3000000), 'hex') where id = 7`)
  await query(
    `create table odd_parts_old partition of odd_parts for values from ('2020-01-01') to ('2021-01-01')`,
  )
  await query(`create index odd_parts_old_by_at on odd_parts_old using brin (at)`)
  await query(
    `insert into odd_parts select 'n' || i, timestamptz '2020-02-01' + i * interval '1 hour' from generate_series(1, 100) i`,
  )
  await query(`insert into odd_lists values ('a', E'\\\\.'), (null, null)`)
  await query(`select make_calls_partitions(now() - interval '90 days', now() - interval '60 days')`)
  await query(`create index old_calls on calls_default (ts)`)
}

test('every table, also one that a later migration adds, is the same after it was copied, and so are its definitions', async () => {
  const { folder, remove } = await createNewerMigrations({ '0900_odd.sql': oddTables })
  closing.push(remove)
  const source = await open()
  await migrate(source.url, { folder })
  await fillOddTables(source)
  const parts = await dump(source.url)
  const target = await openEmpty()

  const rows = await load(target.url, parts, { folder })
  expect(rows).toBeGreaterThan(1_000)
  expect(await sumTables(target)).toEqual(await sumTables(source))
  expect(await describeSchema(target)).toEqual(await describeSchema(source))
  // The next number of each sequence is free.
  await target.query('insert into odd_pairs (odd) values (1)')
  // The second time, over what is there.
  await load(target.url, parts, { folder, isReplaced: true })
  expect(await sumTables(target)).toEqual(await sumTables(source))
  expect(await describeSchema(target)).toEqual(await describeSchema(source))
})

test('a copy shows one moment, while others write and drop partitions', async () => {
  const source = await open()
  await source.query('create table noted (n bigint primary key)')
  await source.query('create table noted_again (n bigint primary key)')
  let n = 0
  let isDone = false
  const writer = new pg.Client(source.url)
  await writer.connect()
  closing.push(() => writer.end())
  const writing = (async () => {
    for (; !isDone; n++)
      await writer.query(`with a as (insert into noted values (${n})) insert into noted_again values (${n})`)
  })()
  const parts = await dump(source.url)
  isDone = true
  await writing
  const textOf = (table: string) =>
    Buffer.concat(
      parts.filter(({ name }) => name.startsWith(`tables/${table}/`)).map(({ bytes }) => bytes),
    ).toString()
  expect(textOf('noted')).toBe(textOf('noted_again'))
  expect(n).toBeGreaterThan(1)
})

test('an older copy gets the migrations that it lacks; one of a newer version is refused', async () => {
  const source = await open()
  const parts = await dump(source.url)
  const { folder, remove } = await createNewerMigrations({
    '0900_more.sql': '-- expand: more\ncreate table more (id integer);\ninsert into more values (1);\n',
    '0901_index.sql':
      '-- expand, concurrently: faster\ncreate index concurrently if not exists more_by_id on more (id);\n',
  })
  closing.push(remove)
  const target = await openEmpty()
  await load(target.url, parts, { folder })
  expect(await target.query('select * from more')).toEqual([{ id: 1 }])
  const newer = await dump(target.url)
  const other = await openEmpty()
  await expect(load(other.url, newer)).rejects.toThrow(
    /0900_more\.sql, which this version does not know: use version/,
  )
})

test('a load that fails leaves the database as it was', async () => {
  const source = await open()
  const parts = await dump(source.url)
  const target = await openEmpty()
  const fail = () => Promise.reject(new Error('not what it should be'))
  await expect(load(target.url, parts, { check: fail })).rejects.toThrow('not what it should be')
  const [, ...rest] = parts.toReversed()
  const cut = [
    ...rest.toReversed().filter(({ name }) => !name.startsWith('tables/instance')),
    ...parts.slice(-1),
  ]
  await expect(load(target.url, cut)).rejects.toThrow('The table instance got 0 rows, and the copy has 1')
  expect(await sumTables(target)).toEqual({})

  await source.query('create table mine (id integer)')
  const before = await sumTables(source)
  await expect(load(source.url, parts)).rejects.toThrow(/The database is not empty: it has \d+ tables/)
  await expect(load(source.url, cut, { isReplaced: true })).rejects.toThrow('instance')
  expect(await sumTables(source)).toEqual(before)
})

test('a database that cannot hold a copy is refused with what to do', async () => {
  const name = `latin_${Date.now()}`
  const admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  closing.push(() => admin.end())
  await admin.query(
    `create database ${name} template template0 encoding 'LATIN1' locale 'C' locale_provider 'libc'`,
  )
  closing.push(() => admin.query(`drop database ${name}`))
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const check = (address: string) =>
    withTransferSession(address, (client) => checkTarget(client, { isReplaced: false }))
  await expect(check(url.href)).rejects.toThrow(
    'The database has the encoding LATIN1; create one with the encoding UTF8',
  )
  const role = `reader_${Date.now()}`
  const empty = await openEmpty()
  await admin.query(`create role ${role} login password 'x'`)
  closing.push(() => admin.query(`drop role ${role}`))
  const limited = new URL(empty.url)
  limited.username = role
  limited.password = 'x'
  await empty.query(`grant usage on schema public to ${role}`)
  await expect(check(limited.href)).rejects.toThrow('The role may not create tables in this database')
  await empty.query(`revoke usage on schema public from ${role}`)
})
