import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  rawCaller,
  type Scripted,
  type ScriptedMcpServer,
  startScriptedMcp,
} from '../../harness/mcp/scripted-mcp.js'
import { pick, random } from '../../harness/run/seed.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

const eras = ['modern', 'older'] as const
type Era = (typeof eras)[number]

let service: TestService
const servers = new Map<Era, ScriptedMcpServer>()
const ids = new Map<Era, string>()
let answer: (scripted: Scripted) => void

const tool = (name: string, description = 'Does something') => ({
  ...{ name, description, inputSchema: { type: 'object' } },
})
const result = { content: [], contents: [], messages: [], completion: { values: [] } }
const usual = (s: Scripted) => s.sendJson(s.result({ ...result, resultType: 'complete' }))

beforeAll(async () => {
  service = await shareTestService()
  for (const era of eras) {
    const tools = ['echo', 'Echo', 'a__b', 'x.y/z', 'changed', 'blocked', 'gone', 'twice', '__proto__'].map(
      (name) => tool(name),
    )
    const server = await startScriptedMcp({ era, tools, answer: (scripted) => answer(scripted) })
    servers.set(era, server)
    const { body } = await service.api.post('/v1/mcp-servers', {
      ...{ name: era, url: server.url, open: true, pricePerCallUsd: 0.001 },
      ...{ resources: ['file:///docs/*', 'docs://public/*'], prompts: ['allowed*'] },
    })
    ids.set(era, body.id)
    const refresh = async () => {
      const refreshed = await service.api.post(`/v1/mcp-servers/${body.id}/refresh`)
      expect(refreshed.body.status).toBe('ok')
    }
    await refresh()
    for (const name of ['echo', 'a__b', 'x.y/z', 'changed', 'gone', 'twice'])
      await service.api.post(`/v1/mcp-servers/${body.id}/tools/${encodeURIComponent(name)}/approve`, {})
    await service.api.post(`/v1/mcp-servers/${body.id}/tools/blocked/block`, {})
    tools.splice(
      tools.findIndex(({ name }) => name === 'gone'),
      1,
    )
    tools.splice(
      tools.findIndex(({ name }) => name === 'changed'),
      1,
      tool('changed', 'Does something else'),
    )
    tools.push(tool('twice'), tool('fresh'), tool('ec ho'), tool('ećho'), tool(''))
    await refresh()
  }
})
afterAll(async () => {
  await service.stop()
  for (const server of servers.values()) await server.close()
})

const callable = ['a__b', 'echo', 'x.y/z']

async function newKey(settings: object = {}): Promise<{ id: string; key: string }> {
  return (await service.api.post('/v1/keys', { name: 'caller', ...settings })).body
}

/** What reached the servers, but for handshakes and lists. */
const reached = (from: ReadonlyMap<Era, number>) =>
  eras.flatMap((era) =>
    (servers.get(era) as ScriptedMcpServer).seen
      .slice(from.get(era))
      .filter(({ body }) => !/^(initialize|server\/discover|.*\/list|notifications\/.*)$/.test(body.method))
      .map(({ body: { method, params } }) => {
        const { name, uri } = method === 'completion/complete' ? params.ref : params
        return `${era} ${method} ${method === 'resources/read' ? uri : (name ?? uri)}`
      }),
  )
const here = () => new Map(eras.map((era) => [era, (servers.get(era) as ScriptedMcpServer).seen.length]))

async function paidCalls(keyId: string): Promise<string[]> {
  const found: { server: string; tool: string; method?: string; costUsd: number }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await service.api.get(
      `/v1/calls?keyId=${keyId}&limit=200${cursor && `&cursor=${cursor}`}`,
    )
    found.push(...body.data)
    cursor = body.nextCursor
  }
  return found
    .filter(({ costUsd }) => costUsd > 0)
    .map((call) => `${call.server} ${call.method ?? 'tools/call'} ${call.tool}`)
}

const hostileNames = [
  ...callable,
  ...[
    'Echo',
    'ECHO',
    'еcho',
    'ｅｃｈｏ',
    'echo ',
    ' echo',
    'echo\u200b',
    'echo\u0000',
    'ec ho',
    'e\u0301cho',
    'ećho',
  ],
  ...[
    'changed',
    'blocked',
    'gone',
    'twice',
    'fresh',
    '',
    '__proto__',
    'constructor',
    'toString',
    '*',
    'e*',
    'a__',
    '__b',
  ],
  ...[
    '../echo',
    'echo/../fresh',
    './echo',
    'x.y/z/',
    'x.y//z',
    'x.y%2fz',
    'modern__echo',
    'older__echo',
    'x'.repeat(600),
  ],
]

test.each(eras)('only approved tools are listed and called, whatever a %s caller calls them', async (era) => {
  answer = usual
  const { id, key } = await newKey()
  const from = here()
  for (const server of eras)
    for (const path of ['/mcp', `/mcp/${server}`]) {
      const raw = await rawCaller(service.address, key, era, { path })
      const { text } = await raw.request('tools/list', {})
      const names = [...text.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name)
      const expected =
        path === '/mcp' ? eras.flatMap((each) => callable.map((name) => `${each}__${name}`)) : callable
      expect(names.filter((name) => name !== 'tallystick').sort()).toEqual([...expected].sort())
      const before = reached(from).length
      for (const name of hostileNames)
        await raw.request('tools/call', {
          name: path === '/mcp' ? `${server}__${name}` : name,
          arguments: {},
        })
      expect(reached(from).slice(before).length).toBe(callable.length)
    }
  const seen = reached(from)
  expect(new Set(seen)).toEqual(
    new Set(eras.flatMap((e) => callable.map((name) => `${e} tools/call ${name}`))),
  )
  expect((await paidCalls(id)).sort()).toEqual(seen.sort())
})

const oddBodies = (name: string): string[] => [
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"${name}"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","n\\u0061me":"${name}"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"},"params":{"name":"${name}"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"${name}"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools\\/call","params":{"name":"\\u0066resh"}}`,
  `{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call","params":{"name":"${name}"}}`,
  `{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"echo"}}`,
  `{"jsonrpc":"2.0","id":[1],"method":"tools/call","params":{"name":"echo"}}`,
  `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}`,
  `{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"${name}"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["${name}"]}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["${name}"]}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"${name}"}}}`,
  `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}"}},{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
  ...['[]', '[1]', 'null', '"x"', '{"a"', '[[{}]]', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
]

test.each(eras)('odd bodies of a %s caller reach nobody', async (era) => {
  answer = usual
  const { id, key } = await newKey()
  const from = here()
  for (const server of eras) {
    const raw = await rawCaller(service.address, key, era, { path: `/mcp/${server}`, session: false })
    const headers: Record<string, string>[] = [
      {},
      { 'mcp-protocol-version': '2025-03-26' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping', 'mcp-name': 'fresh' },
      { 'mcp-session-id': 'none-of-ours' },
    ]
    for (const body of oddBodies('fresh'))
      for (const each of headers) {
        const { status, text } = await raw.post(body, each)
        expect([status < 500, text.includes('internal_error')], `${body} ${text}`).toEqual([true, false])
      }
    // What policies on arguments could not see.
    for (const given of [null, [], ['x'], 'text', 1, true]) {
      const { text } = await raw.request('tools/call', { name: 'echo', arguments: given })
      expect(text).toContain('-32602')
    }
  }
  expect(reached(from)).toEqual([])
  expect(await paidCalls(id)).toEqual([])
})

const methods = [
  ...[
    'tools/call',
    'resources/read',
    'prompts/get',
    'completion/complete',
    'resources/subscribe',
    'resources/unsubscribe',
  ],
  ...[
    'tasks/get',
    'tasks/result',
    'tasks/cancel',
    'tasks/list',
    'tasks/update',
    'elicitation/create',
    'sampling/createMessage',
  ],
  ...[
    'roots/list',
    'logging/setLevel',
    'ping',
    'resources/templates/list',
    'resources/list',
    'prompts/list',
    'tools/list',
  ],
  ...[
    'server/discover',
    'rpc.discover',
    'notifications/cancelled',
    'notifications/initialized',
    'tools/Call',
    'TOOLS/CALL',
  ],
  ...['tools/call ', 'tools/call/', 'constructor', '__proto__', 'toString', 'subscriptions/get', ''],
]
const uris = [
  ...[
    'file:///docs/a',
    'docs://public/a',
    'file:///docs/../etc/passwd',
    'file:///docs/%2e%2e/etc',
    'file:///docs/%252e%252e/etc',
  ],
  ...[
    'file:///docs/..\\etc',
    'file:///docs/a/../../etc',
    'file:///docs/%2e./%2E%2e/etc',
    'docs://public/../private',
    'file:///docs/..%5cetc',
  ],
  ...[
    'file:///secret',
    'FILE:///docs/a',
    'file:///docs',
    'file:///Docs/a',
    'file:///docs/..%2f..%2fetc',
    'file:///docs/%25252525252e',
  ],
]
const prompts = ['allowed', 'allowed-too', 'Allowed', 'not-allowed', '', 'allowe']
const allowed =
  /^\w+ (tools\/call (echo|a__b|x\.y\/z)|(resources\/read|completion\/complete) (file:\/\/\/docs\/a|docs:\/\/public\/a)|(prompts\/get|completion\/complete) (allowed|allowed-too))$/

test.each(eras)('whatever a %s caller asks for, servers see what was governed', async (era) => {
  answer = (s) => (random() < 0.2 ? s.sendJson(s.error({ code: -32_001, message: 'No' })) : usual(s))
  const { id, key } = await newKey()
  const from = here()
  for (const server of eras) {
    const [all, one] = [
      await rawCaller(service.address, key, era),
      await rawCaller(service.address, key, era, { path: `/mcp/${server}` }),
    ]
    for (let i = 0; i < 250; i++) {
      const isComposed = random() < 0.5
      const composed = (name: string) => (isComposed ? `${server}__${name}` : name)
      const uri = pick(uris)
      const fullUri = isComposed ? `tallystick://${server}/${uri}` : uri
      const method = i % 3 === 0 ? pick(methods.slice(0, 4)) : pick(methods)
      const name = composed(pick(method === 'tools/call' ? hostileNames : prompts))
      const ref = pick<object>([
        { type: 'ref/prompt', name },
        { type: 'ref/resource', uri: fullUri },
        { type: 'x', name },
      ])
      const { status, text } = await (isComposed ? all : one).request(method, {
        ...(method !== 'resources/read' && { name }),
        ...(method !== 'tools/call' && method !== 'prompts/get' && { uri: fullUri }),
        ...(random() < 0.8 && { arguments: {} }),
        ...{ ref, argument: { name: 'a', value: 'b' }, taskId: 'x' },
        ...(random() < 0.3 && { task: { ttl: 1 } }),
        ...(random() < 0.3 && { requestState: 'x', inputResponses: { a: { action: 'accept' } } }),
      })
      expect([status < 500, text.includes('internal_error')], `${method} ${text}`).toEqual([true, false])
    }
  }
  const seen = reached(from)
  // Far fewer than are likely: what is asked for is drawn.
  expect(seen.length).toBeGreaterThan(5)
  expect(seen.filter((each) => !allowed.test(each))).toEqual([])
  expect((await paidCalls(id)).length).toBe(seen.length)
})

test.each(uris)('a list of resources has %s, or has not, however it is written', async (uri) => {
  answer = usual
  const { key } = await newKey()
  const from = here()
  const raw = await rawCaller(service.address, key, 'modern', { path: '/mcp/modern' })
  await raw.request('resources/read', { uri })
  await raw.request('completion/complete', {
    ref: { type: 'ref/resource', uri },
    argument: { name: 'a', value: '' },
  })
  expect(reached(from)).toHaveLength(/^(file:\/\/\/docs|docs:\/\/public)\/a$/.test(uri) ? 2 : 0)
})

test('a tool that is blocked while somebody is asked is not called again', async () => {
  const { id, key } = await newKey()
  const raw = await rawCaller(service.address, key, 'older', {
    path: '/mcp/modern',
    capabilities: { elicitation: {} },
  })
  const question = {
    method: 'elicitation/create',
    params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
  }
  answer = (s) =>
    s.message.body.params.inputResponses === undefined
      ? s.sendJson(
          s.result({ resultType: 'input_required', inputRequests: { sure: question }, requestState: 's' }),
        )
      : usual(s)
  const ask = async (beforeReply: () => Promise<void>) => {
    const response = await fetch(new URL('/mcp/modern', service.address), {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...{ accept: 'application/json, text/event-stream', 'mcp-session-id': raw.session ?? '' },
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'a__b', arguments: {} },
      }),
    })
    let text = ''
    let isAnswered = false
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const asked = /"id":"(ask-[\w-]+)"/.exec(text)?.[1]
      if (asked === undefined || isAnswered) continue
      isAnswered = true
      await beforeReply()
      await raw.post({ jsonrpc: '2.0', id: asked, result: { action: 'accept', content: {} } })
    }
    return text
  }
  const from = here()
  expect(await ask(async () => undefined)).toContain('"id":7,"result"')
  expect(reached(from)).toHaveLength(2)
  const blocked = await ask(async () => {
    const { status } = await service.api.post(`/v1/mcp-servers/${ids.get('modern')}/tools/a__b/block`, {})
    expect(status).toBe(200)
  })
  expect(blocked).toContain('Unknown tool')
  expect(reached(from)).toHaveLength(3)
  expect(await paidCalls(id)).toHaveLength(3)
})
