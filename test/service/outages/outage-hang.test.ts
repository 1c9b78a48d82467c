import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyRecord } from '../../harness/record/record.js'
import { waitFor } from '../../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.js'
import { type DatabaseProxy, startDatabaseProxy } from '../../harness/service/database-proxy.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

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

test('a database that hangs makes no call hang: what is under way ends on the disk, what is new is refused, and it recovers by itself', async () => {
  expect((await call()).status).toBe(200)
  // It is forwarded by the time that its answer begins, and takes some seconds.
  const answer = await fetch(`${service.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.managerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'mock/slow',
      stream: true,
      messages: [{ role: 'user', content: 'word '.repeat(30) }],
    }),
  })
  proxy.hang()
  const [text, late, readiness] = await Promise.all([answer.text(), call(), service.api.get('/readyz')])
  expect(text).toContain('data: [DONE]')
  expect(late.status).toBe(503)
  expect(readiness.status).toBe(503)
  const refused = await call()
  expect(refused.status).toBe(503)
  expect(refused.body.error.type).toBe('unavailable')

  await proxy.restore()
  await waitFor('the service to recover', async () => (await call()).status === 200)
  const { fault, entries } = await verifyRecord(database)
  expect(fault).toBeNull()
  const outcomesOf = ({ headers }: { headers: Headers }) =>
    entries.filter(({ id }) => id === headers.get('x-tallystick-request-id')).map(({ outcome }) => outcome)
  expect(outcomesOf(answer)).toEqual(['ok'])
  // None where the silence was noticed before the call came: then nobody could say whose it is.
  expect(outcomesOf(late)).toBeOneOf([['failed'], []])
  await waitFor(
    'no call to be open',
    async () => (await database.query('select from open_calls')).length === 0,
  )
  await service.stop()
})

test('stopping while the database hangs does not hang', async () => {
  expect((await call()).status).toBe(200)
  proxy.hang()
  await service.stop()
})
