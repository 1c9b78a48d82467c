import { expect, test } from 'vitest'
import { describeLocks } from './describe-locks.js'
import { lastUnmarked, parseMigration, readMigrations, splitStatements } from './migrations.js'

test('each migration after the last release without marks says whether older programs work beside it', () => {
  for (const { name, number, kind, words } of readMigrations())
    if (number > lastUnmarked)
      expect
        .soft({ name, kind, words }, 'the first line must be "-- expand: words" or "-- contract: words"')
        .toEqual({
          name,
          kind: expect.stringMatching(/^(expand|contract)$/),
          words: expect.stringMatching(/.+/),
        })
})

test('each has a number of its own', () => {
  const numbers = readMigrations().map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('what runs outside of a transaction can be repeated: it only builds or drops indexes', () => {
  const repeatable =
    /^(create (unique )?index concurrently if not exists \w+ on |drop index concurrently if exists \w+$)/i
  for (const { name, isConcurrent, sql } of readMigrations())
    for (const statement of isConcurrent ? splitStatements(sql) : [])
      expect.soft(statement, name).toMatch(repeatable)
})

test('an index in the background is not needed to serve, unless it is unique; what is taken away never is', () => {
  const isNeeded = (sql: string) => parseMigration('0099_x.sql', sql).isNeeded
  expect(isNeeded('-- expand: adds a table\ncreate table x (id text);')).toBe(true)
  expect(isNeeded('-- expand, concurrently: i\ncreate index concurrently if not exists i on x (id);')).toBe(
    false,
  )
  expect(
    isNeeded('-- expand, concurrently: i\ncreate unique index concurrently if not exists i on x (id);'),
  ).toBe(true)
  expect(isNeeded('-- contract: drops x\ndrop table x;')).toBe(false)
  expect(isNeeded('-- a comment\ncreate table x (id text);')).toBe(true)
})

test('a plan says what of the tables that exist waits, and for how long', () => {
  expect(describeLocks('create table x (id text);\ncreate index on x (id);')).toEqual([
    'nothing that exists is locked',
  ])
  expect(
    describeLocks(`alter table calls add column y text; -- alter table not_this
      create index calls_by_y on calls (y);
      create index concurrently if not exists k on keys (id);
      create function f() returns trigger language plpgsql as $$ begin update hidden set a = 1; return null; end $$;
      create trigger t after update on members for each row execute function f();
      update tenants set name = name;`),
  ).toEqual([
    'calls: readers and writers wait for a moment',
    'calls: writers wait while an index is built',
    'keys: nobody waits while an index is built',
    'members: writers wait for a moment',
    'tenants: rows are changed; writers of the same rows wait until its end',
  ])
})
