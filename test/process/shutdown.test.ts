import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { hasCode } from '../../packages/service/src/shared/error-code.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { type SeenRequest, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let upstream: Upstream
let held: { request: SeenRequest; response: ServerResponse }[]
let database: TestDatabase
let dataDir: string
let service: ServiceProcess

beforeAll(async () => {
  upstream = await startUpstream(() => undefined)
})
afterAll(() => upstream.close())

beforeEach(async () => {
  held = []
  upstream.answerWith((request, response) => void held.push({ request, response }))
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-shutdown-'))
})
afterEach(async () => {
  await service.end('SIGKILL')
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(shutdownGraceMs: number, drainMs = 0): Promise<void> {
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    TALLYSTICK_SHUTDOWN_GRACE_MS: String(shutdownGraceMs),
    TALLYSTICK_DRAIN_MS: String(drainMs),
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  })
}

const call = (body: object, signal?: AbortSignal) =>
  fetch(`${service.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

/** Calls that have reached the provider, which holds them. */
async function startCalls(streams: boolean[]): Promise<Promise<{ response: Response; text: string }>[]> {
  const calls = streams.map(async (stream) => {
    const response = await call(chatCall(stream))
    return { response, text: await response.text() }
  })
  await waitFor('the calls to reach the provider', () => held.length === streams.length)
  return calls
}

function answerHeld(): void {
  for (const { request, response } of held) answerChat(request, response)
}

/** A raw connection; that the service resets it is what these tests are about. */
const connectTo = (address: string) =>
  connect(Number(new URL(address).port), '127.0.0.1').on('error', () => undefined)

/** Waits until nobody listens any more. */
async function untilRefused(): Promise<void> {
  await waitFor('new connections to be refused', () => refusesConnections())
}

async function refusesConnections(): Promise<boolean> {
  const socket = connectTo(service.address)
  try {
    await once(socket, 'connect')
    return false
  } catch (error) {
    return hasCode(error, 'ECONNREFUSED')
  } finally {
    socket.destroy()
  }
}

test('SIGTERM lets the calls under way end, records them, refuses new ones, and exits with 0', async () => {
  await start(100_000)
  const silent = connectTo(service.address)
  const idle = connectTo(service.address)
  idle.write('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n')
  await once(idle, 'data')
  const gone = Promise.all([once(silent.resume(), 'close'), once(idle.resume(), 'close')])
  const calls = await startCalls([false, true, false, true])

  const exit = service.end('SIGTERM')
  await untilRefused()
  await gone
  answerHeld()
  const answeredMs = performance.now()
  for (const { response, text } of await Promise.all(calls)) {
    expect(response.status).toBe(200)
    expect(text).toMatch(/"total_tokens":10|data: \[DONE\]/)
  }
  expect(await exit).toBe(0)
  expect(performance.now() - answeredMs).toBeLessThan(90_000)
  const { fault, receipts } = await verifyRecord(database)
  expect(fault).toBeNull()
  expect(receipts.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test('a call that outlasts the grace period is ended, told, and recorded as failed; the exit code is still 0', async () => {
  await start(500)
  upstream.answerWith((request, response) => {
    held.push({ request, response })
    if (request.body.stream)
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('data: {"choices":[{"index":0,"delta":{"content":"Well"},"finish_reason":null}]}\n\n')
  })
  const calls = await startCalls([false, true])

  const exit = service.end('SIGTERM')
  const [plain, streamed] = await Promise.all(calls)
  expect(plain?.response.status).toBe(503)
  expect(JSON.parse(plain?.text ?? '')).toMatchObject({ error: { type: 'unavailable' } })
  expect(streamed?.text).toContain('"type":"unavailable"')
  expect(streamed?.text).not.toContain('[DONE]')
  expect(await exit).toBe(0)
  const { fault, receipts } = await verifyRecord(database)
  expect(fault).toBeNull()
  expect(receipts.map(({ outcome, status, fault }) => ({ outcome, status, fault }))).toEqual([
    { outcome: 'failed', status: 503, fault: 'shutdown' },
    { outcome: 'failed', status: 503, fault: 'shutdown' },
  ])
})

test('a caller that hangs up during the shutdown has its receipt when the process is gone, within the grace period', async () => {
  // Longer than a machine stands still: that they hung up must be seen before the grace period is over.
  await start(20_000)
  const caller = new AbortController()
  // So much to count that the connection is long gone when the receipt can be written.
  const messages = [{ role: 'user', content: 'How many tokens are these? '.repeat(40_000) }]
  const calls = [false, true].map((stream) =>
    call({ ...chatCall(stream), messages }, caller.signal).catch(() => null),
  )
  await waitFor('the calls to reach the provider', () => held.length === 2)
  const exit = service.end('SIGTERM')
  caller.abort()
  await Promise.all(calls)
  expect(await exit).toBe(0)
  const { receipts } = await verifyRecord(database)
  expect(receipts.map(({ outcome, status }) => ({ outcome, status }))).toEqual([
    { outcome: 'aborted', status: 499 },
    { outcome: 'aborted', status: 499 },
  ])
  // The provider never said what it made of them: the whole context window counts, and the longest answer.
  for (const receipt of receipts)
    expect(receipt).toMatchObject({ usage: 'reserved', inputTokens: 128_000, outputTokens: 16_384 })
})

test('a request that never arrives in full does not hold the shutdown up beyond the grace period', async () => {
  await start(500)
  const slow = connectTo(service.address)
  slow.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"model":',
  )
  await pause(200)
  const startedMs = performance.now()
  expect(await service.end('SIGTERM')).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(90_000)
  slow.destroy()
})

for (const second of ['SIGTERM', 'SIGINT'] as const) {
  test(`a second signal (${second}), more than a second later or of another kind, ends the process at once`, async () => {
    await start(100_000)
    const [plain] = await startCalls([false])
    plain?.catch(() => undefined)
    const exit = service.end('SIGTERM')
    await waitFor('the first signal to be heard', () => service.output().includes('SIGTERM'))
    const startedMs = performance.now()
    let hasEnded = false
    exit.then(() => {
      hasEnded = true
    })
    await waitFor('the process to end', () => hasEnded || !sendSignal(service.pid, second))
    expect(await exit).not.toBe(0)
    expect(performance.now() - startedMs).toBeLessThan(90_000)
  })
}

// Longer than any test: what ends is ended by a signal.
const longMs = 600_000

/** A call under way in a service that drains, and its exit. */
async function startDrain() {
  await start(longMs, longMs)
  const [call] = await startCalls([false])
  call?.catch(() => undefined)
  const exit = service.end('SIGTERM')
  await waitFor('the drain', async () => (await fetch(`${service.address}/readyz`)).status === 503)
  await waitFor('the message about draining', () => service.output().includes('serving for another'))
  return { call, exit }
}

test('a second signal, more than a second after the first, ends the drain; calls under way are answered, and it exits with 0', async () => {
  const { call, exit } = await startDrain()
  // Within a second it would be the first one again, passed on by npm.
  await pause(1_100)
  expect(await refusesConnections()).toBe(false)
  sendSignal(service.pid, 'SIGTERM')
  await untilRefused()
  answerHeld()
  expect((await call)?.response.status).toBe(200)
  expect(await exit).toBe(0)
})

test('a third signal ends the process at once', async () => {
  const { exit } = await startDrain()
  sendSignal(service.pid, 'SIGINT')
  await untilRefused()
  sendSignal(service.pid, 'SIGTERM')
  expect(await exit).toBe(1)
})

/** False when the process is gone. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
