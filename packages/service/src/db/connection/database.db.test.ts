import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { blockThread } from '../../../../../test/harness/run/block-thread.js'
import { createTestDatabase } from '../../../../../test/harness/service/database.js'
import { makeGate } from '../../../../../test/harness/service/gateway.js'
import { openDatabase } from './database.js'

test('who waits for a connection while the process is paused gets one after it', async () => {
  const database = await createTestDatabase()
  const { db, close } = openDatabase(database.url, () => undefined, { max: 1 })
  onTestFinished(async () => {
    await close()
    await database.drop()
  })
  const held = makeGate()
  const begun = makeGate()
  const holding = db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    begun.open()
    await held.passed
  })
  await begun.passed
  const waiting = sql<{ n: number }>`select 2 as n`.execute(db)
  // Whoever waits for five seconds is told that there is none; the timer comes before the one that is given back.
  await new Promise(setImmediate)
  blockThread(7_000)
  held.open()
  expect((await waiting).rows).toEqual([{ n: 2 }])
  await holding
})
