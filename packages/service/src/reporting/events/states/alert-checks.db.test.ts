import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench } from '../../../../../../test/harness/record/ledger.js'
import { type Database, locks, openDatabase } from '../../../db/index.js'
import type { Feed } from '../feeds.js'
import { createAlertChecks } from './alert-checks.js'

let bench: LedgerBench
let opened: Database

beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  opened = openDatabase(bench.database.url, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await bench.close()
})

/** Checks that can be counted: each that reads the database asks for the time once. */
function countChecks(maxPauseMs = 0) {
  let checks = 0
  const now = () => {
    checks += 1
    return new Date()
  }
  const changes = { subscribe: () => undefined }
  return { ...createAlertChecks({ db: opened.db, changes, now, maxPauseMs }), checks: () => checks }
}

const feedOf = (tenantId: string, step: number) => ({ tenantId, position: { step, alert: 0 } }) as Feed

test('an open stream checks alerts after its record has grown, and not while nothing happens', async () => {
  const [first = '', second = ''] = bench.tenantIds
  const feeds = [feedOf(first, 1), feedOf(second, 1)]
  const { run, checks } = countChecks()
  await run(feeds)
  expect(checks()).toBe(1)
  for (let time = 0; time < 50; time++) await run(feeds)
  expect(checks()).toBe(1)
  if (feeds[1]) feeds[1].position = { step: 2, alert: 0 }
  await run(feeds)
  expect(checks()).toBe(2)
})

test('however fast a record grows, a check is followed by a pause', async () => {
  const feed = feedOf(bench.tenantIds[0] ?? '', 1)
  const { run, checks } = countChecks(600_000)
  for (let step = 1; step <= 3; step++) {
    feed.position = { step, alert: 0 }
    await run([feed])
  }
  expect(checks()).toBe(1)
})

test('a check that another replica prevented is made up for', async () => {
  const [first = ''] = bench.tenantIds
  const feeds = [feedOf(first, 1)]
  const { run, checks } = countChecks()
  await opened.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${locks.alerts})`.execute(tx)
    await run(feeds)
  })
  expect(checks()).toBe(1)
  await run(feeds)
  expect(checks()).toBe(2)
  await run(feeds)
  expect(checks()).toBe(2)
})
