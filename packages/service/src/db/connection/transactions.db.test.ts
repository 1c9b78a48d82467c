import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { type Database, openDatabase } from './database.js'
import { inBoundedSnapshot, inBoundedTransaction, runTransaction } from './transactions.js'

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

const end = (pid: number) => database.query('select pg_terminate_backend($1)', [pid])

/** Adds a row, and what happens in the middle of each attempt. */
async function addInTurns(place: number, inTheMiddle: (attempt: number, pid: number) => Promise<unknown>) {
  let attempts = 0
  const running = inBoundedTransaction(opened.db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await runTransaction(tx, [insert(place)])
    await inTheMiddle(++attempts, rows[0]?.pid ?? 0)
    await sql`select 1`.execute(tx)
  })
  const failure = await running.then(
    () => null,
    (error: Error) => error.message,
  )
  return { attempts, failure, isThere: (await places()).includes(place) }
}

test('a transaction that the server has ended while this process was paused is run once more', async () => {
  // The server waits for two seconds.
  const find = (pid: number) => database.query('select from pg_stat_activity where pid = $1', [pid])
  const pauseOnce = async (attempt: number, pid: number) => {
    if (attempt === 1) await waitFor('the server to end it', async () => (await find(pid)).length === 0)
  }
  expect(await addInTurns(6, pauseOnce)).toEqual({ attempts: 2, failure: null, isThere: true })
})

test('a transaction that is ended each time fails, and one that fails by itself is not repeated', async () => {
  expect(await addInTurns(7, (_, pid) => end(pid))).toEqual({
    attempts: 2,
    failure: expect.any(String),
    isThere: false,
  })
  const refuse = () => Promise.reject(new Error('Refused'))
  expect(await addInTurns(8, refuse)).toEqual({ attempts: 1, failure: 'Refused', isThere: false })
})

test('a snapshot that the server has ended in the middle is read once more', async () => {
  let attempts = 0
  const read = await inBoundedSnapshot(opened.db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    if (++attempts === 1) await end(rows[0]?.pid ?? 0)
    return (await sql<{ one: number }>`select 1 as one`.execute(tx)).rows
  })
  expect({ attempts, read }).toEqual({ attempts: 2, read: [{ one: 1 }] })
})

test('a transaction that is lost while it is committed is not repeated: it may have succeeded', async () => {
  await database.query(`create table slow_things (place integer)`)
  await database.query(
    `create function die() returns trigger language plpgsql as
     $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60); return null; end $$`,
  )
  await database.query(
    `create constraint trigger dies after insert on slow_things deferrable initially deferred
     for each row execute function die()`,
  )
  let attempts = 0
  const running = inBoundedTransaction(opened.db, async (tx) => {
    attempts++
    await sql`insert into slow_things values (1)`.execute(tx)
  })
  await expect(running).rejects.toThrow()
  expect(attempts).toBe(1)
})
