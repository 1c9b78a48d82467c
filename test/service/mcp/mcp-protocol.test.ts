import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { inputRequired, type McpServer } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../harness/mcp/mcp-server.js'
import { waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let modern: OfficialMcpServer
let legacy: OfficialMcpServer
let cancelled = 0

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })

function build(server: McpServer): void {
  const inputSchema = z.object({})
  server.registerTool('wait', { inputSchema }, async (_, { mcpReq }) => {
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve))
    cancelled++
    return text('never')
  })
  server.registerTool('needs-sampling', { inputSchema }, async () =>
    inputRequired({
      inputRequests: {
        words: inputRequired.createMessage({
          maxTokens: 10,
          messages: [{ role: 'user', content: { type: 'text', text: 'Say something' } }],
        }),
      },
    }),
  )
  server.registerTool(
    'by-region',
    { inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }) },
    async ({ region }) => text(region),
  )
  // As some servers do: a tool that asks is offered to whoever can be asked.
  const ask = server.registerTool('ask', { inputSchema }, async (_, { mcpReq }) => {
    const reply = await mcpReq.elicitInput({
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    })
    return text(JSON.stringify(reply))
  })
  ask.disable()
  server.server.oninitialized = () => {
    if (server.server.getClientCapabilities()?.elicitation) ask.enable()
  }
}

beforeAll(async () => {
  service = await shareTestService()
  modern = await startOfficialMcpServer({ era: 'modern', build })
  legacy = await startOfficialMcpServer({ era: 'legacy', build })
  await addServer('newer', modern.url)
  await addServer('older', legacy.url)
})
afterAll(async () => {
  await service.stop()
  await modern.close()
  await legacy.close()
})

async function addServer(name: string, url: string): Promise<void> {
  const { body } = await service.api.post('/v1/mcp-servers', { name, url, open: true })
  const { body: listed } = await service.api.post(`/v1/mcp-servers/${body.id}/refresh`)
  const tools = listed.tools.map(({ name: tool, hash }: Record<string, string>) => ({ name: tool, hash }))
  expect((await service.api.post(`/v1/mcp-servers/${body.id}/approve`, { tools })).status).toBe(200)
}

async function connect(path: string, mode: 'legacy' | 'auto'): Promise<Client> {
  const capabilities = { elicitation: { form: {} } }
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } })
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }))
  const requestInit = { headers: { authorization: `Bearer ${service.managerKey}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(path, service.address), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** As a caller of 2026-07-28 that knows what it does. */
async function post(
  name: string,
  args: object,
  headers: Record<string, string> = {},
  meta: object = envelope,
) {
  const params = { name, arguments: args, _meta: meta }
  const response = await fetch(new URL('/mcp/newer', service.address), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.managerKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'my "id"', method: 'tools/call', params }),
  })
  const body = (await response.json()) as {
    id: unknown
    error?: { code: number; data: unknown }
    result?: { content: unknown }
  }
  return { status: response.status, body }
}

test('a call that its caller cancels is cancelled at the server, and not answered', async () => {
  const client = await connect('/mcp/older', 'legacy')
  const faults: Error[] = []
  client.onerror = (error) => void faults.push(error)
  const before = legacy.seenOf('tools/call').length
  const cancellation = new AbortController()
  const call = client.callTool({ name: 'wait', arguments: {} }, { signal: cancellation.signal })
  call.catch(() => undefined)
  await waitFor('the call at the server', () => legacy.seenOf('tools/call').length > before)
  cancellation.abort('enough')
  await expect(call).rejects.toThrow('enough')
  await waitFor('the end of the call at the server', () => cancelled > 0)
  await waitFor('the receipt', async () => {
    const { body } = await service.api.get('/v1/calls?limit=1')
    return body.data[0]?.tool === 'wait' && body.data[0].outcome === 'aborted'
  })
  await client.ping()
  expect(faults).toEqual([])
})

test('a tool that a server offers only to clients that can be asked is offered, and asks', async () => {
  const client = await connect('/mcp/older', 'legacy')
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask')
  const { content } = await client.callTool({ name: 'ask', arguments: {} })
  expect(content).toEqual(text('{"action":"accept","content":{"name":"Ada"}}').content)
})

test('what is refused before it is a call has the id of the request', async () => {
  const { status, body } = await post('by-region', { region: 'eu' }, { 'mcp-method': 'tools/list' })
  expect([status, body.id, body.error?.code]).toEqual([400, 'my "id"', -32_020])
})

test('a capability that the caller lacks is told by the status too', async () => {
  const { status, body } = await post('needs-sampling', {})
  expect([status, body.error?.code, body.error?.data]).toEqual([
    400,
    -32_021,
    { requiredCapabilities: { sampling: {} } },
  ])
})

test.each([
  ['absent', {}],
  ['another', { 'mcp-param-region': 'us' }],
  ['no Base64', { 'mcp-param-region': '=?base64?ZXU?=' }],
])(
  'an argument that is to stand in a header, which is %s, is refused before the server sees it',
  async (_, headers) => {
    const before = modern.seenOf('tools/call').length
    const { status, body } = await post('by-region', { region: 'eu' }, headers)
    expect([status, body.error?.code]).toEqual([400, -32_020])
    expect(modern.seenOf('tools/call')).toHaveLength(before)
  },
)

test.each(['eu', '=?base64?ZXU=?='])(
  'an argument that is to stand in a header may stand there as %s',
  async (header) => {
    const { status, body } = await post('by-region', { region: 'eu' }, { 'mcp-param-region': header })
    expect([status, body.result?.content]).toEqual([200, text('eu').content])
  },
)

test.each([
  ['run-1', 'run-1'],
  // What cannot be a session is none.
  ['*', null],
])('a call of a tool is filed under the session that Codex says: %s', async (said, expected) => {
  const meta = { ...envelope, 'x-codex-turn-metadata': { session_id: said } }
  const { status } = await post('by-region', { region: 'eu' }, { 'mcp-param-region': 'eu' }, meta)
  expect(status).toBe(200)
  const { body } = await service.api.get('/v1/calls?limit=1')
  expect(body.data).toMatchObject([{ tool: 'by-region', session: expected }])
})
