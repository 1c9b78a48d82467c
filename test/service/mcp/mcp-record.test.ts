import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { McpServer } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { checkFiles } from '../../../packages/record/src/verify/files/check-files.js'
import { splitLines } from '../../../packages/record/src/verify/files/lines.js'
import { trustKeys } from '../../../packages/record/src/verify/files/trusted-keys.js'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../harness/mcp/mcp-server.js'
import { MetricsReading } from '../../harness/reporting/metrics.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant } from '../../harness/service/tenant.js'

// What calls of tools leave behind, made by a real client at a real server through the whole service.

let service: TestService
let upstream: OfficialMcpServer

function build(server: McpServer): void {
  server.registerTool(
    'echo',
    { description: 'Says it again', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  )
  server.registerTool('fail', { description: 'Always fails', inputSchema: z.object({}) }, async () => ({
    isError: true,
    content: [{ type: 'text', text: 'It did not work' }],
  }))
}

beforeAll(async () => {
  service = await startTestService()
  upstream = await startOfficialMcpServer({ era: 'modern', build })
})
afterAll(async () => {
  await service.stop()
  await upstream.close()
})

/** A tenant of its own with a server, and a caller of it. */
async function start(settings: object = {}) {
  const tenant = await addTenant(service, `acme-${++started}`)
  const { api } = tenant
  const fields = { name: 'words', url: upstream.url, open: true, pinning: 'off', pricePerCallUsd: 0.01 }
  const added = await api.post('/v1/mcp-servers', { ...fields, ...settings })
  expect((await api.post(`/v1/mcp-servers/${added.body.id}/refresh`)).body.status).toBe('ok')
  const { id: keyId, key } = (await api.post('/v1/keys', { name: 'agent' })).body
  const connect = async (headers: Record<string, string> = {}) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp/words', service.address), { requestInit }),
    )
    onTestFinished(() => client.close())
    return client
  }
  const calls = async (query = '') => (await api.get(`/v1/calls?${query}`)).body.data
  return { tenant, api, keyId, key, connect, calls }
}
let started = 0

const echo = (client: Client, text: string) => client.callTool({ name: 'echo', arguments: { text } })

test('a call of a model and the calls of tools that it led to share a session, and every cost can be computed again', async () => {
  const { api, key, connect, calls } = await start()
  const headers = { 'x-tallystick-session': 'run-9' }
  const client = await connect(headers)
  const chat = { model: 'mock/echo', messages: [{ role: 'user', content: 'hi' }] }
  const answer = await fetch(new URL('/v1/chat/completions', service.address), {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chat),
  })
  expect(answer.status).toBe(200)
  await echo(client, 'hello')
  await client.callTool({ name: 'fail', arguments: {} })
  const told = (await calls('session=run-9')).map((call: Record<string, unknown>) => [
    call.kind,
    call.model,
    call.toolError,
    call.costUsd,
  ])
  expect(told.slice(0, 2)).toEqual([
    ['tool', 'words__fail', true, 0.01],
    ['tool', 'words__echo', false, 0.01],
  ])
  expect(told[2]?.slice(0, 2)).toEqual(['model', 'mock/echo'])

  const exported: string = (await api.get('/v1/compliance/export')).body
  async function* chunks() {
    yield Buffer.from(exported)
  }
  const findings = await checkFiles([{ name: 'export', ...splitLines(chunks()), shareRead: () => null }], {
    ...{ trusted: trustKeys([]), checkpoints: [], costs: true, hints: { key: '', checkpoint: '' } },
  })
  expect(findings.map(({ fault, unproved }) => [fault, unproved])).toEqual(
    findings.map(() => [null, undefined]),
  )
  const { totals, checkCoverage } = (await api.get('/v1/compliance/attestation')).body
  expect(totals).toMatchObject({ chainVerified: true, modelReceipts: 1, toolReceipts: 2 })
  expect(checkCoverage).toContainEqual({
    ...{ name: 'tool_allowlist', receipts: 2, applicableReceipts: 2, pct: 100 },
  })
})

test('calls that a limit of the server refuses are counted in usage, and leave no receipt', async () => {
  const { api, connect, calls } = await start({ rpmLimit: 2 })
  const client = await connect()
  const ended = await Promise.allSettled(Array.from({ length: 5 }, () => echo(client, 'x')))
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await calls()).toHaveLength(2)
  const usage = async () => (await api.get('/v1/usage?range=1h&kind=tool&groupBy=server')).body
  await waitFor('the refusals', async () => (await usage()).totals.rateLimited === 3)
  expect((await usage()).groups).toMatchObject([{ key: 'words', requests: 2, rateLimited: 3 }])
  const page = new MetricsReading((await service.api.get('/metrics')).body)
  expect(page.sum('tallystick_rate_limited_total', { endpoint: 'mcp' })).toBe(3)
  expect(page.sum('tallystick_tool_calls_total', { server: 'words', tool: 'echo' })).toBeGreaterThanOrEqual(2)
})

test('what was said is kept as the tenant wants it, for those who may read it', async () => {
  const { api, keyId, connect, calls } = await start()
  const client = await connect()
  const contentOf = async () => {
    const [{ requestId }] = await calls()
    await waitFor('the content', async () => {
      const { state } = (await api.get(`/v1/calls/${requestId}/content`)).body
      return state !== 'pending'
    })
    return (await api.get(`/v1/calls/${requestId}/content`)).body
  }
  const capture = (mode: string) => api.put('/v1/settings/content-capture', { mode, retentionDays: 5 })
  await echo(client, 'nobody hears this')
  expect(await contentOf()).toMatchObject({ state: 'off' })

  await api.post('/v1/policies', {
    ...{ name: 'mail', kind: 'pii', action: 'redact', phase: 'both', scope: { type: 'key', id: keyId } },
    config: { entities: ['email'], restore: true },
  })
  await capture('redacted')
  expect(await echo(client, 'write to ada@example.com')).toMatchObject({
    content: [{ text: 'write to ada@example.com' }],
  })
  const redacted = await contentOf()
  expect(redacted).toMatchObject({
    ...{ state: 'captured', mode: 'redacted' },
    attempts: [{ request: { body: { method: 'tools/call', params: { name: 'echo' } } } }],
  })
  expect(JSON.stringify(redacted)).not.toContain('ada@example.com')

  await capture('full')
  await echo(client, 'write to ada@example.com')
  expect(await contentOf()).toMatchObject({
    ...{ state: 'captured', mode: 'full' },
    attempts: [
      {
        request: {
          body: { method: 'tools/call', params: { arguments: { text: 'write to ada@example.com' } } },
        },
        answer: { body: { result: { content: [{ text: 'write to ada@example.com' }] } } },
      },
    ],
  })

  // Refused: nothing was forwarded.
  await capture('redacted')
  await api.post('/v1/policies', {
    ...{ name: 'no', kind: 'keywords', action: 'block', phase: 'input', scope: { type: 'key', id: keyId } },
    config: { words: ['falcon'] },
  })
  await expect(echo(client, 'project falcon')).rejects.toThrow()
  const refused = await contentOf()
  expect(refused).toMatchObject({
    attempts: [{ request: { text: '', note: expect.stringContaining('not forwarded') }, answer: null }],
  })
})
