import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isLogField } from '../../packages/service/src/observability/log/log-table.js'
import { programPath, startServiceProcess } from '../harness/processes/process.js'
import { type SeenRequest, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase } from '../harness/service/database.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

// What `serve` prints can be read by a program from its first line to its last, also what comes before the log and after it.

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let upstream: Upstream
let held: { request: SeenRequest; response: ServerResponse }[]
let dataDir: string

beforeAll(async () => {
  upstream = await startUpstream((request, response) => void held.push({ request, response }))
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-json-'))
})
beforeEach(() => {
  held = []
})
afterAll(async () => {
  await upstream.close()
  await rm(dataDir, { recursive: true, force: true })
})

const settings = () => ({
  TALLYSTICK_LOG_FORMAT: 'json',
  TALLYSTICK_LOG_LEVEL: 'info',
  TALLYSTICK_BOOTSTRAP_KEY: key,
  TALLYSTICK_DRAIN_MS: '300',
  TALLYSTICK_SHUTDOWN_GRACE_MS: '1000',
  OPENAI_API_KEY: 'sk-upstream',
  OPENAI_BASE_URL: `${upstream.url}/v1`,
})

function parseLines(output: string): Record<string, unknown>[] {
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const line of lines) {
    expect(line).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    })
    expect(Object.keys(line).filter((name) => !isLogField(name))).toEqual([])
  }
  return lines
}

const isFault = ({ level }: Record<string, unknown>) => level === 'error' || level === 'fatal'

test.each([
  ['one process with its own database', '1', false],
  ['workers and their supervisor', '2', true],
])(
  '%s: every line from start to stop is JSON, and a stop during calls is no error',
  async (_, workers, isExternal) => {
    const database = isExternal ? await createTestDatabase() : null
    const folder = join(dataDir, workers)
    const service = await startServiceProcess({
      ...settings(),
      TALLYSTICK_WORKERS: workers,
      TALLYSTICK_DATA_DIR: folder,
      ...(database && { DATABASE_URL: database.url }),
    })
    const call = (stream: boolean) =>
      fetch(`${service.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(chatCall(stream)),
      }).then((response) => response.text())
    const calls = [call(true), call(false), call(true)]
    // The stop may end a connection before its answer begins.
    const answered = Promise.allSettled(calls)
    await waitFor('the calls to reach the provider', () => held.length === calls.length)
    const stopped = service.end('SIGTERM')
    // One is answered in time, and the others are ended by the stop.
    for (const { request, response } of held.slice(0, 1)) answerChat(request, response)
    expect(await stopped).toBe(0)
    await answered
    const lines = parseLines(service.output())
    expect(lines.filter(isFault)).toEqual([])
    const messages = lines.map(({ msg }) => String(msg))
    expect(messages.filter((msg) => msg.startsWith('Tallystick listens on http'))).toHaveLength(1)
    expect(lines.find(({ msg }) => String(msg).startsWith('SIGTERM: not ready'))).toMatchObject({
      level: 'info',
    })
    expect(lines.filter(({ receipt }) => receipt !== undefined)).toHaveLength(calls.length)
    await database?.drop()
  },
)

test('the first key and an example call are in one line each, also when the log is silent', async () => {
  const { TALLYSTICK_BOOTSTRAP_KEY, ...others } = settings()
  const service = await startServiceProcess({
    ...others,
    TALLYSTICK_LOG_LEVEL: 'silent',
    TALLYSTICK_DATA_DIR: join(dataDir, 'first'),
  })
  expect(await service.end('SIGTERM')).toBe(0)
  const printed = parseLines(service.output()).map(({ msg }) => msg)
  expect(printed.filter((msg) => /: tallystick_sk_\w{40}$/.test(String(msg)))).toHaveLength(1)
  expect(printed.filter((msg) => String(msg).includes('/v1/chat/completions'))).toHaveLength(1)
})

test.each([
  ['faults of the configuration', { TALLYSTICK_PORT: 'x', TALLYSTICK_DRAIN_MS: 'y' }, [], 2],
  ['a database that is not there', { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/none' }, [], 1],
  [
    'a database that is not there, with workers',
    { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/none' },
    ['--workers=2'],
    1,
  ],
])('%s: one line that says why', (_, env, options, status) => {
  const run = spawnSync(process.execPath, [programPath, 'serve', ...options], {
    env: {
      PATH: process.env.PATH,
      ...settings(),
      TALLYSTICK_DATA_DIR: join(dataDir, 'faulty'),
      TALLYSTICK_PORT: '0',
      ...env,
    },
    encoding: 'utf8',
  })
  expect(run.status).toBe(status)
  const lines = parseLines(run.stdout + run.stderr)
  expect(lines.filter(isFault)).toHaveLength(1)
  const { msg, faults } = lines.find(isFault) ?? {}
  if ('TALLYSTICK_DRAIN_MS' in env) expect(faults).toHaveLength(2)
  else expect([faults ?? msg].flat().join('\n')).toContain('127.0.0.1:1')
})
