import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMcpServer, initialize, modernRpc, postRpc, rpc } from '../../harness/mcp/mcp-gateway.js'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../harness/mcp/mcp-server.js'
import { sampleTools } from '../../harness/mcp/mcp-tools.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let server: OfficialMcpServer
let all: string
let one: string
let key: string

beforeAll(async () => {
  service = await shareTestService()
  server = await startOfficialMcpServer({ era: 'modern', build: sampleTools() })
  await addMcpServer(service.api, server, { name: 'server' })
  all = `${service.address}/mcp`
  one = `${all}/server`
  key = service.managerKey
})
afterAll(async () => {
  await service.stop()
  await server.close()
})

const echo = (id: string | number, said: string) =>
  rpc(id, 'tools/call', { name: 'server__echo', arguments: { said } })
const said = (text: string) => ({ content: [{ type: 'text', text }] })

describe('who calls', () => {
  test('is proved as for models, or the answer says how', async () => {
    for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
      const answer = await postRpc(all, null, rpc(1, 'ping'), headers as Record<string, string>)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(answer.messages).toMatchObject([
        { jsonrpc: '2.0', id: null, error: { code: -32_000, data: { type: 'unauthorized' } } },
      ])
    }
    for (const header of ['x-api-key', 'x-tallystick-key']) {
      const { messages } = await postRpc(all, null, rpc(1, 'ping'), { [header]: key })
      expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    }
  })

  test('is no page of another site', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1'])
      expect((await postRpc(all, key, rpc(1, 'ping'), { origin })).status).toBe(403)
    expect((await postRpc(all, key, rpc(1, 'ping'), { origin: service.address })).status).toBe(200)
  })

  test('learns nothing of servers and tools that it may not use', async () => {
    const { body } = await service.api.post('/v1/keys', { name: 'nothing', allowedTools: ['other__*'] })
    const missing = await postRpc(`${all}/nobody`, body.key, rpc(1, 'ping'))
    const closed = await postRpc(one, body.key, rpc(1, 'ping'))
    expect([closed.status, closed.text]).toEqual([404, missing.text])
    const few = (await service.api.post('/v1/keys', { name: 'few', allowedTools: ['server__echo'] })).body.key
    const { messages } = await postRpc(all, few, rpc(1, 'tools/list'))
    expect(messages[0].result.tools.map(({ name }: { name: string }) => name)).toEqual(['server__echo'])
    const call = (name: string) => postRpc(all, few, rpc(1, 'tools/call', { name, arguments: {} }))
    const [forbidden, unknown, elsewhere] = [
      await call('server__fail'),
      await call('server__none'),
      await call('none__fail'),
    ]
    for (const [answer, name] of [
      [forbidden, 'server__fail'],
      [unknown, 'server__none'],
      [elsewhere, 'none__fail'],
    ] as const) {
      expect(answer.messages).toEqual([
        { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: `Unknown tool: ${name}` } },
      ])
      expect([...answer.headers.keys()]).toEqual([...unknown.headers.keys()])
    }
  })
})

describe('a message', () => {
  test.each([
    ['no JSON', '{"jsonrpc":', 400, -32_700],
    ['nothing', '', 400, -32_700],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, -32_700],
    ['a text', '"hello"', 400, -32_600],
    ['null', 'null', 400, -32_600],
    ['a member twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', 400, -32_600],
    ['no jsonrpc', '{"id":1,"method":"ping"}', 400, -32_600],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_600],
    ['a null for an id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32_600],
    ['a fraction for an id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32_600],
    [
      'an id that no double holds',
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
      400,
      -32_600,
    ],
    ['an object for an id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32_600],
    ['an endless id', JSON.stringify({ ...rpc('x'.repeat(2_000), 'ping') }), 400, -32_600],
    ['a number for a method', '{"jsonrpc":"2.0","id":1,"method":7}', 400, -32_600],
    ['an array for params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32_600],
    ['both a method and a result', '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', 400, -32_600],
    [
      'depth',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(600)}${']'.repeat(600)}}}`,
      400,
      -32_600,
    ],
  ])('that has %s is refused', async (_, body, status, code) => {
    const answer = await postRpc(all, key, body)
    expect([answer.status, answer.messages[0]?.error?.code]).toEqual([status, code])
    const isKnown = /"id":1,"method":"/.test(String(body)) && !/twice|depth/.test(_)
    const id = isKnown ? 1 : null
    expect(answer.messages[0]).toMatchObject({ jsonrpc: '2.0', id })
  })

  test('keeps its id as it was written', async () => {
    for (const id of ['"é\\u0041"', '0', '-7', '9007199254740991', '""']) {
      const { text } = await postRpc(all, key, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
      expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`)
    }
  })

  test('of an unknown method is told so, whatever it is called', async () => {
    for (const method of [
      'nothing',
      '__proto__',
      'constructor',
      'toString',
      'tasks/get',
      'notifications/initialized',
    ]) {
      const { status, messages } = await postRpc(all, key, rpc(1, method))
      expect([status, messages[0].error.code]).toEqual([200, -32_601])
      const { body, headers } = modernRpc(1, method)
      const modern = await postRpc(all, key, body, headers)
      expect([modern.status, modern.messages[0].error.code]).toEqual([404, -32_601])
    }
  })

  test('that wants no answer gets none', async () => {
    for (const method of [
      'notifications/initialized',
      'notifications/cancelled',
      'tools/call',
      'initialize',
    ]) {
      const { status, text } = await postRpc(all, key, { jsonrpc: '2.0', method })
      expect([status, text]).toEqual([202, ''])
    }
    expect(server.seenOf('tools/call')).toEqual([])
  })

  test('is JSON, and no more than 32 MiB', async () => {
    const other = await postRpc(all, key, rpc(1, 'ping'), { 'content-type': 'text/plain' })
    expect(other.status).toBe(415)
    const huge = await postRpc(all, key, `"${'x'.repeat(33 * 1024 * 1024)}"`)
    expect(huge.status).toBe(413)
    const said = 'é'.repeat(8 * 1024 * 1024)
    const large = await postRpc(all, key, echo(1, said))
    expect(large.messages[0].error.data.type).toBe('upstream_error')
  })

  test('keeps numbers that no double holds, on the way there and back', async () => {
    server.intercept(({ body }) =>
      body?.method === 'tools/call'
        ? new Response(
            `{"jsonrpc":"2.0","id":${body.id},"result":{"resultType":"complete", "content":[],\n"structuredContent":{"n":12345678901234567890,"e":1.10}}}`,
            { headers: { 'content-type': 'application/json' } },
          )
        : null,
    )
    const params = '{"name":"server__echo","arguments":{"n":98765432109876543210,"e":2.50}}'
    const { text } = await postRpc(
      all,
      key,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    )
    server.intercept(null)
    expect(text).toContain('"structuredContent":{"n":12345678901234567890,"e":1.10}')
    expect(text).not.toContain('resultType')
    expect(server.seenOf('tools/call').at(-1)?.raw).toContain(
      '"arguments":{"n":98765432109876543210,"e":2.50}',
    )
  })

  test('has an answer in a form that the caller takes', async () => {
    const as = async (accept: string, body: object = echo(1, 'hi')) => {
      const { status, headers, messages } = await postRpc(all, key, body, { accept })
      return [status, headers.get('content-type')?.split(';')[0], messages.length]
    }
    expect(await as('application/json')).toEqual([200, 'application/json', 1])
    expect(await as('text/event-stream')).toEqual([200, 'text/event-stream', 1])
    expect(await as('*/*')).toEqual([200, 'application/json', 1])
    expect(await as('text/html')).toEqual([406, 'application/json', 1])
    expect(await as('application/json;q=0')).toEqual([406, 'application/json', 1])
    const progress = rpc(1, 'tools/call', { name: 'server__count', _meta: { progressToken: 'p' } })
    expect(await as('application/json, text/event-stream', progress)).toEqual([200, 'text/event-stream', 4])
    expect(await as('application/json', progress)).toEqual([200, 'application/json', 1])
  })

  test('is filed under the session that it names', async () => {
    const params = {
      name: 'server__echo',
      arguments: { said: 'x' },
      _meta: { 'tallystick/session': 'run-7', other: 1 },
    }
    const { headers } = await postRpc(all, key, rpc(1, 'tools/call', params))
    const seq = headers.get('x-tallystick-receipt')
    const receipt = await service.api.get(`/v1/compliance/receipts/${seq}`)
    expect(JSON.stringify(receipt.body)).toContain('run-7')
    const _meta = server.seenOf('tools/call').at(-1)?.body.params._meta
    expect(_meta.other).toBe(1)
    expect(_meta).not.toHaveProperty('tallystick/session')
    const wrong = { ...params, _meta: { 'tallystick/session': 7 } }
    expect((await postRpc(all, key, rpc(1, 'tools/call', wrong))).messages[0].error.code).toBe(-32_602)
  })

  test.each([
    ['tools/call', {}],
    ['tools/call', { name: 7 }],
    ['resources/read', {}],
    ['prompts/get', { name: {} }],
    ['completion/complete', { ref: 'no' }],
    ['completion/complete', { ref: { type: 'ref/other' } }],
    ['tools/list', { cursor: 'none of ours' }],
    ['tools/list', { cursor: 7 }],
    ['logging/setLevel', { level: 'loud' }],
    ['initialize', {}],
    ['tools/call', { name: `server__${'x'.repeat(10_000)}` }],
  ])('%s with params that make no sense (%j) is told so', async (method, params) => {
    const { status, messages } = await postRpc(all, key, rpc(1, method, params))
    expect([status, messages[0].id, messages[0].error.code]).toEqual([200, 1, -32_602])
  })
})

describe('several messages at once', () => {
  const old = { 'mcp-protocol-version': '2025-03-26' }

  test('are answered together, each by itself', async () => {
    const batch = [
      rpc('a', 'ping'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      echo(2, 'hi'),
      rpc(2, 'nothing'),
    ]
    const { status, messages } = await postRpc(all, key, batch, old)
    expect(status).toBe(200)
    expect(messages[0]).toHaveLength(3)
    expect(messages[0]).toContainEqual({ jsonrpc: '2.0', id: 'a', result: {} })
    expect(messages[0]).toContainEqual({ jsonrpc: '2.0', id: 2, result: said('hi') })
    const silent = await postRpc(all, key, [{ jsonrpc: '2.0', method: 'notifications/initialized' }], old)
    expect([silent.status, silent.text]).toEqual([202, ''])
    const counted = [
      rpc(1, 'tools/call', { name: 'server__count', _meta: { progressToken: 1 } }),
      rpc(3, 'ping'),
    ]
    expect((await postRpc(all, key, counted, old)).messages).toHaveLength(5)
  })

  test.each([
    ['none', []],
    ['more than twenty', Array.from({ length: 21 }, (_, id) => rpc(id, 'ping'))],
    ['initialize among them', [rpc(1, 'initialize', { protocolVersion: '2025-03-26', capabilities: {} })]],
    ['one that is none', [rpc(1, 'ping'), 7]],
    ['an array among them', [[rpc(1, 'ping')]]],
    ['one of 2026-07-28', [modernRpc(1, 'tools/list').body]],
  ])('are refused where there is %s', async (_, batch) => {
    const { status, messages } = await postRpc(all, key, batch, old)
    expect([status, messages[0].error.code]).toEqual([400, -32_600])
  })

  test('are of one version of the protocol alone', async () => {
    for (const version of ['2025-06-18', '2025-11-25']) {
      const answer = await postRpc(all, key, [rpc(1, 'ping')], { 'mcp-protocol-version': version })
      expect(answer.status).toBe(400)
      const session = await initialize(all, key, { version })
      expect((await postRpc(all, key, [rpc(1, 'ping')], session)).status).toBe(400)
    }
  })
})

describe('the version of the protocol', () => {
  test('is the one that the caller wants where it is served, else the newest that it may know', async () => {
    const start = async (protocolVersion: string) =>
      (await postRpc(all, key, rpc(1, 'initialize', { protocolVersion, capabilities: {} }))).messages[0]
        .result.protocolVersion
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25'])
      expect(await start(version)).toBe(version)
    for (const version of ['2024-11-05', '2026-07-28', 'x']) expect(await start(version)).toBe('2025-11-25')
  })

  test('in a header is refused where it is not served', async () => {
    for (const version of ['2024-11-05', 'nonsense', '1']) {
      const { status } = await postRpc(all, key, rpc(1, 'ping'), { 'mcp-protocol-version': version })
      expect(status).toBe(400)
    }
    const { body, headers } = modernRpc(1, 'tools/list')
    const later = JSON.parse(JSON.stringify(body).replaceAll('2026-07-28', '2027-01-01'))
    const answer = await postRpc(all, key, later, { ...headers, 'mcp-protocol-version': '2027-01-01' })
    expect([answer.status, answer.messages[0].error]).toEqual([
      400,
      {
        code: -32_022,
        message: 'Unsupported protocol version: 2027-01-01',
        data: { supported: ['2026-07-28'], requested: '2027-01-01' },
      },
    ])
  })

  test.each([
    ['no version', { 'mcp-protocol-version': null }, -32_020],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }, -32_020],
    ['no method', { 'mcp-method': null }, -32_020],
    ['another method', { 'mcp-method': 'tools/list' }, -32_020],
    ['no name', { 'mcp-name': null }, -32_020],
    ['another name', { 'mcp-name': 'server__fail' }, -32_020],
    ['a name that is no Base64', { 'mcp-name': '=?base64?***?=' }, -32_020],
  ])('2026-07-28: headers with %s are refused', async (_, change, code) => {
    const { body, headers } = modernRpc(1, 'tools/call', { name: 'server__echo', arguments: { said: 'x' } })
    const before = server.seenOf('tools/call').length
    const sent = Object.entries({ ...headers, ...change }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    )
    const answer = await postRpc(all, key, body, Object.fromEntries(sent))
    expect([answer.status, answer.messages[0].error.code]).toEqual([400, code])
    expect(server.seenOf('tools/call')).toHaveLength(before)
  })

  test('2026-07-28: results say what they are, and names may be encoded', async () => {
    const { body, headers } = modernRpc('x', 'tools/call', { name: 'server__echo', arguments: { said: 'x' } })
    const encoded = `=?base64?${Buffer.from('server__echo').toString('base64')}?=`
    const answer = await postRpc(all, key, body, { ...headers, 'mcp-name': encoded })
    expect(answer.messages[0]).toMatchObject({
      id: 'x',
      result: {
        ...said('x'),
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tallystick' } },
      },
    })
    const discover = modernRpc(1, 'server/discover')
    const found = await postRpc(one, key, discover.body, discover.headers)
    expect(found.messages[0].result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      cacheScope: 'private',
      ttlMs: 0,
    })
    for (const method of ['ping', 'initialize', 'logging/setLevel']) {
      const gone = modernRpc(1, method)
      expect((await postRpc(all, key, gone.body, gone.headers)).status).toBe(404)
    }
  })
})
