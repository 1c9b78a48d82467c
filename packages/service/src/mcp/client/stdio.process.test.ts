import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { closing, mcpServer, requestTo, startUpstreams } from '../../../../../test/harness/mcp/upstreams.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import type { UpstreamEnd, Upstreams, UpstreamsOptions } from './index.js'

const { opened, closeAll } = closing()
afterEach(closeAll)

const script = fileURLToPath(new URL('../../../../../test/harness/mcp/mcp-stdio-server.mjs', import.meta.url))

function start(mode: string, options: Partial<UpstreamsOptions> = {}, changes: Partial<ToolServer> = {}) {
  const output: string[] = []
  const upstreams = startUpstreams({ onOutput: (_, text) => output.push(text), ...options })
  opened.push(upstreams)
  const server = mcpServer('', {
    id: 'file:local',
    name: 'local',
    transport: {
      type: 'stdio',
      command: process.execPath,
      args: [script, mode],
      env: { GIVEN: 'a-secret-value' },
      cwd: null,
    },
    ...changes,
  })
  return { output, upstreams, server }
}

const call = (
  upstreams: Upstreams,
  server: ToolServer,
  name: string,
  args: object = {},
  timeoutMs = 60_000,
) =>
  upstreams.request(requestTo(server, { paramsJson: JSON.stringify({ name, arguments: args }), timeoutMs }))

function textOf(end: UpstreamEnd): string {
  if (end.type !== 'result') throw new Error(`no result: ${JSON.stringify(end)}`)
  return JSON.parse(end.json).content[0].text
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe.each([
  ['both', '2026-07-28'],
  ['older', '2025-11-25'],
])('a server by stdio that speaks %s', (mode, version) => {
  test('is listed', async () => {
    const { upstreams, server } = start(mode)
    const listing = await upstreams.list(server, requestTo(server).owner)
    expect(listing).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'by-stdio', version: '2.0.0' },
      instructions: 'Read the manual',
    })
    expect(listing.tools).toHaveLength(9)
  })

  test('has one process for all calls, which answers each its own', async () => {
    const { upstreams, server } = start(mode)
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(upstreams, server, 'echo', { n })),
    )
    expect(ends.map((end) => JSON.parse(textOf(end)))).toEqual(ends.map((_, n) => ({ n })))
    const pids = await Promise.all([1, 2, 3].map(async () => textOf(await call(upstreams, server, 'pid'))))
    expect(new Set(pids).size).toBe(1)
  })

  test('gets params of several lines as one', async () => {
    const { upstreams, server } = start(mode)
    const end = await upstreams.request(
      requestTo(server, { paramsJson: '{\n"name": "echo",\r\n\t"arguments": {"a":\n"b\\nc"}\n}' }),
    )
    expect(JSON.parse(textOf(end))).toEqual({ a: 'b\nc' })
  })

  test('reports progress under the token of each caller, though they chose the same', async () => {
    const { upstreams, server } = start(mode)
    const heard: unknown[][] = [[], []]
    await Promise.all(
      heard.map((mine) =>
        upstreams.request(
          requestTo(
            server,
            { paramsJson: '{"name":"count","arguments":{},"_meta":{"progressToken":1}}' },
            { onNotification: (_, params) => mine.push(JSON.parse(params)) },
          ),
        ),
      ),
    )
    for (const mine of heard)
      expect(mine).toEqual(
        [1, 2, 3].map((progress) => expect.objectContaining({ progressToken: 1, progress })),
      )
  })

  test('is told of a call that nobody waits for', async () => {
    const { output, upstreams, server } = start(mode)
    const gone = new AbortController()
    const ending = upstreams.request(
      requestTo(server, { paramsJson: '{"name":"wait","arguments":{}}', signal: gone.signal }),
    )
    await waitFor('the tool to run', () => output.includes('waiting'))
    gone.abort()
    expect(await ending).toMatchObject({ type: 'failure', failure: 'cancelled' })
    await waitFor('the tool to hear of it', () => output.includes('told to stop'))
    expect(textOf(await call(upstreams, server, 'pid'))).toMatch(/^\d+$/)
  })

  test('says that its tools changed', async () => {
    const changed: string[] = []
    const { upstreams, server } = start(mode, { onListChanged: ({ name }) => changed.push(name) })
    await call(upstreams, server, 'changed')
    if (mode === 'older') await waitFor('the news', () => changed.length === 1)
  })
})

test('the environment of a process is the path and what the file says', async () => {
  const { upstreams, server } = start('older')
  const environment = JSON.parse(textOf(await call(upstreams, server, 'environment')))
  expect(Object.keys(environment).sort()).toEqual(['GIVEN', 'PATH'])
})

test('what a process says of errors goes to the log without the values of its environment', async () => {
  const { output, upstreams, server } = start('older')
  await call(upstreams, server, 'complain', { said: 'cannot log in with a-secret-value' })
  await waitFor('the line', () => output.includes('cannot log in with [hidden]'))
})

test('a process that logs without an end fills no log', async () => {
  const { output, upstreams, server } = start('older')
  await call(upstreams, server, 'complain', { said: 'again\n'.repeat(10_000) })
  await call(upstreams, server, 'complain', { said: 'x'.repeat(1_000_000) })
  await call(upstreams, server, 'pid')
  // 50 in ten seconds; a process that stands still in the middle of it has another ten.
  expect(output.length).toBeLessThanOrEqual(200)
  expect(output.join('').length).toBeLessThan(100_000)
})

test('a process that dies takes its calls with it, and is started again for the next', async () => {
  const { upstreams, server } = start('older')
  const before = textOf(await call(upstreams, server, 'pid'))
  const waiting = call(upstreams, server, 'wait')
  const ended = await call(upstreams, server, 'die')
  expect([ended, await waiting]).toEqual(
    [0, 1].map(() => ({
      type: 'failure',
      failure: 'unreachable',
      message: 'The process of the server ended (exit code 3)',
    })),
  )
  expect(textOf(await call(upstreams, server, 'pid'))).not.toBe(before)
})

test('a process that ends at once is not started in a hurry', async () => {
  const { output, upstreams, server } = start('ends-at-once')
  const ends: UpstreamEnd[] = []
  const begunMs = Date.now()
  for (let i = 0; i < 20; i++) ends.push(await call(upstreams, server, 'pid'))
  // Two at once, as an older server may want it; then after 2 s, 4 s, 8 s and so on.
  const most = 1 + Math.floor(Math.log2((Date.now() - begunMs) / 1_000 + 2.1))
  for (const end of ends) expect(end).toMatchObject({ type: 'failure', failure: 'unreachable' })
  expect(output.filter((line) => line.includes('exit code 7')).length).toBeLessThanOrEqual(most)
})

test('a program that is not there is a failure in words', async () => {
  const { upstreams, server } = start(
    'older',
    {},
    {
      transport: { type: 'stdio', command: '/nowhere/at-all', args: [], env: {}, cwd: null },
    },
  )
  expect(await call(upstreams, server, 'pid')).toEqual({
    type: 'failure',
    failure: 'unreachable',
    message: 'The program cannot be started (ENOENT)',
  })
})

test.each(['chatty', 'strict'])('a server that is %s works all the same', async (mode) => {
  const { upstreams, server } = start(mode)
  expect(textOf(await call(upstreams, server, 'echo', { a: 1 }))).toBe('{"a":1}')
})

test('a process that never reads or answers is given up at the deadline', async () => {
  const { upstreams, server } = start('deaf')
  expect(await call(upstreams, server, 'pid', {}, 500)).toMatchObject({ type: 'failure', failure: 'timeout' })
})

test.each(['flood', 'flood-of-lines'])('a process that pours out nonsense (%s) is ended', async (mode) => {
  const { output, upstreams, server } = start(mode)
  const end = await call(upstreams, server, 'pid')
  expect(end).toMatchObject({ type: 'failure' })
  // By SIGKILL, by SIGTERM where a busy machine gives up the handshake before it has read too much, or by EPIPE, when it writes between
  // the end of its pipe and the signal.
  await waitFor('its end', () => output.some((line) => line.startsWith('The process of the server ended')))
})

test('an answer that is too large ends its own call alone', async () => {
  const { upstreams, server } = start('older', {}, { maxResultBytes: 100_000 })
  const waiting = call(upstreams, server, 'wait', {}, 600_000)
  const [small, large, huge] = await Promise.all(
    [10, 150_000, 5_000_000].map((bytes) =>
      upstreams.request(
        requestTo(server, {
          paramsJson: JSON.stringify({ name: 'huge', arguments: { bytes } }),
          maxBytes: 100_000,
        }),
      ),
    ),
  )
  expect(small).toMatchObject({ type: 'result' })
  expect(large).toMatchObject({ type: 'failure', failure: 'too_large' })
  expect(huge).toMatchObject({ type: 'failure', failure: 'too_large' })
  expect(textOf(await call(upstreams, server, 'pid'))).toMatch(/^\d+$/)
  await upstreams.close()
  expect(await waiting).toMatchObject({ type: 'failure', failure: 'unreachable' })
})

test('processes end with the service, also one that does not want to', async () => {
  const { upstreams, server } = start('stubborn')
  const pid = Number(textOf(await call(upstreams, server, 'pid')))
  expect(isAlive(pid)).toBe(true)
  await upstreams.close()
  await waitFor('the process to be gone', () => !isAlive(pid))
})
