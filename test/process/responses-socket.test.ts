import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { openResponseSocket, type ResponseSocket } from '../harness/providers/response-socket.js'
import { startEvents, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { responseEvents } from '../harness/providers/vendor-answers.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const call = { model: 'gpt-4o-mini', input: 'Hi', max_output_tokens: 1_000 }
const events = responseEvents('Hello', ' there.')

let upstream: Upstream
/** The rest of each answer that has begun. */
let held: (() => void)[]
let database: TestDatabase
let dataDir: string
let service: ServiceProcess

/** Says the beginning of an answer. */
function begin(response: ServerResponse): void {
  const send = startEvents(response)
  for (const event of events.slice(0, 5)) send(event, event.type)
  held.push(() => {
    for (const event of events.slice(5)) send(event, event.type)
    response.end()
  })
}

beforeAll(async () => {
  upstream = await startUpstream((_, response) => begin(response))
})
beforeEach(async () => {
  held = []
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-socket-'))
  return async () => {
    await service.end('SIGKILL')
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
afterAll(() => upstream.close())

async function start(shutdownGraceMs: number): Promise<void> {
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    TALLYSTICK_SHUTDOWN_GRACE_MS: String(shutdownGraceMs),
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  })
}

async function openCalling(): Promise<ResponseSocket> {
  const socket = await openResponseSocket(service.address, key)
  socket.create(call)
  while ((await socket.next()).type !== 'response.output_text.delta');
  return socket
}

test('a call in the middle of which the process dies is recorded by the next start, at the price that was reserved', async () => {
  await start(1_000)
  const sockets = await Promise.all([openCalling(), openCalling(), openCalling()])
  await service.end('SIGKILL')
  for (const { closed } of sockets) expect(await closed).toMatchObject({ code: 1006 })

  await start(1_000)
  const { fault, receipts } = await verifyRecord(database)
  expect(fault).toBeNull()
  expect(receipts).toHaveLength(3)
  for (const receipt of receipts)
    expect(receipt).toMatchObject({ outcome: 'interrupted', status: 500, outputTokens: 1_000 })
})

test('a service that is told to stop closes the sockets that nobody uses, and finishes the calls of the others', async () => {
  await start(60_000)
  const calling = await openCalling()
  const idle = await openResponseSocket(service.address, key)
  const ended = service.end('SIGTERM')
  expect(await idle.closed).toEqual({ code: 1001, reason: 'The service is shutting down' })
  for (const finish of held) finish()
  expect((await calling.answer()).at(-1)?.type).toBe('response.completed')
  expect(await calling.closed).toMatchObject({ code: 1001 })
  expect(await ended).toBe(0)
  const { receipts } = await verifyRecord(database)
  expect(receipts).toMatchObject([{ outcome: 'ok', outputTokens: 200 }])
})

test('a call that does not end within the grace is ended and told so, and its receipt is written', async () => {
  await start(200)
  const calling = await openCalling()
  const unread = await openCalling()
  unread.raw.pause()
  const ended = service.end('SIGTERM')
  expect((await calling.answer()).at(-1)).toMatchObject({ type: 'error', status: 503 })
  expect(await calling.closed).toMatchObject({ code: 1001 })
  expect(await ended).toBe(0)
  const { receipts } = await verifyRecord(database)
  expect(receipts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
  unread.raw.terminate()
  await waitFor('both calls to be let go', () => upstream.aborted >= 2)
})
