import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each([
  [
    "its user's, whatever characters the id has",
    { key: 'key_1', kind: 'model', user: 'ann "the \\ first" é🍕', v: 2 },
    String.raw`user:ann \"the \\ first\" é🍕`,
  ],
  [
    "its key's where it has no user, whatever other values contain",
    { key: 'key_1', kind: 'model', model: '"user":"bob","kind":"control"', v: 2 },
    'key:key_1',
  ],
  [
    "nobody's where it is a control entry",
    { event: 'pack.activate', key: 'key_1', kind: 'control', user: 'ann', v: 2 },
    null,
  ],
  [
    'found in texts that jsonb refuses',
    { key: 'key_2', kind: 'tool', upstreamId: '\u0000\ud800', v: 2 },
    'key:key_2',
  ],
])('a receipt is %s', async (_, entry, owner) => {
  expect(await database.query('select receipt_owner($1) as owner', [JSON.stringify(entry)])).toEqual([
    { owner },
  ])
})
