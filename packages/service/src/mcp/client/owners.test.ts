import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import {
  type OfficialMcpOptions,
  startOfficialMcpServer,
} from '../../../../../test/harness/mcp/mcp-server.js'
import { closing, mcpServer, requestTo, startUpstreams } from '../../../../../test/harness/mcp/upstreams.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import type { UpstreamOwner, UpstreamsOptions } from './index.js'

const { opened, closeAll } = closing()
afterEach(closeAll)

const inputSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', 'x-mcp-header': 'Text' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    sure: { type: 'boolean', 'x-mcp-header': 'Sure' },
    inner: { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'Inner-Text' } } },
    plain: { type: 'string' },
  },
} as const

const build = (server: McpServer) => {
  server.registerTool('tell', { inputSchema: fromJsonSchema(inputSchema) }, async () => ({ content: [] }))
}

async function start(
  era: OfficialMcpOptions['era'],
  changes: Partial<ToolServer> = {},
  options: Partial<UpstreamsOptions> = {},
) {
  const official = await startOfficialMcpServer({ era, build })
  const upstreams = startUpstreams(options)
  opened.push(official, upstreams)
  const tool = {
    name: 'tell',
    state: 'approved' as const,
    hash: '',
    definition: { name: 'tell', inputSchema },
    isUnapproved: false,
  }
  const server = mcpServer(official.url, { tools: [tool], ...changes })
  const call = (owner: Partial<UpstreamOwner> = {}, args: unknown = {}, capabilities = {}) =>
    upstreams.request(
      requestTo(
        server,
        {
          owner: { ...requestTo(server).owner, ...owner },
          paramsJson: JSON.stringify({ name: 'tell', arguments: args }),
        },
        { capabilities },
      ),
    )
  return { official, call }
}

test('callers do not share a session of a server, nor one with what another caller can do', async () => {
  const { official, call } = await start('legacy')
  const callers: [Partial<UpstreamOwner>, object][] = [
    [{ keyId: 'key_1' }, {}],
    [{ keyId: 'key_2' }, {}],
    [{ session: 'one' }, {}],
    [{ session: 'two' }, {}],
    [{ session: 'two' }, { elicitation: {} }],
    [{ session: 'two', userId: 'ada' }, {}],
  ]
  for (let i = 0; i < 2; i++)
    for (const [owner, capabilities] of callers)
      expect(await call(owner, {}, capabilities)).toMatchObject({ type: 'result' })
  expect(official.seenOf('initialize')).toHaveLength(callers.length)
  const used = official.seenOf('tools/call').map(({ headers }) => headers['mcp-session-id'])
  expect(used.slice(0, callers.length)).toEqual(used.slice(callers.length))
  expect(new Set(used).size).toBe(callers.length)
})

test('a hundred calls of one caller at the same time make one session', async () => {
  const { official, call } = await start('legacy')
  const ends = await Promise.all(Array.from({ length: 100 }, () => call()))
  expect(new Set(ends.map(({ type }) => type))).toEqual(new Set(['result']))
  expect(official.seenOf('initialize')).toHaveLength(1)
  official.forgetSessions()
  const later = await Promise.all(Array.from({ length: 100 }, () => call()))
  expect(new Set(later.map(({ type }) => type))).toEqual(new Set(['result']))
  expect(official.seenOf('initialize').length).toBeLessThanOrEqual(3)
})

test('a server that says by HTTP 400 that it lost a session gives another, once', async () => {
  const { official, call } = await start('legacy')
  await call()
  const lost = official.seenOf('tools/call')[0]?.headers['mcp-session-id']
  const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' }
  official.intercept(({ headers }) =>
    headers['mcp-session-id'] === lost
      ? Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
      : null,
  )
  expect(await call()).toMatchObject({ type: 'result' })
  official.intercept(({ body }) =>
    body?.method === 'tools/call'
      ? Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
      : null,
  )
  official.seen.length = 0
  expect(await call()).toMatchObject({ type: 'failure', failure: 'refused' })
  expect(official.seenOf('tools/call')).toHaveLength(2)
})

test('a newer server that became an older one is spoken to again from the beginning', async () => {
  const { official, call } = await start('modern')
  await call()
  const data = { supported: ['2026-07-28'], requested: '2026-07-28' }
  let refusals = 1
  official.intercept(({ body }) =>
    body?.method === 'tools/call' && refusals-- > 0
      ? Response.json(
          { jsonrpc: '2.0', id: body.id, error: { code: -32_022, message: 'no', data } },
          { status: 400 },
        )
      : null,
  )
  expect(await call()).toMatchObject({ type: 'result' })
  expect(official.seenOf('server/discover')).toHaveLength(2)
})

test('headers of the server and of the user go with every request, but none that is not theirs to set', async () => {
  const { official, call } = await start(
    'legacy',
    { auth: { type: 'header', header: 'X-Token' } },
    {
      servers: {
        list: async () => [],
        headersOf: async () => ({
          'X-Shared': 'ours',
          Host: 'elsewhere',
          'Mcp-Session-Id': 'forged',
          Accept: 'text/html',
          'Accept-Encoding': 'gzip',
          'Content-Length': '3',
        }),
      },
      readCredentialHeaders: async (_, { keyId }) => ({ headers: { 'X-Token': `of ${keyId}` } }),
    },
  )
  expect(await call()).toMatchObject({ type: 'result' })
  for (const { headers } of official.seen) {
    expect(headers).toMatchObject({
      'x-shared': 'ours',
      'x-token': 'of key_1',
      'accept-encoding': 'identity',
    })
    expect(headers.host).not.toBe('elsewhere')
    expect(headers['mcp-session-id']).not.toBe('forged')
  }
  expect(official.seenOf('tools/call')[0]?.headers['user-agent']).toBe('tallystick/0.0.0')
})

test('a caller gives its own Authorization where the server takes that, and nothing goes out without', async () => {
  const { official, call } = await start('modern', { auth: { type: 'passthrough' } })
  expect(await call()).toMatchObject({
    type: 'failure',
    failure: 'credential',
    message: expect.stringContaining('X-Tallystick-Key'),
  })
  expect(official.seen).toEqual([])
  expect(await call({ authorization: 'Bearer mine' })).toMatchObject({ type: 'result' })
  expect(official.seenOf('tools/call')[0]?.headers.authorization).toBe('Bearer mine')
})

test('a user without a credential is told so, and nothing goes out', async () => {
  const { official, call } = await start(
    'modern',
    { auth: { type: 'oauth', clientId: null, scopes: [] } },
    { readCredentialHeaders: async () => ({ failure: 'Connect your account first' }) },
  )
  expect(await call()).toEqual({
    type: 'failure',
    failure: 'credential',
    message: 'Connect your account first',
  })
  expect(official.seen).toEqual([])
})

test.each(['modern', 'legacy'] as const)(
  'a credential that a %s server refuses is renewed once, also in the middle of a session',
  async (era) => {
    const refused: unknown[] = []
    let valid = 'first'
    let current = 'first'
    const { official, call } = await start(
      era,
      { auth: { type: 'oauth', clientId: null, scopes: [] } },
      {
        readCredentialHeaders: async (_server, _owner, headers) => {
          if (headers !== undefined) {
            refused.push(headers.authorization)
            current = 'second'
          }
          return { headers: { authorization: `Bearer ${current}` } }
        },
      },
    )
    official.intercept(({ headers }) =>
      headers.authorization === `Bearer ${valid}` ? null : new Response(null, { status: 401 }),
    )
    expect(await call()).toMatchObject({ type: 'result' })
    valid = 'second'
    expect(await call()).toMatchObject({ type: 'result' })
    expect(refused).toEqual(['Bearer first'])
    valid = 'third'
    official.seen.length = 0
    expect(await call()).toMatchObject({ type: 'failure', failure: 'credential' })
    expect(official.seen).toHaveLength(2)
  },
)

test('a session of a server is not what tools are listed in', async () => {
  const { official, call } = await start('legacy')
  await call()
  const [session] = new Set(official.seenOf('tools/call').map(({ headers }) => headers['mcp-session-id']))
  const upstreams = startUpstreams()
  opened.push(upstreams)
  const server = mcpServer(official.url)
  await upstreams.list(server, requestTo(server).owner)
  expect(official.seenOf('tools/list')[0]?.headers['mcp-session-id']).not.toBe(session)
})

test('arguments that a tool wants in headers are written as the official server reads them', async () => {
  const { call } = await start('modern')
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ maxLength: 20 }),
    fc.constantFrom('', ' ', ' a', 'a\t', '\n', '=?base64?YQ==?=', 'é', '\r\nx-evil: 1', '0'),
  )
  const args = fc.record(
    {
      text: fc.option(text),
      count: fc.option(fc.integer()),
      sure: fc.option(fc.boolean()),
      inner: fc.record({ text }, { requiredKeys: [] }),
      plain: text,
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(args, async (each) => {
      const defined = Object.fromEntries(Object.entries(each).filter(([, value]) => value !== null))
      expect(await call({}, defined)).toMatchObject({ type: 'result' })
    }),
  )
})
