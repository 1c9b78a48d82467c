import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../../test/harness/service/database.js'
import { type Db, openDatabase } from '../../../db/index.js'
import { acquireTurn } from '../alerts/periodic-checks.js'
import { pruneDeliveries, pruneOccurrences } from './prune.js'

let database: TestDatabase
let db: Db
let close: () => Promise<void>

beforeAll(async () => {
  database = await createTestDatabase()
  const opened = openDatabase(database.url, () => undefined)
  db = opened.db
  close = opened.close
  await database.query(`insert into tenants (id, name) values ('t', 't')`)
  for (const [id, enabled] of [
    ['on', true],
    ['off', false],
  ])
    await database.query(
      `insert into webhook_endpoints (id, tenant_id, name, url, type, events, enabled)
       values ($1, 't', 'x', 'http://x', 'generic', '{webhook.test}', $2)`,
      [id, enabled],
    )
})
afterAll(async () => {
  await close()
  await database.drop()
})

async function addDelivery(
  endpoint: string,
  id: string,
  status: string,
  days: number,
  attemptedDays: number | null,
) {
  await database.query(
    `insert into webhook_deliveries (endpoint_id, id, tenant_id, event, data, status, created_at, attempted_at)
     values ($1, $2, 't', 'webhook.test', '{}', $3, now() - $4 * interval '1 day', now() - $5 * interval '1 day')`,
    [endpoint, id, status, days, attemptedDays],
  )
}

test('deliveries finished long ago are deleted; open ones, recent ones and the last of each endpoint stay', async () => {
  await addDelivery('on', 'delivered long ago', 'delivered', 40, 40)
  await addDelivery('on', 'dead long ago', 'dead', 40, 39)
  await addDelivery('on', 'made long ago, finished lately', 'delivered', 40, 29)
  await addDelivery('on', 'still tried', 'retrying', 40, 35)
  await addDelivery('on', 'never tried', 'pending', 40, null)
  await addDelivery('on', 'yesterday', 'dead', 1, 1)
  await addDelivery('off', 'held back', 'pending', 40, null)
  await addDelivery('off', 'the last', 'delivered', 50, 50)
  await addDelivery('off', 'before the last', 'delivered', 60, 60)
  await pruneDeliveries(db, 30)
  const left = await database.query<{ id: string }>('select id from webhook_deliveries order by id')
  expect(left.map(({ id }) => id)).toEqual([
    'made long ago, finished lately',
    'never tried',
    'still tried',
    'the last',
    'yesterday',
  ])
})

test('an occurrence is kept for its period, and for as long as a receipt may be late', async () => {
  for (const [key, until] of [
    ['violation of last month', "now() - interval '40 days'"],
    ['violation of last week', "now() - interval '7 days'"],
    ['budget of this month', "now() + interval '7 days'"],
    ['budget without end', "'infinity'"],
  ])
    await database.query(
      `insert into webhook_occurrences (tenant_id, key, event, created_at, keep_until) values ('t', $1, 'x', now() - interval '99 days', ${until})`,
      [key],
    )
  await pruneOccurrences(db, 30)
  const left = await database.query<{ key: string }>('select key from webhook_occurrences order by key')
  expect(left.map(({ key }) => key)).toEqual([
    'budget of this month',
    'budget without end',
    'violation of last week',
  ])
})

test('of five replicas that ask at once one gets the turn, and the next one some time later', async () => {
  const acquireAll = async () =>
    (await Promise.all(Array.from({ length: 5 }, () => acquireTurn(db)))).filter(Boolean)
  expect(await acquireAll()).toHaveLength(1)
  // The turn does not end while the machine stands still.
  await database.query(`update webhook_watch set watched_at = watched_at + interval '10 minutes'`)
  expect(await acquireAll()).toHaveLength(0)
  await database.query(`update webhook_watch set watched_at = now() - interval '25 s'`)
  expect(await acquireAll()).toHaveLength(1)
})
