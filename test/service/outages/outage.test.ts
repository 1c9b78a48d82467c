import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SeenRequest, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { verifyRecord } from '../../harness/record/record.js'
import { waitFor } from '../../harness/run/wait.js'
import type { ApiAnswer } from '../../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.js'
import { type DatabaseProxy, startDatabaseProxy } from '../../harness/service/database-proxy.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { answerChat, chatCall } from '../../harness/service/traffic.js'

let database: TestDatabase
let proxy: DatabaseProxy
let upstream: Upstream
let service: TestService
let held: { request: SeenRequest; response: ServerResponse }[]

beforeEach(async () => {
  held = []
  upstream = await startUpstream((request, response) => void held.push({ request, response }))
  database = await createTestDatabase()
  proxy = await startDatabaseProxy(database.url)
  service = await startTestService({
    database,
    env: { DATABASE_URL: proxy.url, OPENAI_API_KEY: 'sk-upstream', OPENAI_BASE_URL: `${upstream.url}/v1` },
  })
})
afterEach(async () => {
  await service.stop()
  await proxy.close()
  await database.drop()
  await upstream.close()
  await rm(service.dataDir, { recursive: true, force: true })
})

const call = (stream: boolean) => service.api.post('/v1/chat/completions', chatCall(stream))

async function startCalls(streams: boolean[]) {
  const calls = streams.map(call)
  await waitFor('the calls to reach the provider', () => held.length === streams.length)
  return calls
}

function answerHeld(): void {
  for (const { request, response } of held) answerChat(request, response)
}

const notReady = () =>
  waitFor('the service to notice', async () => (await service.api.get('/readyz')).status === 503)
const ready = () =>
  waitFor('the service to recover', async () => (await service.api.get('/readyz')).status === 200)

test('while the database is away nothing is forwarded, calls under way lose nothing, and it recovers by itself', async () => {
  const calls = await startCalls([false, true, false, true])
  await proxy.cut()
  await notReady()
  expect((await service.api.get('/healthz')).status).toBe(200)
  for (const stream of [false, true]) {
    const refused = await call(stream)
    expect(refused.status).toBe(503)
    expect(refused.body.error.type).toBe('unavailable')
  }
  expect(upstream.seen).toHaveLength(4)

  answerHeld()
  const answers = await Promise.all(calls)
  for (const { status, headers, body } of answers) {
    expect(status).toBe(200)
    expect(headers.get('x-tallystick-receipt')).toBeNull()
    expect(typeof body === 'string' ? body : JSON.stringify(body)).toMatch(/"total_tokens":10|\[DONE\]/)
  }
  expect(upstream.seen).toHaveLength(4)

  await proxy.restore()
  await ready()
  upstream.answerWith(answerChat)
  // A call may still meet a connection that broke meanwhile: it is told to come again, and may leave a receipt of that.
  const toldToComeAgain: ApiAnswer[] = []
  const after = await waitFor('a call to be governed again', async () => {
    const answer = await call(false)
    if (answer.status !== 503) return answer
    toldToComeAgain.push(answer)
    return null
  })
  const { fault, sealed, receipts } = await verifyRecord(database)
  expect(fault).toBeNull()
  // The price that they were counted at stands before them.
  expect(sealed).toBe(receipts.length + 1)
  expect(after.headers.get('x-tallystick-receipt')).toBe(String(sealed))
  const idsOf = (all: ApiAnswer[]) => all.map(({ headers }) => headers.get('x-tallystick-request-id'))
  const [refused, made] = [true, false].map((isRefused) =>
    receipts.flatMap(({ id, outcome }) => ((outcome === 'blocked') === isRefused ? [id] : [])),
  )
  expect(made?.sort()).toEqual(idsOf([...answers, after]).sort())
  expect(idsOf(toldToComeAgain)).toEqual(expect.arrayContaining(refused ?? []))
  const [usage] = await database.query(
    'select sum(requests)::int as requests, sum(cost_nanos)::int as cost from usage_hours',
  )
  const cost = receipts.reduce((sum, { costNanos }) => sum + costNanos, 0)
  expect(usage).toEqual({ requests: receipts.length, cost })
})

test('with the spool unwritable too, no caller sees a complete answer; the receipts are recorded when the database is back', async () => {
  const calls = await startCalls([false, true])
  await proxy.cut()
  await notReady()
  await rm(join(service.dataDir, 'spool'), { recursive: true })
  answerHeld()
  const [plain, streamed] = await Promise.all(calls)
  expect(plain?.status).toBe(503)
  expect(plain?.body.error.type).toBe('unavailable')
  expect(streamed?.body).toContain('"type":"unavailable"')
  expect(streamed?.body).not.toContain('[DONE]')

  await proxy.restore()
  await ready()
  expect(await verifyRecord(database)).toMatchObject({
    fault: null,
    chained: 3,
    sealed: 3,
    receipts: [{ outcome: 'ok' }, { outcome: 'ok' }],
  })
})
