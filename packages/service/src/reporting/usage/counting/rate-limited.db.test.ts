import { afterEach, expect, test } from 'vitest'
import { waitFor } from '../../../../../../test/harness/run/wait.js'
import { createTestDatabase } from '../../../../../../test/harness/service/database.js'
import { startDatabaseProxy } from '../../../../../../test/harness/service/database-proxy.js'
import { openDatabase } from '../../../db/index.js'
import { createRateLimitedCounter } from './rate-limited.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

test('refusals during a database outage are stored when it is over', async () => {
  const database = await createTestDatabase()
  const proxy = await startDatabaseProxy(database.url)
  const opened = openDatabase(proxy.url, () => undefined)
  closing.push(database.drop, () => proxy.close(), opened.close)
  let failures = 0
  const counter = createRateLimitedCounter({ db: opened.db, onError: () => failures++ })
  const call = { tenantId: 't', keyId: 'k', userId: null, teamId: null, provider: 'p', model: 'm' }
  const stored = async (table: string) =>
    Number((await database.query(`select sum(rate_limited) as n from ${table}`))[0]?.n)

  await proxy.cut()
  for (let n = 0; n < 3; n++) counter.count(call)
  await waitFor('a flush to fail', () => failures > 0)
  // Refusals in between are added to the buffered ones.
  for (let n = 0; n < 2; n++) counter.count(call)
  await proxy.restore()
  await waitFor('the counts', async () => (await stored('usage_hours')) > 0)
  await counter.close()
  expect([await stored('usage_hours'), await stored('usage_minutes')]).toEqual([5, 5])
})
