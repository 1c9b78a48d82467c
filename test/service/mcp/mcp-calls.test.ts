import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { McpServer } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../harness/mcp/mcp-server.js'
import { random } from '../../harness/run/seed.js'
import { waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let modern: OfficialMcpServer
let legacy: OfficialMcpServer

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

async function addServer(name: string, url: string, settings: object = {}): Promise<string> {
  const { body } = await service.api.post('/v1/mcp-servers', { name, url, open: true, ...settings })
  const refreshed = await service.api.post(`/v1/mcp-servers/${body.id}/refresh`)
  expect([refreshed.body.status, refreshed.body.statusMessage]).toEqual(['ok', null])
  await approveAll(body.id)
  return body.id
}

async function approveAll(id: string): Promise<void> {
  const { body } = await service.api.get(`/v1/mcp-servers/${id}/tools`)
  const tools = body.data.map(({ name, hash }: { name: string; hash: string }) => ({ name, hash }))
  const { status } = await service.api.post(`/v1/mcp-servers/${id}/approve`, { tools })
  expect(status).toBe(200)
}

async function connect(key: string, mode: 'legacy' | 'auto', path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, service.address), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  return client
}

async function newKey(settings: object = {}): Promise<{ id: string; key: string }> {
  return (await service.api.post('/v1/keys', { name: 'caller', ...settings })).body
}

const callsOf = async (keyId: string) =>
  (await service.api.get(`/v1/calls?keyId=${keyId}&limit=50`)).body.data as Record<string, unknown>[]

describe.each(['legacy', 'auto'] as const)('a client in the mode %s', (mode) => {
  test.each(['newer', 'older'])('calls a tool of the %s server, and leaves a receipt', async (server) => {
    const { id, key } = await newKey()
    const client = await connect(key, mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain(`${server}__echo`)
    const result = await client.callTool({ name: `${server}__echo`, arguments: { text: 'Hello' } })
    expect(result.content).toEqual([{ type: 'text', text: 'Hello' }])
    expect(await callsOf(id)).toMatchObject([
      {
        kind: 'tool',
        server,
        tool: 'echo',
        provider: `mcp:${server}`,
        model: `${server}__echo`,
        outcome: 'ok',
      },
    ])
  })

  test('a result that is an error is told from an error of the protocol', async () => {
    const { id, key } = await newKey()
    const client = await connect(key, mode, '/mcp/newer')
    expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('Unknown tool: nothing')
    expect(await callsOf(id)).toMatchObject([{ tool: 'fail', outcome: 'ok', toolError: true }])
  })
})

test('a call is paid for, and refused when there is no money left', async () => {
  const paid = await startOfficialMcpServer({ era: 'modern', build })
  onTestFinished(() => paid.close())
  await addServer('paid', paid.url, { pricePerCallUsd: 0.01 })
  const { id, key } = await newKey()
  await service.api.post('/v1/budgets', { name: 'small', amountUsd: 0.025, scope: { type: 'key', id } })
  const client = await connect(key, 'auto', '/mcp/paid')
  const call = () => client.callTool({ name: 'echo', arguments: { text: 'x' } })
  await call()
  await call()
  await expect(call()).rejects.toMatchObject({ data: { type: 'budget_exceeded' } })
  expect(paid.seenOf('tools/call')).toHaveLength(2)
  expect((await callsOf(id)).map(({ outcome, costUsd }) => [outcome, costUsd])).toEqual([
    ['blocked', 0],
    ['ok', 0.01],
    ['ok', 0.01],
  ])
})

test('the limits per minute of the key and of the server hold', async () => {
  const limited = await startOfficialMcpServer({ era: 'modern', build })
  onTestFinished(() => limited.close())
  await addServer('limited', limited.url, { rpmLimit: 5 })
  const keys = await Promise.all([newKey({ rpmLimit: 3 }), newKey()])
  const clients = await Promise.all(keys.map(({ key }) => connect(key, 'auto', '/mcp/limited')))
  const ended = await Promise.allSettled(
    clients.flatMap((client) =>
      Array.from({ length: 10 }, () => client.callTool({ name: 'echo', arguments: { text: 'x' } })),
    ),
  )
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(limited.seenOf('tools/call')).toHaveLength(5)
  expect(await callsOf(keys[0]?.id ?? '')).toHaveLength(
    ended.slice(0, 10).filter(({ status }) => status === 'fulfilled').length,
  )
})

test('a first limit on a server, and one that a new server of the same name has, count the calls before it', async () => {
  const server = await startOfficialMcpServer({ era: 'modern', build })
  onTestFinished(() => server.close())
  const startedMs = performance.now()
  const id = await addServer('busy', server.url)
  const { key } = await newKey()
  const client = await connect(key, 'auto', '/mcp/busy')
  const call = () => client.callTool({ name: 'echo', arguments: { text: 'x' } })
  for (let i = 0; i < 3; i++) await call()
  const refusedAlways = async () => {
    const error = await call().then(
      () => null,
      ({ data }) => data,
    )
    // On a machine that was paused for that long, the window may have moved on.
    if (performance.now() - startedMs < 50_000) expect(error).toMatchObject({ type: 'rate_limit_exceeded' })
  }
  await service.api.patch(`/v1/mcp-servers/${id}`, { rpmLimit: 3 })
  await refusedAlways()
  await service.api.patch(`/v1/mcp-servers/${id}`, { rpmLimit: null })
  await call()
  await service.api.delete(`/v1/mcp-servers/${id}`)
  await addServer('busy', server.url, { rpmLimit: 4 })
  await refusedAlways()
})

test('policies judge arguments and results', async () => {
  const { id, key } = await newKey()
  const scope = { type: 'key', id }
  const add = async (policy: object) =>
    expect((await service.api.post('/v1/policies', { scope, ...policy })).status).toBe(201)
  await add({
    name: 'no plans',
    kind: 'keywords',
    action: 'block',
    phase: 'input',
    config: { words: ['falcon'] },
  })
  await add({ name: 'mail', kind: 'pii', action: 'redact', phase: 'output', config: { entities: ['email'] } })
  await add({
    name: 'short',
    kind: 'expression',
    action: 'block',
    config: { cel: 'tool.name == "newer__echo" && size(tool.arguments.text) > 40' },
  })
  const client = await connect(key, 'auto', '/mcp/newer')
  const echo = (text: string) => client.callTool({ name: 'echo', arguments: { text } })
  await expect(echo('project Falcon')).rejects.toMatchObject({ data: { type: 'policy_violation' } })
  await expect(echo('x'.repeat(41))).rejects.toMatchObject({ data: { type: 'policy_violation' } })
  const result = await echo('write to ada@example.com')
  expect(JSON.stringify(result.content)).not.toContain('ada@example.com')
  expect((await callsOf(id)).map(({ outcome }) => outcome)).toEqual(['redacted', 'blocked', 'blocked'])
})

test('a closed server gives nobody anything until a list or a policy names its tools', async () => {
  const closed = await startOfficialMcpServer({ era: 'modern', build })
  onTestFinished(() => closed.close())
  await addServer('closed', closed.url, { open: false })
  const named = await newKey({ allowedTools: ['closed__ec*'] })
  const unnamed = await newKey()
  const byPolicy = await newKey()
  const scope = { type: 'key', id: byPolicy.id }
  await service.api.post('/v1/policies', {
    ...{ name: 'closed', kind: 'tools', action: 'block', scope },
    config: { allow: ['closed__*'], deny: ['closed__fail'] },
  })
  for (const [{ key }, expected] of [
    [named, ['closed__echo']],
    [byPolicy, ['closed__echo']],
    [unnamed, []],
  ] as const) {
    const client = await connect(key, 'auto')
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('closed__'))).toEqual(expected)
    const call = (name: string) => client.callTool({ name: `closed__${name}`, arguments: { text: 'x' } })
    await expect(call('fail')).rejects.toThrow('Unknown tool')
    if (expected.length > 0) expect(await call('echo')).toMatchObject({ content: [{ text: 'x' }] })
    else await expect(call('echo')).rejects.toThrow('Unknown tool')
  }
  expect(closed.seenOf('tools/call')).toHaveLength(2)
})

test('a server that a policy denies as a whole is not there, though it is open', async () => {
  const { id, key } = await newKey()
  await service.api.post('/v1/policies', {
    ...{ name: 'not that one', kind: 'tools', action: 'block', scope: { type: 'key', id } },
    config: { deny: ['newer__*'] },
  })
  await expect(connect(key, 'auto', '/mcp/newer')).rejects.toThrow()
  const client = await connect(key, 'auto')
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('older__echo')
  expect(names).not.toContain('newer__echo')
})

test('many calls at once, some of which hang up, do not pass a budget; what the server saw is paid', async () => {
  const paid = 30
  const slow = await startOfficialMcpServer({
    era: 'modern',
    build(server) {
      server.registerTool('wait', { inputSchema: z.object({ n: z.number() }) }, async ({ n }) => {
        await new Promise((resolve) => setTimeout(resolve, random() * 50))
        return { content: [{ type: 'text', text: `waited ${n}` }] }
      })
    },
  })
  onTestFinished(() => slow.close())
  await addServer('slow', slow.url, { pricePerCallUsd: 0.5 })
  const { id, key } = await newKey()
  await service.api.post('/v1/budgets', { name: 'all', amountUsd: paid * 0.5, scope: { type: 'key', id } })
  await Promise.all(
    Array.from({ length: 120 }, async (_, n) => {
      const hangUp = new AbortController()
      if (n % 3 === 0) setTimeout(() => hangUp.abort(), random() * 60)
      const params = { name: 'wait', arguments: { n } }
      const response = await fetch(`${service.address}/mcp/slow`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params }),
        signal: hangUp.signal,
      }).catch(() => null)
      await response?.text().catch(() => null)
    }),
  )
  // One whose caller has left may still reach the server: these are in the record when no call is open.
  const seen = slow.seenOf('tools/call').length
  const receipts = await waitFor('all calls are recorded', async () => {
    const [row] = await service.database.query<{ open: number }>(
      'select count(*)::int as open from open_calls',
    )
    return row?.open === 0 && (await service.database.query<{ canonical: string }>(receiptsOf, [id]))
  })
  const entries = receipts.map(({ canonical }) => JSON.parse(canonical))
  const costs = entries.map(({ costNanos }: { costNanos: number }) => costNanos)
  expect(slow.seenOf('tools/call').length).toBeLessThanOrEqual(paid)
  expect(costs.filter((cost) => cost > 0).length).toBeGreaterThanOrEqual(seen)
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeLessThanOrEqual(paid * 500_000_000)
})

const receiptsOf = `select canonical from receipts where canonical::json ->> 'key' = $1`
