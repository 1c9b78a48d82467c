import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addMcpServer,
  initialize,
  modernRpc,
  openRpc,
  postRpc,
  type RpcStream,
  rpc,
} from '../../harness/mcp/mcp-gateway.js'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../harness/mcp/mcp-server.js'
import { sampleTools } from '../../harness/mcp/mcp-tools.js'
import { waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
let server: OfficialMcpServer
let all: string
let key: string
const waiting: AbortSignal[] = []
const streams: RpcStream[] = []

beforeAll(async () => {
  service = await shareTestService()
  server = await startOfficialMcpServer({ era: 'legacy', build: sampleTools(waiting) })
  await addMcpServer(service.api, server, { name: 'server', maxResultBytes: 32 * 1024 * 1024 })
  all = `${service.address}/mcp`
  key = service.managerKey
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.hangUp()
  waiting.length = 0
})
afterAll(async () => {
  await service.stop()
  await server.close()
})

const newKey = async (settings: object = {}): Promise<{ id: string; key: string }> =>
  (await service.api.post('/v1/keys', { name: 'another', ...settings })).body
const call = (id: string | number, tool: string, params: object = {}) =>
  rpc(id, 'tools/call', { name: `server__${tool}`, arguments: {}, ...params })
/** The number of the newest call. */
const lastSeq = async (): Promise<number> =>
  (await service.api.get('/v1/calls?limit=1')).body.data[0]?.receiptSeq ?? 0
/** How the newest call ended; null while there is none after that. */
async function newestCall(after: number): Promise<string | null> {
  const [newest] = (await service.api.get('/v1/calls?limit=1')).body.data
  return newest !== undefined && newest.receiptSeq > after ? newest.outcome : null
}
const asking = { capabilities: { elicitation: {} } }
async function open(headers: Record<string, string>, body: unknown = null, as = key): Promise<RpcStream> {
  const stream = await openRpc(all, as, headers, body)
  streams.push(stream)
  return stream
}
const first = async (stream: RpcStream) => await waitFor('a message', () => stream.messages[0])
const status = async (headers: Record<string, string>, as = key, url = all) =>
  (await postRpc(url, as, rpc(1, 'ping'), headers)).status
const remove = (headers: Record<string, string>, as = key) =>
  fetch(all, { method: 'DELETE', headers: { authorization: `Bearer ${as}`, ...headers } })

describe('a session', () => {
  test('belongs to the key and the path that it began with', async () => {
    const session = await initialize(all, key)
    const other = await newKey({ role: 'manager' })
    const tenant = await addTenant(service, 'someone-else')
    expect(await status(session)).toBe(200)
    expect(await status(session, other.key)).toBe(404)
    expect(await status(session, tenant.managerKey)).toBe(404)
    expect(await status(session, key, `${all}/server`)).toBe(404)
    const token = session['mcp-session-id'] ?? ''
    const forged = [
      '',
      'x',
      token.slice(0, -2),
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
      'A'.repeat(9_000),
    ]
    for (const each of forged) expect(await status({ 'mcp-session-id': each })).toBe(404)
  })

  test('ends when its caller says so, and the session of the server with it', async () => {
    const session = await initialize(all, key)
    await postRpc(all, key, call(1, 'echo'), session)
    await waitFor('a session of the server', () => server.sessions() > 0)
    expect((await remove({})).status).toBe(400)
    const other = await newKey()
    expect((await remove(session, other.key)).status).toBe(404)
    const before = server.sessions()
    expect((await remove(session)).status).toBe(204)
    expect((await remove(session)).status).toBe(404)
    expect(await status(session)).toBe(404)
    expect((await openRpc(all, key, session)).status).toBe(404)
    await waitFor('the session of the server to end', () => server.sessions() < before)
  })

  test('is what calls are filed under', async () => {
    const session = await initialize(all, key)
    const { headers } = await postRpc(all, key, call(1, 'echo'), session)
    const again = await postRpc(all, key, call(2, 'echo'), session)
    const sessionOf = async (answer: Headers) =>
      (await service.api.get(`/v1/compliance/receipts/${answer.get('x-tallystick-receipt')}`)).body
    const one = JSON.stringify(await sessionOf(headers)).match(/mcp-[0-9a-f]{16}/)?.[0]
    expect(one).toBeDefined()
    expect(JSON.stringify(await sessionOf(again.headers))).toContain(one)
  })

  test('is told of as much as it wants', async () => {
    const session = await initialize(all, key)
    const levels = async () =>
      (await postRpc(all, key, call(1, 'log'), session)).messages.flatMap(({ params }) => params?.level ?? [])
    expect(await levels()).toEqual(['debug', 'warning'])
    await postRpc(all, key, rpc(1, 'logging/setLevel', { level: 'warning' }), session)
    expect(await levels()).toEqual(['warning'])
    const { messages } = await postRpc(all, key, call(1, 'log'), session)
    expect(messages[0].params.logger).toBe('server')
  })
})

describe('a question of a server', () => {
  test('is for callers that can be asked', async () => {
    for (const headers of [{}, await initialize(all, key)]) {
      const { messages } = await postRpc(all, key, call(1, 'ask'), headers as Record<string, string>)
      expect(messages).toHaveLength(1)
      expect(JSON.stringify(messages[0])).toMatch(/isError|error/)
    }
    const session = await initialize(all, key, asking)
    const { messages } = await postRpc(all, key, call(1, 'ask'), { ...session, accept: 'application/json' })
    expect(messages).toHaveLength(1)
  })

  test('is answered by whoever was asked, and by nobody else', async () => {
    const session = await initialize(all, key, asking)
    const stream = await open(session, call(7, 'ask'))
    const question = await first(stream)
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { message: '[server] Your name?' },
    })
    const reply = (id: unknown, name: string) => ({
      jsonrpc: '2.0',
      id,
      result: { action: 'accept', content: { name } },
    })
    const send = async (body: unknown, headers: Record<string, string>, as = key) =>
      (await postRpc(all, as, body, headers)).status
    const sameKey = await initialize(all, key, asking)
    const other = await newKey()
    const otherSession = await initialize(all, other.key, asking)
    expect(await send(reply(question.id, 'no session'), {})).toBe(400)
    expect(await send(reply(question.id, 'another session'), sameKey)).toBe(400)
    expect(await send(reply(question.id, 'another key'), otherSession, other.key)).toBe(400)
    expect(await send(reply(question.id, 'stolen session'), session, other.key)).toBe(404)
    for (const id of [7, '7', 'ask-AAAAAAAAAAAAAAAA-AAAAAAAAAAAAAAAAAAAAAA', `${question.id}x`])
      expect(await send(reply(id, 'nobody'), session)).toBe(400)
    expect(stream.messages).toHaveLength(1)

    const number = 12_345_678_901_234_567_890n
    const text = JSON.stringify(reply(question.id, 'Ada')).replace('"Ada"', `"Ada","n":${number}`)
    expect(await send(text, session)).toBe(202)
    expect(await send(reply(question.id, 'twice'), session)).toBe(202)
    await waitFor('the end', () => stream.isOver())
    expect(JSON.stringify(stream.messages.at(-1))).toContain('Ada')
    expect(server.seen.some(({ raw }) => raw.includes(String(number)))).toBe(true)
  })

  test('is over when its caller hangs up', async () => {
    const before = await lastSeq()
    const session = await initialize(all, key, asking)
    const stream = await open(session, call(8, 'ask'))
    await first(stream)
    stream.hangUp()
    await waitFor('the receipt', async () => (await newestCall(before)) === 'aborted')
  })
})

describe('a request that its caller wants no answer to', () => {
  const cancel = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  })

  test('is named by its session alone, and all of that id end', async () => {
    const session = await initialize(all, key)
    const pending = [1, 2].map(() => postRpc(all, key, call('same', 'wait'), session))
    await waitFor('both', () => waiting.length === 2)
    const others: [Record<string, string>, string][] = [
      [{}, key],
      [await initialize(all, key), key],
    ]
    for (const [headers, as] of others)
      expect((await postRpc(all, as, cancel('same'), headers)).status).toBe(202)
    for (const id of [null, 7, {}, 'other']) await postRpc(all, key, cancel(id), session)
    expect(waiting.some(({ aborted }) => aborted)).toBe(false)
    await postRpc(all, key, cancel('same'), session)
    await Promise.all(pending)
    await waitFor('the server to be told', () => waiting.every(({ aborted }) => aborted))
  })

  test('is one whose caller hung up, whenever it did', async () => {
    const before = await lastSeq()
    const send = async (bytes: string | null) => {
      const socket = connect(Number(new URL(all).port), '127.0.0.1')
      const body = JSON.stringify(call(1, 'wait'))
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      socket.write(bytes ?? body)
      if (bytes === null) await waitFor('the call to reach the server', () => waiting.length > 0)
      socket.destroy()
    }
    await send('{"jsonrpc"')
    await send(null)
    await waitFor('the server to be told', () => waiting[0]?.aborted === true)
    await waitFor('the receipt', async () => (await newestCall(before)) === 'aborted')
  })

  test('is held for its caller up to a bound where that does not read', async () => {
    const notice = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'x'.repeat(100_000) },
    })
    server.intercept(({ body }) =>
      body?.method === 'tools/call'
        ? new Response(
            `${`data: ${notice}\n\n`.repeat(250)}data: {"jsonrpc":"2.0","id":${body.id},"result":{"content":[]}}\n\n`,
            { headers: { 'content-type': 'text/event-stream' } },
          )
        : null,
    )
    const before = await lastSeq()
    const socket = connect(Number(new URL(all).port), '127.0.0.1')
    const body = JSON.stringify(call(1, 'echo'))
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    socket.pause()
    await waitFor('the receipt', async () => await newestCall(before))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    server.intercept(null)
    expect(text).toContain('"result":{"content":[]}')
    expect(text.length).toBeLessThan(20_000_000)
  })
})

describe('callers that wait for changes', () => {
  const changeTools = async (open: boolean) => {
    const [{ id }] = (await service.api.get('/v1/mcp-servers')).body.data
    await service.api.patch(`/v1/mcp-servers/${id}`, { enabled: open })
  }

  test('are told when their tools change, and of nothing else', async () => {
    const { key: few } = await newKey({ allowedTools: ['other__*'] })
    const [stream, blind] = [await open(await initialize(all, key)), await open({}, null, few)]
    const { body, headers } = modernRpc('sub', 'subscriptions/listen', {
      notifications: { toolsListChanged: true, promptsListChanged: true },
    })
    const modern = await open(headers, body)
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'sub' }
    await first(modern)
    await newKey()
    await changeTools(false)
    await waitFor('the change', () => stream.messages.length === 1 && modern.messages.length === 2)
    expect(stream.messages).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }])
    expect(modern.messages).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true }, _meta },
      },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta } },
    ])
    await changeTools(true)
    await waitFor('the change back', () => stream.messages.length === 2)
    expect(blind.messages).toEqual([])
  })

  test('wait no longer than their key is good', async () => {
    const other = await newKey()
    const stream = await open({}, null, other.key)
    await service.api.delete(`/v1/keys/${other.id}`)
    await waitFor('the end', () => stream.isOver())
  })

  test('are so many at a time, and take streams', async () => {
    const other = await newKey()
    const get = (accept: string) =>
      fetch(all, { headers: { authorization: `Bearer ${other.key}`, accept } }).then(({ status: s }) => s)
    expect(await get('application/json')).toBe(406)
    const opened = []
    for (let i = 0; i < 20; i++) opened.push(await open({}, null, other.key))
    expect(opened.every((each) => each.status === 200)).toBe(true)
    expect((await open({}, null, other.key)).status).toBe(429)
    opened[0]?.hangUp()
    await waitFor('a place', async () => (await open({}, null, other.key)).status === 200)
  })

  test('of 2026-07-28 that ask for nothing that there is are told so', async () => {
    const { body, headers } = modernRpc(3, 'subscriptions/listen', {
      notifications: { promptsListChanged: true },
    })
    const stream = await open(headers, body)
    await waitFor('the end', () => stream.isOver())
    expect(stream.messages).toMatchObject([
      { params: { notifications: {} } },
      { id: 3, result: { resultType: 'complete' } },
    ])
    const wrong = modernRpc(3, 'subscriptions/listen')
    const { messages } = await postRpc(all, key, wrong.body, wrong.headers)
    expect(messages[0]).toMatchObject({ id: 3, error: { code: -32_602 } })
  })
})
