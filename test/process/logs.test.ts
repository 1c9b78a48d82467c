import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLogField } from '../../packages/service/src/observability/log/log-table.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const managerKey = `tallystick_sk_${'a'.repeat(40)}`
const secretWord = 'xylophonist'

let database: TestDatabase
let dataDir: string
let env: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-data-'))
  env = {
    DATABASE_URL: database.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
    TALLYSTICK_LOG_LEVEL: 'info',
  }
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const linesOf = (service: ServiceProcess): Record<string, unknown>[] =>
  service
    .output()
    .split('\n')
    // The last one may not have come in full.
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const send = ({ address }: ServiceProcess, body: object, { key = managerKey } = {}): Promise<Response> =>
  fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('every call leaves one line, also one that is refused, or that its process died with', async () => {
  const chat = (fields: object = {}) => ({
    model: 'mock/echo',
    messages: [{ role: 'user', content: `say ${secretWord}` }],
    ...fields,
  })
  const first = await startServiceProcess(env)
  const api = createApi(first.address, managerKey)
  const { body: limited } = await api.post('/v1/keys', { name: 'limited', rpmLimit: 1 })
  const cases: [Promise<Response> | Response, number, string, string][] = [
    [await send(first, chat()), 200, 'ok', 'info'],
    [await send(first, chat({ stream: true })), 200, 'ok', 'info'],
    [await send(first, chat({ model: 'mock/fail' })), 500, 'upstream_error', 'warn'],
    [await send(first, chat({ model: secretWord.slice(0, 3) })), 404, 'refused', 'info'],
    [await send(first, chat({ stream: secretWord })), 400, 'refused', 'info'],
    [await send(first, chat(), { key: `${managerKey}x` }), 401, 'refused', 'info'],
    [await send(first, chat(), { key: limited.key }), 200, 'ok', 'info'],
    [await send(first, chat(), { key: limited.key }), 429, 'refused', 'info'],
  ]
  for (const [sent, status, outcome, level] of cases) {
    const response = await sent
    await response.text()
    expect(response.status).toBe(status)
    const requestId = response.headers.get('x-tallystick-request-id')
    const lines = await waitFor(`the line of ${requestId}`, () => {
      const found = linesOf(first).filter((line) => line.requestId === requestId)
      return found.length > 0 && found
    })
    expect(lines).toMatchObject([{ level, status, outcome }])
    const receipt = response.headers.get('x-tallystick-receipt')
    if (receipt !== null) expect(lines[0]?.receipt).toBe(Number(receipt))
  }

  // A word takes it a quarter of a second: it cannot be over before the process is killed.
  const messages = [{ role: 'user', content: `${secretWord} `.repeat(1_000) }]
  const slow = await send(first, chat({ model: 'mock/slow', stream: true, max_tokens: 10_000, messages }))
  const interrupted = slow.headers.get('x-tallystick-request-id')
  const reading = slow.text().catch(() => 'broken off')
  await first.end('SIGKILL')
  await reading
  const second = await startServiceProcess(env)
  const lines = await waitFor('the line of the call that was interrupted', () => {
    const found = linesOf(second).filter((line) => line.requestId === interrupted)
    return found.length > 0 && found
  })
  expect(lines).toMatchObject([
    { level: 'error', outcome: 'interrupted', usage: 'reserved', receipt: expect.any(Number) },
  ])
  expect(await second.end('SIGTERM')).toBe(0)

  const all = [...linesOf(first), ...linesOf(second)]
  expect(all.flatMap((line) => Object.keys(line)).filter((name) => !isLogField(name))).toEqual([])
  expect(first.output() + second.output()).not.toMatch(new RegExp(`${secretWord}|${limited.key}`))
  expect(JSON.stringify(all)).not.toContain(managerKey)
})

test('for people, where it was asked for', async () => {
  const service = await startServiceProcess(env, ['--log-format', 'pretty'])
  const response = await send(service, {
    model: 'nope',
    messages: [{ role: 'user', content: '\n{"forged":1}' }],
  })
  const id = response.headers.get('x-tallystick-request-id')
  await waitFor('the line', () => service.output().includes(`INFO  call refused requestId=${id}`))
  expect(linesOf(service)).toEqual([])
  expect(await service.end('SIGTERM')).toBe(0)
})

test('whoever reads it may go away: the service goes on, and stops as ever', async () => {
  const service = await startServiceProcess(env)
  service.closeOutput()
  const chat = { model: 'mock/echo', messages: [{ role: 'user', content: 'hi' }] }
  for (let calls = 0; calls < 3; calls++) {
    const response = await send(service, chat)
    expect(response.status, await response.text()).toBe(200)
  }
  expect(await service.end('SIGTERM')).toBe(0)
})
