import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from 'vitest'
import { type OfficialMcpServer, startOfficialMcpServer } from '../harness/mcp/mcp-server.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { startConsole, type TestConsole } from './harness/console.js'
import { accessibilityFaults, settled, type Visit, visit } from './harness/visit.js'

// Calls of tools among the calls: found, opened, explained, and held against the record in the browser.

const test = anyTest.skipIf(chromiumPath === undefined)

let tally: TestConsole
let upstream: OfficialMcpServer
let visitor: Visit | null = null

const build = (server: McpServer) => {
  const inputSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object' })
  server.registerTool('read_note', { description: 'Reads a note', inputSchema }, async () => ({
    content: [{ type: 'text', text: 'a note' }],
  }))
  server.registerTool('lose_note', { description: 'Loses a note', inputSchema }, async () => ({
    isError: true,
    content: [{ type: 'text', text: 'It is lost' }],
  }))
}

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  tally = await startConsole()
  upstream = await startOfficialMcpServer({ era: 'stateless', build })
  const settings = { name: 'notes', url: upstream.url, open: true, pinning: 'off', pricePerCallUsd: 0.002 }
  const { body } = await tally.api.post('/v1/mcp-servers', settings)
  await tally.api.post(`/v1/mcp-servers/${body.id}/refresh`, undefined)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = {
    headers: { authorization: `Bearer ${tally.managerKey}`, 'x-tallystick-session': 'run-3' },
  }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp/notes', tally.address), { requestInit }),
  )
  await client.callTool({ name: 'read_note', arguments: { name: 'plan' } })
  await client.callTool({ name: 'lose_note', arguments: {} })
  await client.close()
  const chat = { model: 'mock/echo', messages: [{ role: 'user', content: 'hi' }] }
  await tally.api.post('/v1/chat/completions', chat)
})
afterAll(async () => {
  await tally?.stop()
  await upstream?.close()
})
afterEach(async () => {
  expect(visitor?.complaints() ?? []).toEqual([])
  await visitor?.close()
  visitor = null
})

test('they stand beside those of models, are filtered by kind, and say what went wrong and what they cost', async () => {
  visitor = await visit({ address: tally.address, key: tally.managerKey })
  const { page } = visitor
  await page.goto(`${tally.address}/calls`)
  const rows = page.getByRole('grid').getByRole('row')
  await expect.poll(() => rows.count()).toBe(3)
  await page.goto(`${tally.address}/calls?kind=tool`)
  await expect.poll(() => rows.count()).toBe(2)
  await page
    .getByRole('row', { name: /notes lose_note/ })
    .getByText('tool failed')
    .waitFor()
  await settled(page)
  expect(await accessibilityFaults(page)).toEqual([])

  await page.getByRole('row', { name: /notes lose_note/ }).click()
  const panel = page.getByRole('dialog').or(page.getByRole('complementary')).last()
  await panel.getByText('The tool reported a failure.').waitFor()
  await panel.getByText('1 × tool call').waitFor()
  await panel.getByText('called the tool').waitFor()
  await settled(page)
  expect(await accessibilityFaults(page)).toEqual([])
  // What the page shows is what was hashed.
  await panel.getByText(/The values shown match the receipt. Verified in this browser/).waitFor()
})
