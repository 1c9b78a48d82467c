import { afterEach, expect, test } from 'vitest'
import type { CallEnd } from '../../../../../test/harness/mcp/hostile-mcp-answers.js'
import {
  answerTo,
  type HostileScript,
  json,
  pour,
  raw,
  repeat,
  sendJson,
  startHostileMcpServer,
  stream,
} from '../../../../../test/harness/mcp/hostile-mcp-server.js'
import { closing, mcpServer, requestTo, startUpstreams } from '../../../../../test/harness/mcp/upstreams.js'
import { createOutbound } from '../../outbound/index.js'
import type { UpstreamEnd } from './index.js'

const { opened, closeAll } = closing()
afterEach(closeAll)

const shortMs = 300
const kindOf = (end: UpstreamEnd): CallEnd => (end.type === 'failure' ? end.failure : end.type)

const handshakes: {
  name: string
  scripts: Record<string, HostileScript>
  ends: readonly CallEnd[]
  timeoutMs?: number
}[] = [
  ...['', 'with blanks in it', 'ünïcode', 'x'.repeat(3_000)].map((sessionId) => ({
    name: `gives the session id ${JSON.stringify(sessionId.slice(0, 20))}`,
    scripts: { initialize: introduce({ 'mcp-session-id': Buffer.from(sessionId).toString('latin1') }) },
    ends: sessionId === '' ? (['result'] as const) : (['bad_answer'] as const),
  })),
  {
    name: 'gives a session id of a megabyte',
    scripts: {
      initialize: raw(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nmcp-session-id: ${'x'.repeat(1_048_576)}\r\n\r\n{}`,
      ),
    },
    ends: ['too_large', 'bad_answer', 'unreachable'],
  },
  {
    name: 'speaks a version that nobody knows',
    scripts: { initialize: introduce({}, { protocolVersion: '1999-01-01' }) },
    ends: ['bad_answer'],
  },
  {
    name: 'has no version',
    scripts: { initialize: introduce({}, { protocolVersion: undefined }) },
    ends: ['bad_answer'],
  },
  {
    name: 'introduces itself as nonsense',
    scripts: { initialize: json((id) => answerTo(id, { a: 1 })) },
    ends: ['bad_answer'],
  },
  {
    name: 'never introduces itself',
    scripts: { initialize: () => undefined },
    ends: ['timeout'],
    timeoutMs: shortMs,
  },
  {
    name: 'never says which protocol it speaks',
    scripts: { 'server/discover': () => undefined },
    ends: ['timeout'],
    timeoutMs: shortMs,
  },
  {
    name: 'pours out an introduction',
    scripts: {
      initialize: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        pour(response, repeat(' '))
      },
    },
    ends: ['too_large'],
  },
  {
    name: 'pours out events for an introduction',
    scripts: { initialize: stream((response) => pour(response, repeat(': x\n\n'))) },
    ends: ['too_large'],
  },
  {
    name: 'is sent elsewhere for its introduction',
    scripts: {
      initialize: (_, response, __, elsewhere) => response.writeHead(307, { location: elsewhere }).end(),
    },
    ends: ['refused'],
  },
  {
    name: 'is sent elsewhere at once',
    scripts: {
      'server/discover': (_, response, __, elsewhere) =>
        response.writeHead(308, { location: elsewhere }).end(),
    },
    ends: ['refused'],
  },
  {
    name: 'wants a credential at once',
    scripts: { 'server/discover': (_, response) => response.writeHead(401).end() },
    ends: ['credential'],
  },
  {
    name: 'fails at once',
    scripts: { 'server/discover': (_, response) => response.writeHead(500).end() },
    ends: ['refused'],
  },
  {
    name: 'hangs up at once',
    scripts: { 'server/discover': (_, __, socket) => socket.destroy() },
    ends: ['unreachable'],
  },
  {
    name: 'hangs up when it is told that all is well',
    scripts: { 'notifications/initialized': (_, __, socket) => socket.destroy() },
    ends: ['unreachable', 'bad_answer', 'result'],
  },
  {
    name: 'discovers versions of the future',
    scripts: {
      'server/discover': json((id) =>
        answerTo(id, {
          supportedVersions: ['2099-01-01'],
          capabilities: {},
          resultType: 'complete',
          ttlMs: 0,
          cacheScope: 'private',
        }),
      ),
    },
    ends: ['result', 'bad_answer'],
  },
  {
    name: 'forgets every session',
    scripts: { 'tools/call': (_, response) => response.writeHead(404).end() },
    ends: ['refused'],
  },
]

function introduce(headers: Record<string, string>, settings: object = {}): HostileScript {
  return json(
    (id) =>
      answerTo(id, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
        ...settings,
      }),
    { headers },
  )
}

test.each(handshakes)(
  'a server that $name is a failure that is told',
  async ({ scripts, ends, timeoutMs = 60_000 }) => {
    const hostile = await startHostileMcpServer({ era: 'legacy', scripts })
    const upstreams = startUpstreams()
    opened.push(hostile, upstreams)
    let sent = 0
    const end = await upstreams.request(
      requestTo(mcpServer(hostile.url), { timeoutMs }, { onSent: () => sent++ }),
    )
    expect(ends).toContain(kindOf(end))
    expect(hostile.seenOf('tools/call').length).toBeLessThanOrEqual(2)
    expect(sent).toBe(hostile.seenOf('tools/call').length === 0 ? 0 : 1)
    expect(hostile.trapped()).toBe(0)
  },
)

const listings: { name: string; script: HostileScript; says: RegExp }[] = [
  {
    name: 'goes in circles',
    script: json((id) => answerTo(id, { tools: [], nextCursor: 'again' })),
    says: /has no end/,
  },
  {
    name: 'goes on and on',
    script: ({ id, params }, response) =>
      sendJson(response, answerTo(id, { tools: [], nextCursor: `${params?.cursor ?? ''}x` })),
    says: /pages/,
  },
  {
    name: 'has too many tools',
    script: json((id) =>
      answerTo(id, { tools: Array.from({ length: 2_000 }, (_, i) => ({ name: `t${i}` })) }),
    ),
    says: /more than/,
  },
  {
    name: 'has a list that is too large',
    script: json((id) => answerTo(id, { tools: [{ name: 'a', description: 'x'.repeat(9_000_000) }] })),
    says: /more than/,
  },
  {
    name: 'has no list',
    script: json((id) => answerTo(id, { tools: 'none' })),
    says: /list of tools that cannot be read/,
  },
  { name: 'lists words', script: json((id) => answerTo(id, { tools: ['a'] })), says: /not an object/ },
  {
    name: 'refuses',
    script: json((id) => ({ jsonrpc: '2.0', id, error: { code: -5, message: 'no' } })),
    says: /refused to list its tools \(error -5\)/,
  },
  {
    name: 'has a cursor of a megabyte',
    script: json((id) => answerTo(id, { tools: [], nextCursor: 'x'.repeat(1_048_576) })),
    says: /too long/,
  },
  { name: 'is down', script: (_, response) => response.writeHead(500).end(), says: /HTTP 500/ },
]

test.each(listings)('a list of tools that $name is refused in words', async ({ script, says }) => {
  const hostile = await startHostileMcpServer({ era: 'modern', scripts: { 'tools/list': script } })
  const upstreams = startUpstreams()
  opened.push(hostile, upstreams)
  const server = mcpServer(hostile.url)
  await expect(upstreams.list(server, requestTo(server).owner)).rejects.toThrow(says)
  expect(hostile.seenOf('tools/list').length).toBeLessThanOrEqual(50)
})

test('a list that changes with each page is what it was on each', async () => {
  const hostile = await startHostileMcpServer({
    era: 'modern',
    scripts: {
      'tools/list': ({ id, params }, response) =>
        sendJson(
          response,
          params?.cursor
            ? answerTo(id, { tools: [{ name: 'a', description: 'second' }, { name: 'b' }] })
            : answerTo(id, { tools: [{ name: 'a', description: 'first' }], nextCursor: '2' }),
        ),
    },
  })
  const upstreams = startUpstreams()
  opened.push(hostile, upstreams)
  const server = mcpServer(hostile.url)
  const { tools } = await upstreams.list(server, requestTo(server).owner)
  // Who keeps it sees that one name stands for two.
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['a', 'first'],
    ['a', 'second'],
    ['b', undefined],
  ])
})

test('a name that leads elsewhere once it is called is refused at the connection', async () => {
  const hostile = await startHostileMcpServer({ era: 'modern', scripts: {} })
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const outbound = createOutbound({ strict: true, resolve: async () => answers.shift() ?? ['127.0.0.1'] })
  const url = `https://rebinding.example.com:${hostile.port}/mcp`
  await outbound.requireUrl(url, 'url')
  const upstreams = startUpstreams({ outbound })
  opened.push(hostile, outbound, upstreams)
  const end = await upstreams.request(requestTo(mcpServer(url)))
  expect(end).toMatchObject({
    type: 'failure',
    failure: 'unreachable',
    message: expect.stringContaining('must not lead to this machine'),
  })
  expect(hostile.connections()).toBe(0)
})

test('a host that is nowhere is unreachable, and so is one that refuses', async () => {
  const upstreams = startUpstreams()
  opened.push(upstreams)
  for (const url of ['http://127.0.0.1:1/mcp', 'http://no-such-host.invalid/mcp'])
    expect(kindOf(await upstreams.request(requestTo(mcpServer(url))))).toBe('unreachable')
})
