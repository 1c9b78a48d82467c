import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/service/database.js'
import { openDatabase } from '../db/index.js'
import { type App, createCursors, createServer, type Principal } from '../http/index.js'
import { createOutbound, type Outbound } from '../outbound/index.js'
import { prepareAndAnswerOnce } from '../resources/idempotency/index.js'
import { createSliceQueue } from '../shared/slice-queue.js'
import { registerPolicyRoutes } from './routes.js'

const manager: Principal = {
  ...{ tenantId: 't', keyId: null, userId: null, sessionId: null },
  ...{ role: 'manager', suspended: false },
}
const publicAddress = '93.184.216.34'

let database: TestDatabase
let close: () => Promise<void>
let app: App
let outbound: Outbound
/** What every name resolves to. */
let addresses: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  await database.query(`insert into tenants (id, name) values ('t', 't')`)
  const opened = openDatabase(database.url, () => undefined)
  close = opened.close
  const urlRules = { strict: true, allowedRanges: [] }
  outbound = createOutbound({ ...urlRules, resolve: async () => addresses })
  app = await createServer({ log: pino({ level: 'silent' }), yieldToEventLoop: createSliceQueue() })
  app.addHook('onRequest', async (request) => {
    request.principal = manager
  })
  const api = { app, db: opened.db, cursors: createCursors(Buffer.alloc(32)), prepareAndAnswerOnce }
  registerPolicyRoutes(api, {
    ...{ urlRules, outbound, onChange: () => undefined },
    serviceSecrets: {
      create: async () => ({ secret: 'whsec_x', sealed: Buffer.from('x') }),
      secretOf: async () => 'whsec_x',
      statusOf: async () => 'ok',
    },
    evaluate: () => Promise.reject(new Error('not used')),
  })
})
afterAll(async () => {
  await app.close()
  await outbound.close()
  await close()
  await database.drop()
})
beforeEach(() => {
  addresses = [publicAddress]
})

const url = 'https://guard.example.com/check'
const send = (method: 'POST' | 'PATCH', path: string, payload: object) =>
  app.inject({ method, url: path, payload })
const refusal = {
  statusCode: 400,
  error: { type: 'invalid_webhook_url', message: expect.stringContaining('config.url: must not lead to') },
}
const read = (answer: Awaited<ReturnType<typeof send>>) => ({
  statusCode: answer.statusCode,
  error: answer.json().error,
})

test.each([
  ['this machine', ['127.0.0.1']],
  ['a private network', ['10.1.2.3']],
  ['a metadata service', ['169.254.169.254']],
  ['this machine, by IPv6', ['::1']],
  ['a public address and a private one', [publicAddress, '192.168.0.1']],
])('a policy is not saved when the name of its service leads to %s', async (name, resolved) => {
  const policy = { name, kind: 'http', config: { url, onError: 'allow' } }
  addresses = resolved
  expect(read(await send('POST', '/v1/policies', policy))).toMatchObject(refusal)

  addresses = [publicAddress]
  const saved = await send('POST', '/v1/policies', policy)
  expect(saved.statusCode).toBe(201)
  addresses = resolved
  const { id } = saved.json()
  expect(read(await send('PATCH', `/v1/policies/${id}`, { config: { url } }))).toMatchObject(refusal)
  // What does not set the URL is not about it.
  expect((await send('PATCH', `/v1/policies/${id}`, { enabled: false })).statusCode).toBe(200)
})

test('a name that does not resolve yet may be saved', async () => {
  addresses = []
  const policy = { name: 'Soon', kind: 'http', config: { url } }
  expect((await send('POST', '/v1/policies', policy)).statusCode).toBe(201)
})

test('a config that is not one of an http policy is refused in the words of its schema', async () => {
  for (const config of [{}, { url: 7 }, { url, more: true }])
    expect(read(await send('POST', '/v1/policies', { name: 'Wrong', kind: 'http', config }))).toMatchObject({
      statusCode: 400,
      error: { type: 'invalid_request' },
    })
})
