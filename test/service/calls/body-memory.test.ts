import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../harness/run/wait.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** Listened for from the start: the service may close a socket before anybody waits for it. */
const closeOf = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

interface Stalled {
  socket: Socket
  closed: Promise<void>
  status(): string | null
}

/** Announces a body, sends none of it, and waits. */
function stall(path: string, headers: Record<string, string>): Stalled {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  const closed = closeOf(socket)
  let received = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    received += chunk
  })
  const lines = Object.entries({ host: 'here', 'content-type': 'application/json', ...headers })
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  return { socket, closed, status: () => /^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? null }
}

async function memberKey(): Promise<string> {
  return (await service.api.post('/v1/keys', { name: 'A member' })).body.key
}

const fileRequest = { budgetId: 'bud_none', amountUsd: 1, reason: 'More' }

test.each(['/nowhere', '/healthz', '/docs/', '/v1/keys/key_none'])(
  'a body for %s, which takes none, is not waited for',
  async (path) => {
    const { socket, status } = stall(path, { 'content-length': '1000000' })
    await waitFor('an answer', () => status() !== null)
    expect(status()).toBe('404')
    socket.destroy()
  },
)

test.each([
  ['whose length is told', { 'content-length': String(1024 * 1024) }],
  ['whose length is not told', { 'transfer-encoding': 'chunked' }],
])('management bodies %s are bounded for each key while they are under way', async (_, headers) => {
  const key = await memberKey()
  const stalled = Array.from({ length: 17 }, () =>
    stall('/v1/budgets/requests', { authorization: `Bearer ${key}`, ...headers }),
  )
  await waitFor('a refusal', () => stalled.some(({ status }) => status() !== null))
  expect(stalled.map(({ status }) => status()).filter((status) => status !== null)).toEqual(['429'])

  const refused = await service.as(key).post('/v1/budgets/requests', fileRequest)
  expect(refused.status).toBe(429)
  expect(refused.body.error.message).toContain('of this key')
  expect((await service.as(key).get('/v1/budgets')).status).toBe(200)
  const other = await memberKey()
  expect((await service.as(other).post('/v1/budgets/requests', fileRequest)).status).toBe(404)

  await Promise.all(
    stalled.map(({ socket, closed }) => {
      socket.destroy()
      return closed
    }),
  )
  await waitFor(
    'room',
    async () => (await service.as(key).post('/v1/budgets/requests', fileRequest)).status === 404,
  )
})

test('a request behind another one on its connection is refused, and holds nothing after the caller has left', async () => {
  const key = await memberKey()
  const call = JSON.stringify({ model: 'mock/slow', messages: [{ role: 'user', content: 'Hi' }] })
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  const first = head('/v1/chat/completions', call.length) + call
  const { hostname, port } = new URL(service.address)

  async function sendBoth(second: string, leavesEarly: boolean): Promise<string> {
    const socket = connect(Number(port), hostname)
    const closed = closeOf(socket)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.write(first + second)
    if (leavesEarly) {
      // Answered after the other two were begun: the service reads in the order in which they come. It may have closed by then.
      await service.as(key).get('/v1/budgets')
      socket.destroy()
    }
    await closed
    return received
  }

  const received = await sendBoth(head('/v1/budgets/requests', 1024 * 1024), false)
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  expect(received).toContain('Wait for the answer')

  await Promise.all(
    Array.from({ length: 20 }, () => sendBoth(head('/v1/budgets/requests', 1024 * 1024), true)),
  )
  const room = async () => (await service.as(key).post('/v1/budgets/requests', fileRequest)).status === 404
  await waitFor('room', room)
})

test('answers that a caller does not read are bounded for each key', async () => {
  const key = await memberKey()
  const { id: promptId } = (await service.api.post('/v1/prompts', { name: 'Long' })).body
  // 50 MB in all: more than the system keeps for a connection.
  const content = 'x'.repeat(250_000)
  for (let version = 0; version < 200; version++)
    await service.api.post('/v1/prompts/versions', { promptId, content })
  const { hostname, port } = new URL(service.address)
  const path = `/v1/prompts/${promptId}/versions?limit=200`
  const sockets: Socket[] = []
  const askAndNotRead = () => {
    const socket = connect(Number(port), hostname).pause()
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${key}\r\n\r\n`)
    sockets.push(socket)
  }
  // One that comes while another is being read is refused itself, and holds nothing.
  await waitFor('a refusal', async () => {
    askAndNotRead()
    return (await service.as(key).get(path)).status === 429
  })
  expect((await service.as(await memberKey()).get(path)).status).toBe(200)

  for (const socket of sockets) socket.destroy()
  await waitFor('room', async () => (await service.as(key).get(path)).status === 200)
})

test.each(['/v1/prompts', '/v1/chat/completions'])(
  'a body that nobody reads does not stop the next request on its connection: %s',
  async (path) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (method: string, target: string, contentType: string, body: string) => {
      const headers = { authorization: `Bearer ${service.managerKey}`, 'content-type': contentType }
      const sent = request(`${service.address}${target}`, { agent, method, headers })
      sent.end(body)
      const [response] = await once(sent, 'response')
      for await (const _ of response);
      return response.statusCode
    }
    expect(await ask('POST', path, 'text/plain', 'x'.repeat(500_000))).toBe(415)
    expect(await ask('GET', '/v1/keys', 'text/plain', '')).toBe(200)
    agent.destroy()
  },
)
