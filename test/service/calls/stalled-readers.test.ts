import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addMcpServer, postRpc, rpc } from '../../harness/mcp/mcp-gateway.js'
import { type Scripted, startScriptedMcp } from '../../harness/mcp/scripted-mcp.js'
import { startEvents } from '../../harness/providers/upstream.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

const stallMs = 1_000

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ env: { TALLYSTICK_CLIENT_STALL_MS: String(stallMs) } })
})
afterAll(() => gateway.stop())

const event = {
  choices: [{ index: 0, delta: { content: 'word '.repeat(4_000) }, finish_reason: null }],
}
const mebibyte = 1024 * 1024

/** A provider that writes as fast as it is read. */
function writeWithoutEnd(): { sent(): number; hasEnded(): boolean } {
  let sent = 0
  let hasEnded = false
  gateway.upstream.answerWith((_, response) => {
    startEvents(response)
    const bytes = Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
    const write = () => {
      while (!hasEnded) {
        sent += bytes.length
        if (!response.write(bytes)) break
      }
    }
    response.on('drain', write)
    response.on('close', () => {
      hasEnded = true
    })
    write()
  })
  return { sent: () => sent, hasEnded: () => hasEnded }
}

async function ask(): Promise<{ caller: ClientRequest; response: IncomingMessage }> {
  const { hostname, port } = new URL(gateway.service.address)
  const caller = request({
    ...{ hostname, port, method: 'POST', path: '/v1/chat/completions', agent: false },
    headers: { authorization: `Bearer ${await gateway.key()}`, 'content-type': 'application/json' },
  })
  caller.on('error', () => undefined)
  const messages = [{ role: 'user', content: 'hi' }]
  caller.end(JSON.stringify({ model: 'gpt-4o', messages, max_tokens: 100, stream: true }))
  const [response] = await once(caller, 'response')
  response.on('error', () => undefined)
  return { caller, response }
}

const metric = async (name: string): Promise<number> => {
  const page = await fetch(`${gateway.service.address}/metrics`)
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await page.text())?.[1])
}

test('a caller that does not read is cut off, and its call is settled like one that hung up', async () => {
  const provider = writeWithoutEnd()
  const { caller, response } = await ask()
  response.pause()
  const receipt = await gateway.nextReceipt()
  expect(receipt).toMatchObject({ outcome: 'aborted', status: 499 })
  expect(receipt.checks).toContainEqual({
    ...{ name: 'reader', applicable: true, result: 'fail', action: 'block' },
  })
  await waitFor('the provider to be let go', async () => provider.hasEnded() || undefined)
  await waitFor(
    'the metric',
    async () => (await metric('tallystick_stalled_readers_total')) === 1 || undefined,
  )
  await waitFor(
    'the stream to be over',
    async () => (await metric('tallystick_streams_open')) === 0 || undefined,
  )
  caller.destroy()
})

test('a caller that reads slowly is waited for, however long it takes', async () => {
  const provider = writeWithoutEnd()
  const { caller, response } = await ask()
  const startedMs = performance.now()
  let read = 0
  // More than the system holds for it on its way, so that something always waits; a pause is far below the limit.
  for await (const chunk of response) {
    const before = read
    read += chunk.length
    if (Math.floor(before / mebibyte) < Math.floor(read / mebibyte)) await pause(stallMs / 10)
    if (read > 20 * mebibyte && performance.now() - startedMs > 2 * stallMs) break
  }
  expect(provider.hasEnded()).toBe(false)
  caller.destroy()
  const receipt = await gateway.nextReceipt()
  expect(receipt.outcome).toBe('aborted')
  expect(receipt.checks?.map(({ name }) => name)).not.toContain('reader')
})

/** The only call of a server's tools. */
const toolReceipt = (server: string) =>
  waitFor('the receipt', async () => {
    const [row] = await gateway.service.database.query<{ canonical: string }>(
      `select canonical from receipts
        where canonical::json ->> 'kind' = 'tool' and canonical::json ->> 'server' = $1`,
      [server],
    )
    return row && JSON.parse(row.canonical)
  })

async function startTools(answer: (scripted: Scripted) => void) {
  const tools = [{ name: 'report', inputSchema: { type: 'object' } }]
  const server = await startScriptedMcp({ era: 'modern', tools, answer })
  onTestFinished(() => server.close())
  return server
}

test('a caller of a tool that does not read what it is told meanwhile is cut off too', async () => {
  let hasEnded = false
  const server = await startTools(({ response }) => {
    const params = { level: 'info', data: 'x'.repeat(200_000) }
    const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${notice}\n\n`.repeat(100))
    response.on('close', () => {
      hasEnded = true
    })
  })
  const api = gateway.service.api
  await addMcpServer(api, server, { name: 'noisy', maxResultBytes: 32 * mebibyte })
  const caller = request(`${gateway.service.address}/mcp`, {
    ...{ method: 'POST', agent: false },
    headers: { authorization: `Bearer ${await gateway.key()}`, 'content-type': 'application/json' },
  })
  caller.on('error', () => undefined)
  caller.end(JSON.stringify(rpc(1, 'tools/call', { name: 'noisy__report', arguments: {} })))
  const [response] = await once(caller, 'response')
  response.on('error', () => undefined).pause()
  const receipt = await toolReceipt('noisy')
  expect(receipt).toMatchObject({ outcome: 'aborted', status: 499 })
  expect(receipt.checks).toContainEqual({
    ...{ name: 'reader', applicable: true, result: 'fail', action: 'block' },
  })
  await waitFor('the server to be let go', () => hasEnded)
  caller.destroy()
})

test('the receipt of a tool whose result is too large says so', async () => {
  const server = await startTools(({ sendJson, result }) =>
    sendJson(result({ content: [{ type: 'text', text: 'x'.repeat(4_096) }] })),
  )
  await addMcpServer(gateway.service.api, server, { name: 'large', maxResultBytes: 2_048 })
  const called = rpc(1, 'tools/call', { name: 'large__report', arguments: {} })
  const { messages } = await postRpc(`${gateway.service.address}/mcp`, await gateway.key(), called)
  expect(messages[0].error).toBeDefined()
  const receipt = await toolReceipt('large')
  expect(receipt).toMatchObject({ outcome: 'upstream_error', status: 502 })
  expect(receipt.checks).toContainEqual({
    ...{ name: 'answer_size', applicable: true, result: 'fail', action: 'block' },
  })
})
