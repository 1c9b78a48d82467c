import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { type BulkReader, connectBulkReader } from './bulk-reader.js'

let database: TestDatabase
let reader: BulkReader

beforeAll(async () => {
  database = await createTestDatabase()
  reader = await connectBulkReader(database.url)
})
afterAll(async () => {
  await reader.close()
  await database.drop()
})

async function read(text: string, ...values: unknown[]): Promise<string[][]> {
  const rows: string[][] = []
  await reader.read({ text, values }, (columns) => rows.push(columns.map((column) => column.toString('hex'))))
  return rows
}

test('rows come in order, column by column, as the database has them', async () => {
  expect(
    await read(`select n::bigint, 'ä' || n, sha256('a') from generate_series(1, 3) n order by n`),
  ).toEqual(
    [1, 2, 3].map((n) => [
      n.toString(16).padStart(16, '0'),
      Buffer.from(`ä${n}`).toString('hex'),
      hash('sha256', 'a', 'hex'),
    ]),
  )
})

test('no rows are no rows, and a null has no bytes', async () => {
  expect(await read('select 1 where false')).toEqual([])
  expect(await read('select null::text, true')).toEqual([['', '01']])
})

test('values are filled in as values, whatever they look like', async () => {
  const hostile = `'); drop table receipts; -- \\ $2 "`
  expect(await read('select $1::text, $2::int', hostile, -7)).toEqual([
    [Buffer.from(hostile).toString('hex'), 'fffffff9'],
  ])
  await expect(read('select $1', 1.5)).rejects.toThrow('neither')
})

test('a row that is longer than any packet comes whole', async () => {
  expect(await read(`select repeat('x', 3000000)`)).toEqual([[Buffer.alloc(3_000_000, 'x').toString('hex')]])
})

test('a statement that fails says so, and so does a reader of rows; the connection goes on', async () => {
  await expect(read('select nothing')).rejects.toThrow('does not exist')
  const failing = reader.read({ text: 'select generate_series(1, 10000)', values: [] }, () => {
    throw new Error('enough')
  })
  await expect(failing).rejects.toThrow('enough')
  expect(await read('select true')).toEqual([['01']])
})
