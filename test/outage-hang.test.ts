import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './harness/database.js'
import { type DatabaseProxy, startDatabaseProxy } from './harness/database-proxy.js'
import { verifyRecord } from './harness/record.js'
import { startTestService, type TestService } from './harness/service.js'
import { waitFor } from './harness/wait.js'

let database: TestDatabase
let proxy: DatabaseProxy
let service: TestService

beforeEach(async () => {
  database = await createTestDatabase()
  proxy = await startDatabaseProxy(database.url)
  service = await startTestService({ database, env: { DATABASE_URL: proxy.url } })
})
afterEach(async () => {
  await proxy.close()
  await database.drop()
  await rm(service.dataDir, { recursive: true, force: true })
})

const call = () =>
  service.api.post('/v1/chat/completions', {
    model: 'mock/echo',
    messages: [{ role: 'user', content: 'Still there?' }],
  })

test('a database that hangs makes no call hang: the receipt goes to the disk, and it recovers by itself', async () => {
  expect((await call()).status).toBe(200)
  proxy.hang()
  const startedMs = performance.now()
  const [answer, readiness] = await Promise.all([call(), service.api.get('/readyz')])
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-tallystick-receipt')).toBeNull()
  expect(readiness.status).toBe(503)
  expect(performance.now() - startedMs).toBeLessThan(30_000)
  const refused = await call()
  expect(refused.status).toBe(503)
  expect(refused.body.error.type).toBe('unavailable')

  await proxy.restore()
  await waitFor('the service to recover', async () => (await call()).status === 200, 20_000)
  const { fault, entries } = await verifyRecord(database)
  expect(fault).toBeNull()
  expect(entries.filter(({ id }) => id === answer.headers.get('x-tallystick-request-id'))).toHaveLength(1)
  await service.stop()
}, 120_000)

test('stopping while the database hangs does not hang', async () => {
  expect((await call()).status).toBe(200)
  proxy.hang()
  const startedMs = performance.now()
  await service.stop()
  expect(performance.now() - startedMs).toBeLessThan(30_000)
}, 120_000)
