import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNewerMigrations } from '../../../../../test/harness/processes/migrations-folder.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { acquireServingLock } from '../locks/serving-lock.js'
import { migrate, prepareSchema, requireSchema } from './index.js'

// This program, and one that is newer by some migrations, on one database.

let database: TestDatabase
let said: string[]
const log = (message: string) => void said.push(message)
const folders: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  said = []
})
afterEach(async () => {
  await database.drop()
  for (const remove of folders.splice(0)) await remove()
})

async function newer(more: Record<string, string>): Promise<string> {
  const { folder, remove } = await createNewerMigrations(more)
  folders.push(remove)
  return folder
}

async function serveHere() {
  const lock = await acquireServingLock(database.url, 'shared', 'proc_here', () => undefined)
  if (lock === null) throw new Error('the serving lock is not free')
  return lock
}

const column = '-- expand: a note for each tenant\nalter table tenants add column note text;\n'
const index =
  '-- expand, concurrently: tenants by name\ncreate index concurrently if not exists tenants_by_note on tenants (note);\n'
const removal =
  '-- contract: the note of tenants, which nobody reads\nalter table tenants drop column note;\n'

test('a table that a long reader holds is asked for in short turns, and got when the reader ends', async () => {
  const folder = await newer({ '9001_column.sql': column })
  const reader = new pg.Client(database.url)
  await reader.connect()
  await reader.query('begin; select from tenants')
  const migrating = migrate(database.url, { folder, log, lockTimeoutMs: 50 })
  await waitFor('two refused tries', () => said.length >= 2)
  // Whoever came behind the migration got through between its turns.
  await database.query("insert into tenants (id, name) values ('t', 'T')")
  await reader.end()
  expect(await migrating).toEqual({ applied: ['9001_column.sql'], waiting: [] })
  expect(said[0]).toBe('9001_column.sql waits for a table that another transaction holds; it is tried again')
})

test('a migration gives up with words when its table is never free, and nothing of it is kept', async () => {
  const folder = await newer({ '9001_column.sql': column })
  const reader = new pg.Client(database.url)
  await reader.connect()
  await reader.query('begin; select from tenants')
  const failure = await migrate(database.url, { folder, lockTimeoutMs: 20, giveUpMs: 1 }).catch(
    (error: Error) => error,
  )
  expect(failure).toMatchObject({
    message: 'Migration 9001_column.sql failed; nothing of it was kept',
    cause: { message: expect.stringContaining('pg_stat_activity shows the oldest') },
  })
  await reader.end()
})

test('an index is built beside others that wait for their turn; what a failed build left is built again', async () => {
  const folder = await newer({ '9001_column.sql': column, '9002_index.sql': index })
  await database.query('alter table tenants add column note text')
  await database.query("insert into tenants (id, name, note) values ('a', 'A', 'x'), ('b', 'B', 'x')")
  await expect(
    database.query('create unique index concurrently tenants_by_note on tenants (note)'),
  ).rejects.toThrow('could not create unique index')
  await database.query(
    'alter table tenants rename column note to older; alter table tenants alter older drop not null',
  )
  const both = await Promise.all([1, 2, 3].map(() => migrate(database.url, { folder })))
  expect(both.flatMap(({ applied }) => applied)).toEqual(['9001_column.sql', '9002_index.sql'])
  expect(
    await database.query(
      "select indisvalid, indisunique from pg_index where indexrelid = 'tenants_by_note'::regclass",
    ),
  ).toEqual([{ indisvalid: true, indisunique: false }])
})

test('what is taken away waits until no older program serves; what is added does not', async () => {
  const folder = await newer({ '9001_column.sql': column, '9002_removal.sql': removal })
  const lock = await serveHere()
  const first = await migrate(database.url, { folder })
  expect(first.applied).toEqual(['9001_column.sql'])
  expect(first.waiting.map(({ name }) => name)).toEqual(['9002_removal.sql'])
  await lock.close()
  await waitFor(
    'the serving lock to be free',
    async () => (await migrate(database.url, { folder })).applied.length > 0,
  )
  // This program is now too old.
  await expect(requireSchema(database.url)).rejects.toThrow(
    'has migration 9002_removal.sql, which this version does not know: start a newer version',
  )
})

test('data survives a newer schema: a column is added, filled, and the one that it replaces is removed', async () => {
  const folder = await newer({
    '9001_display_name.sql': `-- expand: the display name of a tenant
alter table tenants add column display_name text;
update tenants set display_name = upper(name);
`,
    '9002_no_name.sql':
      '-- contract: the name of a tenant, which nobody reads\nalter table tenants drop column name;\n',
  })
  await database.query("insert into tenants (id, name) values ('a', 'Acme'), ('b', 'Bolt')")
  expect(await migrate(database.url, { folder })).toEqual({
    applied: ['9001_display_name.sql', '9002_no_name.sql'],
    waiting: [],
  })
  expect(await database.query('select id, display_name from tenants order by id')).toEqual([
    { id: 'a', display_name: 'ACME' },
    { id: 'b', display_name: 'BOLT' },
  ])
  expect(
    await database.query("select name, kind from schema_migrations where name like '900%' order by name"),
  ).toEqual([
    { name: '9001_display_name.sql', kind: 'expand' },
    { name: '9002_no_name.sql', kind: 'contract' },
  ])
})

test('two programs that each have a migration that the other lacks do not share a database', async () => {
  await migrate(database.url, { folder: await newer({ '9001_column.sql': column }) })
  const other = await newer({ '9000_other.sql': column })
  await expect(prepareSchema(database.url, { folder: other })).rejects.toThrow(
    'The database has migration 9001_column.sql of another version, and lacks 9000_other.sql of this one',
  )
})

test('a program serves on a schema that is newer by what was added, and says so', async () => {
  const folder = await newer({ '9001_column.sql': column })
  await migrate(database.url, { folder })
  await requireSchema(database.url)
  await prepareSchema(database.url, { log })
  expect(said).toEqual(['the database has 9001_column.sql of a newer version, which this one works beside'])
})

test('a start brings the schema up to date when it is alone, and says what to run when it is not', async () => {
  const folder = await newer({ '9001_column.sql': column })
  const lock = await serveHere()
  await expect(prepareSchema(database.url, { folder })).rejects.toThrow(
    'this version needs 9001_column.sql: run `tallystick migrate` with this version; processes that serve now go on',
  )
  await lock.close()
  await prepareSchema(database.url, { folder })
  await requireSchema(database.url, { folder })
})

test('a start beside others works without an index that is still to be built', async () => {
  const folder = await newer({ '9001_column.sql': column, '9002_index.sql': index })
  const withoutIndex = await newer({ '9001_column.sql': column })
  await migrate(database.url, { folder: withoutIndex })
  const lock = await serveHere()
  await prepareSchema(database.url, { folder, log })
  expect(said.join()).toContain('this one works all the same: run `tallystick migrate`')
  await lock.close()
})
