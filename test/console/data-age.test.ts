import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { waitFor } from '../harness/run/wait.js'
import { createReplicatedDatabase, type ReplicatedDatabase } from '../harness/service/read-replica.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)

let database: ReplicatedDatabase
let tally: TestConsole

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  database = await createReplicatedDatabase()
  tally = await startConsole({
    DATABASE_URL: database.url,
    TALLYSTICK_DATABASE_READ_URL: database.replica.url,
    TALLYSTICK_DATABASE_READ_MAX_LAG_MS: '3600000',
  })
})
afterAll(async () => {
  await tally?.stop()
  await database?.drop()
})

test('data of a replica that is behind have their time in the header of the page, until it has caught up', async () => {
  await tally.api.post('/v1/keys', { name: 'Before' })
  await waitFor('the replica', async () => {
    const { headers } = await tally.api.get('/v1/audit-log')
    return headers.has('x-tallystick-data-as-of')
  })
  await database.replica.query('select pg_wal_replay_pause()')
  // What the replica does not have, so that its data get older.
  await tally.api.post('/v1/keys', { name: 'After' })
  const visitor = await visit({ address: tally.address, key: tally.managerKey })
  const { page } = visitor
  await page.goto(`${tally.address}/audit`)
  const age = page.getByText(/^Data as of \d\d:\d\d:\d\d$/)
  await age.waitFor()
  expect(await page.getByText('After', { exact: true }).count()).toBe(0)
  await database.replica.query('select pg_wal_replay_resume()')
  await age.waitFor({ state: 'detached' })
  await page.getByText('After', { exact: true }).first().waitFor()
  expect(visitor.complaints()).toEqual([])
  await visitor.close()
})
