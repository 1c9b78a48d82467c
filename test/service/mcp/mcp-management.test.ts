import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

type Mode = 'legacy' | 'auto'
interface Answer {
  isError: boolean
  text: string
  // Tests look into bodies freely; what they find there is what they check.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content: any
}

const keys = { manager: '', auditor: '', ada: '', bob: '', loner: '' }
let service: TestService
let stranger: TestTenant
let budgetId: string

beforeAll(async () => {
  service = await shareTestService()
  const { api } = service
  keys.manager = service.managerKey
  keys.auditor = (await api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })).body.key
  keys.ada = (await api.post('/v1/keys', { name: 'Ada', userId: 'ada', rpmLimit: 50 })).body.key
  keys.bob = (await api.post('/v1/keys', { name: 'Bob', userId: 'bob' })).body.key
  keys.loner = (await api.post('/v1/keys', { name: 'Loner' })).body.key
  const scope = { type: 'user', id: 'ada' }
  budgetId = (await api.post('/v1/budgets', { name: 'Ada', amountUsd: 5, scope })).body.id
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
  for (const key of [keys.ada, keys.bob]) await service.as(key).post('/v1/chat/completions', call)
  stranger = await addTenant(service, 'stranger')
  await stranger.api.post('/v1/keys', { name: 'A key of the stranger' })
})
afterAll(() => service.stop())

async function connect(key: string, mode: Mode = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${key}` }
  const url = new URL('/mcp/tallystick', service.address)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args })
  const [first] = content
  return { isError, text: first?.type === 'text' ? first.text : '', content: structuredContent }
}

const namesFor = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort()

const forEveryone = [
  ...[
    'budget_left',
    'forecast',
    'get_call',
    'list_budget_requests',
    'list_budgets',
    'list_keys',
    'list_mcp_servers',
  ],
  ...['list_models', 'list_prompts', 'search_calls', 'spend_top', 'usage', 'whoami'],
]

describe.each<Mode>(['legacy', 'auto'])('in the %s mode of the official client', (mode) => {
  test('each role is shown the tools that it may use', async () => {
    expect(await namesFor(await connect(keys.ada, mode))).toEqual(
      [...forEveryone, 'connect_mcp_server', 'file_budget_request'].sort(),
    )
    const reading = [...forEveryone, 'attention', 'list_policies']
    expect(await namesFor(await connect(keys.auditor, mode))).toEqual(reading.sort())
    const deciding = [
      'approve_budget_request',
      'connect_mcp_server',
      'deny_budget_request',
      'file_budget_request',
    ]
    expect(await namesFor(await connect(keys.manager, mode))).toEqual([...reading, ...deciding].sort())
  })

  test('an agent asks what is left, requests more, and has it when a manager approves', async () => {
    const agent = await connect(keys.ada, mode)
    expect(agent.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy')
    const before = (await use(agent, 'budget_left')).content.money.find(
      ({ id }: { id: string }) => id === budgetId,
    )
    const filed = await use(agent, 'file_budget_request', {
      budgetId,
      amountUsd: 3,
      reason: 'a long evaluation',
    })
    expect(filed).toMatchObject({ isError: false, content: { status: 'pending', amountUsd: 3 } })
    const manager = await connect(keys.manager, mode)
    const waiting = await use(manager, 'list_budget_requests', { status: 'pending' })
    expect(waiting.content.data).toMatchObject([{ id: filed.content.id, reason: 'a long evaluation' }])
    const requestId = filed.content.id
    expect((await use(manager, 'approve_budget_request', { requestId, amountUsd: 2 })).content.status).toBe(
      'approved',
    )
    const after = (await use(agent, 'budget_left')).content.money.find(
      ({ id }: { id: string }) => id === budgetId,
    )
    expect(after.remainingUsd - before.remainingUsd).toBeCloseTo(2)
    // Decided once.
    const again = await use(manager, 'deny_budget_request', { requestId })
    expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^conflict: /) })
    const { data: audit } = (await service.api.get('/v1/audit-log')).body
    expect(audit.map(({ action }: { action: string }) => action)).toContain('budget_request.approve')
  })
})

test('every tool that takes nothing answers with an object, as text and as structure', async () => {
  const client = await connect(keys.manager)
  const { tools } = await client.listTools()
  for (const { name, inputSchema, annotations } of tools) {
    expect(inputSchema.additionalProperties).toBe(false)
    if (!annotations?.readOnlyHint || inputSchema.required !== undefined) continue
    const { isError, text, content } = await use(client, name)
    expect({ name, isError }).toEqual({ name, isError: false })
    expect(JSON.parse(text)).toEqual(content)
  }
})

test('what changes something says so', async () => {
  const { tools } = await (await connect(keys.manager)).listTools()
  const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)
  expect(changing.sort()).toEqual([
    'approve_budget_request',
    'connect_mcp_server',
    'deny_budget_request',
    'file_budget_request',
  ])
})

test('a member sees its own alone', async () => {
  const ada = await connect(keys.ada)
  expect((await use(ada, 'whoami')).content).toMatchObject({ role: 'member', userId: 'ada' })
  expect((await use(ada, 'list_keys')).content.data.map(({ name }: { name: string }) => name)).toEqual([
    'Ada',
  ])
  const { data } = (await use(ada, 'search_calls')).content
  expect(data.map(({ userId }: { userId: string }) => userId)).toEqual(['ada'])
  expect((await use(ada, 'usage', { groupBy: 'user' })).content.groups).toMatchObject([
    { key: 'ada', requests: 1 },
  ])
  const bobs = (await use(await connect(keys.bob), 'search_calls')).content.data[0].requestId
  expect(await use(ada, 'get_call', { requestId: bobs })).toMatchObject({
    isError: true,
    text: 'not_found: No such call',
  })
  const { keyId } = (await use(await connect(keys.bob), 'whoami')).content
  expect((await use(ada, 'budget_left', { keyId })).isError).toBe(true)
})

test('a key without an owner asks for what it has left itself', async () => {
  const client = await connect(keys.loner)
  const { keyId } = (await use(client, 'whoami')).content
  expect((await use(client, 'budget_left')).content).toMatchObject({ keyId, money: [] })
})

test('nothing of another tenant is shown or can be named', async () => {
  const theirs = await connect(stranger.managerKey)
  expect((await use(theirs, 'search_calls')).content.data).toEqual([])
  expect((await use(theirs, 'list_budgets')).content.data).toEqual([])
  const filed = await use(theirs, 'file_budget_request', { budgetId, amountUsd: 1, reason: 'not mine' })
  expect(filed).toMatchObject({ isError: true, text: expect.stringMatching(/^not_found: /) })
  const names = (await use(theirs, 'list_keys')).content.data.map(({ name }: { name: string }) => name)
  expect(names.sort()).toEqual(['A key of the stranger', 'Manager'])
})

test('a tool that the role may not use cannot be called either', async () => {
  const args = { requestId: 'breq_01k9zq3w8hcv7m2x4n6p8r0t1y' }
  for (const key of [keys.ada, keys.auditor])
    await expect(use(await connect(key), 'approve_budget_request', args)).rejects.toMatchObject({
      code: -32602,
    })
})

test.each([
  [
    'an argument that there is not',
    'list_keys',
    { statsu: 'active' },
    /^invalid_request: statsu: there is no such/,
  ],
  ['a value of the wrong kind', 'list_keys', { limit: 'many' }, /^invalid_request: limit: /],
  ['a list where a text belongs', 'list_keys', { q: ['a'], limit: [1] }, /^invalid_request: limit: /],
  ['a missing argument', 'get_call', {}, /^invalid_request: requestId: is missing/],
  ['a step in the path', 'get_call', { requestId: '..' }, /^invalid_request: requestId/],
  ['a path', 'get_call', { requestId: '../keys' }, /^not_found: /],
  [
    'an amount below zero',
    'file_budget_request',
    { budgetId: 'bud_x', amountUsd: -1, reason: 'x' },
    /^invalid_request: amountUsd: /,
  ],
])('%s is told of in the words of the API', async (_, name, args, words) => {
  const { isError, text } = await use(await connect(keys.manager), name, args)
  expect(isError).toBe(true)
  expect(text).toMatch(words)
})

test('what a model leaves out as null is left out', async () => {
  const answer = await use(await connect(keys.manager), 'list_keys', { status: null, limit: 1, q: null })
  expect(answer.content.data).toHaveLength(1)
})

test('calls are found by their tags', async () => {
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
  await service.api.post('/v1/chat/completions', call, { 'x-tallystick-tags': 'project=alpha' })
  const { data } = (await use(await connect(keys.manager), 'search_calls', { tags: { project: 'alpha' } }))
    .content
  expect(data).toMatchObject([{ tags: { project: 'alpha' } }])
})

test('an answer that is too long for a model is refused with what to do', async () => {
  const words = Array.from({ length: 500 }, (_, index) => `${'long '.repeat(28)}${index}`)
  const body = { name: 'Long', kind: 'keywords', config: { words }, action: 'flag' }
  const made = await service.api.post('/v1/policies', body)
  expect(made.body).toMatchObject({ id: expect.stringMatching(/^pol_/) })
  const { isError, text } = await use(await connect(keys.manager), 'list_policies')
  expect({ isError, text }).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^payload_too_large: .*limit/),
  })
  await service.api.delete(`/v1/policies/${made.body.id}`)
})

test('the largest groups are shown, and how many there are besides', async () => {
  const { content } = await use(await connect(keys.manager), 'spend_top', { groupBy: 'user', top: 1 })
  expect(content.groups).toHaveLength(1)
  expect(content.groupsNotShown).toBeGreaterThan(0)
  expect(content.series).toBeUndefined()
})

test('a link for a person leads to where the caller found the service', async () => {
  const made = { name: 'wiki', url: 'http://127.0.0.1:9/mcp', auth: { type: 'oauth' }, open: true }
  const { id } = (await service.api.post('/v1/mcp-servers', made)).body
  const ada = await connect(keys.ada)
  const { data } = (await use(ada, 'list_mcp_servers')).content
  expect(data).toMatchObject([{ id, name: 'wiki', connected: false }])
  const { url } = (await use(ada, 'connect_mcp_server', { serverId: id })).content
  expect(url).toMatch(`${service.address}/mcp/oauth/start?link=`)
})

test('the tools leave no receipt', async () => {
  const receipts = async () => (await service.api.get('/v1/compliance/receipts')).body.data.length
  const before = await receipts()
  await use(await connect(keys.ada), 'usage')
  expect(await receipts()).toBe(before)
})

describe('over plain HTTP', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const send = (headers: Record<string, string>, body: unknown = list, method = 'POST') =>
    fetch(`${service.address}/mcp/tallystick`, {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const bearer = () => ({ authorization: `Bearer ${keys.ada}` })

  test('a request without a valid key is told how to prove who it is', async () => {
    for (const headers of [{}, { authorization: 'Bearer tallystick_sk_nobody' }]) {
      const answer = await send(headers)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="tallystick"')
    }
  })

  test('a key is taken where the gateway takes it, and a session is not', async () => {
    for (const headers of [
      bearer(),
      { 'x-api-key': keys.ada },
      { 'x-tallystick-key': keys.ada, authorization: 'Bearer other' },
    ])
      expect((await send(headers)).status).toBe(200)
    const signedIn = await fetch(`${service.address}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: keys.ada }),
    })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await send({ cookie, origin: service.address })).status).toBe(401)
  })

  test('a page of another site is refused, one of ours is not', async () => {
    expect((await send({ ...bearer(), origin: 'https://evil.example' })).status).toBe(403)
    expect((await send({ ...bearer(), origin: 'null' })).status).toBe(403)
    expect((await send({ ...bearer(), origin: service.address })).status).toBe(200)
  })

  test('a revoked key is refused at once, a suspended user too', async () => {
    const made = (await service.api.post('/v1/keys', { name: 'Short', userId: 'eve' })).body
    const headers = { authorization: `Bearer ${made.key}` }
    await service.api.patch('/v1/user-limits/eve', { status: 'suspended' })
    expect((await send(headers)).status).toBe(403)
    await service.api.patch('/v1/user-limits/eve', { status: 'active' })
    expect((await send(headers)).status).toBe(200)
    await service.api.delete(`/v1/keys/${made.id}`)
    expect((await send(headers)).status).toBe(401)
  })

  test('there are neither sessions nor streams', async () => {
    expect((await send(bearer(), null, 'GET')).status).toBe(405)
    expect((await send(bearer(), null, 'DELETE')).status).toBe(405)
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }
    expect((await (await send(bearer(), listen)).text()).includes('error')).toBe(true)
  })

  test('a body is bounded, and so is a batch', async () => {
    expect((await send(bearer(), `${' '.repeat(1024 * 1024)}{}`)).status).toBe(413)
    expect(
      (
        await send(
          bearer(),
          Array.from({ length: 21 }, () => list),
        )
      ).status,
    ).toBe(400)
    expect((await send(bearer(), '{"jsonrpc":"2.0","id":1,')).status).toBe(400)
    expect((await send(bearer(), '')).status).toBe(400)
    expect((await send(bearer(), '[]')).status).toBe(400)
    expect((await send(bearer(), '"text"')).status).toBe(400)
    expect((await send(bearer(), { ...list, params: { cursor: 'a\u0000' } })).status).toBe(400)
  })
})
