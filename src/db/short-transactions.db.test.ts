import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.js'
import { type Database, openDatabase } from './database.js'
import { runTransaction } from './short-transactions.js'

let database: TestDatabase
let opened: Database
beforeAll(async () => {
  database = await createTestDatabase()
  await database.query('create table things (place integer primary key)')
  opened = openDatabase(database.url, () => undefined, { max: 1 })
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const insert = (place: number) => ({ text: 'insert into things values ($1)', values: [place] })
const places = async () =>
  (await database.query('select place from things order by place')).map((row) => row.place)

test('a transaction in one message is all or nothing, and the pool goes on after a fault', async () => {
  await runTransaction(opened.db, [insert(1), insert(2)])
  await expect(runTransaction(opened.db, [insert(3), insert(1)])).rejects.toThrow('things_pkey')
  await runTransaction(opened.db, [insert(4)])
  expect(await places()).toEqual([1, 2, 4])
})

test('within a transaction it is a part of that', async () => {
  const rolledBack = opened.db.transaction().execute(async (tx) => {
    await runTransaction(tx, [insert(5)])
    throw new Error('Rolled back')
  })
  await expect(rolledBack).rejects.toThrow('Rolled back')
  expect(await places()).not.toContain(5)
})
