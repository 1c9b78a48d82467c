import { expect, test } from 'vitest'
import { describeLocks } from './describe-locks.js'
import { parseMigration, readMigrations, splitStatements } from './migrations.js'

test('a migration must say whether the previous release works beside it', () => {
  for (const sql of [
    '-- a comment\ncreate table x (id text);\n',
    'create table x (id text);',
    '-- expand:\n',
    '',
  ])
    expect(() => parseMigration('0099_x.sql', sql)).toThrow(
      'Migration 0099_x.sql does not say whether the previous release works beside it',
    )
})

test('every migration of this program says so, and has a number of its own', () => {
  const numbers = readMigrations().map(({ number }) => number)
  expect(numbers[0]).toBe(1)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('a migration outside of a transaction can be repeated: it only builds or drops indexes', () => {
  const repeatable =
    /^(create (unique )?index concurrently if not exists \w+ on |drop index concurrently if exists \w+$)/i
  for (const { name, isConcurrent, sql } of readMigrations())
    for (const statement of isConcurrent ? splitStatements(sql) : [])
      expect.soft(statement, name).toMatch(repeatable)
})

test('a program needs every expansion but the build of an index that is not unique, and no contraction', () => {
  const isNeeded = (sql: string) => parseMigration('0099_x.sql', sql).isNeeded
  expect(isNeeded('-- expand: adds a table\ncreate table x (id text);')).toBe(true)
  expect(isNeeded('-- expand, concurrently: i\ncreate index concurrently if not exists i on x (id);')).toBe(
    false,
  )
  expect(
    isNeeded('-- expand, concurrently: i\ncreate unique index concurrently if not exists i on x (id);'),
  ).toBe(true)
  expect(isNeeded('-- contract: drops x\ndrop table x;')).toBe(false)
})

test('a plan lists which existing tables are locked, and who waits', () => {
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
