import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type CallEnd,
  hostileAnswers,
  maxBytes,
} from '../../../../../test/harness/mcp/hostile-mcp-answers.js'
import {
  answerTo,
  event,
  type HostileScript,
  openStream,
  startHostileMcpServer,
  stream,
} from '../../../../../test/harness/mcp/hostile-mcp-server.js'
import { closing, mcpServer, requestTo, startUpstreams } from '../../../../../test/harness/mcp/upstreams.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import type { UpstreamChannel, UpstreamEnd } from './index.js'

const { opened, closeAll } = closing()
afterEach(closeAll)

/** What a server may have written beyond what was read: buffers of sockets. */
const bufferedBytes = 16 * 1_048_576

async function callHostile(
  era: 'modern' | 'legacy',
  script: HostileScript,
  timeoutMs: number,
  line: Partial<UpstreamChannel> = {},
) {
  const hostile = await startHostileMcpServer({ era, scripts: { 'tools/call': script } })
  const upstreams = startUpstreams()
  opened.push(hostile, upstreams)
  // The handshake takes a time of its own.
  const capabilities = line.capabilities ?? {}
  await upstreams.request(requestTo(mcpServer(hostile.url), { method: 'warm/up' }, { capabilities }))
  let sent = 0
  const end: UpstreamEnd = await upstreams.request(
    requestTo(
      mcpServer(hostile.url),
      { paramsJson: '{"name":"a","arguments":{},"_meta":{"progressToken":1}}', timeoutMs, maxBytes },
      { onSent: () => sent++, ...line },
    ),
  )
  return { hostile, upstreams, end, sent }
}

const kindOf = (end: UpstreamEnd): CallEnd => (end.type === 'failure' ? end.failure : end.type)

describe.each(['modern', 'legacy'] as const)('a server of the %s kind that', (era) => {
  test.each(hostileAnswers)('$name', async ({ script, ends, timeoutMs = 60_000, calls = 1 }) => {
    const { hostile, end, sent } = await callHostile(era, script, timeoutMs)
    expect([ends].flat()).toContain(kindOf(end))
    if (end.type === 'failure') expect(end.message).toMatch(/^[A-Z][^\n]{10,200}$/)
    expect(sent).toBe(1)
    // 404 with a session means that it was lost: the server did not take it.
    expect(hostile.seenOf('tools/call')).toHaveLength(era === 'legacy' ? calls : 1)
    expect(hostile.bytesWritten()).toBeLessThan(maxBytes + bufferedBytes)
    expect(hostile.trapped()).toBe(0)
  })
})

test('an older server that nobody may ask through is told so, and goes on', async () => {
  const asked: string[] = []
  const { end, hostile } = await callHostile(
    'legacy',
    stream((response, id) => {
      response.write(event({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: {} }))
      setTimeout(() => response.end(event(answerTo(id))), 100)
    }),
    60_000,
    {
      capabilities: { elicitation: {} },
      ask: async (method) => {
        asked.push(method)
        return '{"result":{}}'
      },
    },
  )
  expect(kindOf(end)).toBe('result')
  expect(asked).toEqual([])
  await waitFor('the reply', () => hostile.seenOf('reply').length === 1)
  expect(hostile.seenOf('reply')[0]?.body).toMatchObject({ id: 'q', error: { code: -32_601 } })
})

test('a newer server cannot ask by requests', async () => {
  const { end, hostile } = await callHostile(
    'modern',
    stream((response, id) =>
      response.end(event({ jsonrpc: '2.0', id: 'q', method: 'ping' }) + event(answerTo(id))),
    ),
    60_000,
  )
  expect(kindOf(end)).toBe('result')
  expect(hostile.seenOf('reply')).toEqual([])
})

test('an answer that is still being asked about at the deadline is given up, and the server told', async () => {
  const { end, hostile } = await callHostile(
    'legacy',
    stream((response) =>
      response.write(event({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} })),
    ),
    1_000,
    { capabilities: { elicitation: {} }, ask: () => new Promise(() => undefined) },
  )
  expect(kindOf(end)).toBe('timeout')
  await waitFor('the word', () => hostile.seenOf('notifications/cancelled').length === 1)
})

test('a stream that breaks off is read on where the server keeps it, and nothing is sent twice', async () => {
  let resumed = 0
  let callId: unknown
  const hostile = await startHostileMcpServer({
    era: 'legacy',
    scripts: {
      'tools/call': ({ id }, response) => {
        callId = id
        openStream(response).end('id: e1\nretry: 10\ndata:\n\n')
      },
      GET: ({ headers }, response) => {
        resumed++
        expect(headers['last-event-id']).toBe(`e${resumed}`)
        const next = `id: e${resumed + 1}\nretry: 10\ndata:\n\n`
        openStream(response).end(resumed < 3 ? next : next + event(answerTo(callId)))
      },
    },
  })
  const upstreams = startUpstreams()
  opened.push(hostile, upstreams)
  expect(kindOf(await upstreams.request(requestTo(mcpServer(hostile.url))))).toBe('result')
  expect(hostile.seenOf('tools/call')).toHaveLength(1)
  expect(resumed).toBe(3)
})

test('a stream that breaks off for ever is given up', async () => {
  const again: HostileScript = (_, response) => openStream(response).end('id: e1\nretry: 0\ndata:\n\n')
  const hostile = await startHostileMcpServer({ era: 'legacy', scripts: { 'tools/call': again, GET: again } })
  const upstreams = startUpstreams()
  opened.push(hostile, upstreams)
  expect(kindOf(await upstreams.request(requestTo(mcpServer(hostile.url))))).toBe('bad_answer')
  expect(hostile.seenOf('tools/call')).toHaveLength(1)
  expect(hostile.seenOf('GET').length).toBeLessThan(50)
})

test('a stream that is read on again and again is bounded in all', async () => {
  const again: HostileScript = (_, response) =>
    openStream(response).end(`id: e1\nretry: 0\ndata:\n\n: ${'x'.repeat(maxBytes / 4)}\n\n`)
  const hostile = await startHostileMcpServer({ era: 'legacy', scripts: { 'tools/call': again, GET: again } })
  const upstreams = startUpstreams()
  opened.push(hostile, upstreams)
  expect(kindOf(await upstreams.request(requestTo(mcpServer(hostile.url), { maxBytes })))).toBe('too_large')
  expect(hostile.seenOf('GET')).toHaveLength(3)
})

test('whatever becomes of the bytes of an answer, the call ends in one of the known ways', async () => {
  const hostile = await startHostileMcpServer({
    era: 'modern',
    scripts: { 'tools/call': ({ id }, response) => broken(id, response) },
  })
  let broken: (id: unknown, response: Parameters<HostileScript>[1]) => void = () => undefined
  const upstreams = startUpstreams()
  opened.push(hostile, upstreams)
  const mutation = fc.record({
    isStream: fc.boolean(),
    edits: fc.array(
      fc.record({ at: fc.nat(400), remove: fc.nat(20), put: fc.uint8Array({ maxLength: 8 }) }),
      { minLength: 1, maxLength: 4 },
    ),
    cut: fc.option(fc.nat(400)),
  })
  await fc.assert(
    fc.asyncProperty(mutation, async ({ isStream, edits, cut }) => {
      broken = (id, response) => {
        const message = answerTo(id, { content: [{ type: 'text', text: 'grüße' }] })
        const progress = {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: id, progress: 1 },
        }
        let bytes: Buffer = Buffer.from(isStream ? event(progress) + event(message) : JSON.stringify(message))
        for (const { at, remove, put } of edits)
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + remove)])
        response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
        response.end(cut === null ? bytes : bytes.subarray(0, cut))
      }
      const end = await upstreams.request(requestTo(mcpServer(hostile.url), { timeoutMs: 20_000 }))
      expect(['result', 'error', 'bad_answer']).toContain(kindOf(end))
      if (end.type === 'result') expect(typeof JSON.parse(end.json)).toBe('object')
    }),
  )
})
