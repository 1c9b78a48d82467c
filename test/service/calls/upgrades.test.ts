import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// An upgrade that is not to WebSocket is ignored: its request is answered, and the connection is HTTP as before.

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Hi' })))
})
afterAll(() => gateway.stop())

const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi é' }] })

const head = (lines: readonly string[]) =>
  [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Authorization: Bearer ${gateway.service.managerKey}`,
    ...lines,
    '\r\n',
  ].join('\r\n')

function dial(): { socket: Socket; text(): string } {
  const { hostname, port } = new URL(gateway.service.address)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return { socket, text: () => text }
}

const upgrade = ['Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']
const seen = () => gateway.upstream.seen.at(-1)?.raw.toString()

test.each([
  ['beside other words', ['Connection: Upgrade, HTTP2-Settings']],
  ['alone', ['Connection: upgrade']],
  ['in a header of its own', ['Connection: HTTP2-Settings', 'Connection: UPGRADE']],
  ['for a proxy', ['Proxy-Connection: Upgrade']],
])('the word %s: two requests on the same connection are answered', async (_, connection) => {
  const { socket, text } = dial()
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  for (let count = 1; count <= 2; count++) {
    socket.write(head([...connection, ...upgrade, length]) + body)
    while (text().split('HTTP/1.1 200 OK').length <= count || !text().trimEnd().endsWith('}'))
      await once(socket, 'data')
    expect(seen()).toBe(body)
  }
  socket.destroy()
})

test('a body in chunks that comes later than its head arrives whole', async () => {
  const { socket, text } = dial()
  socket.write(head(['Connection: Upgrade, close', ...upgrade, 'Transfer-Encoding: chunked']))
  const bytes = Buffer.from(body)
  for (const part of [bytes.subarray(0, 30), bytes.subarray(30)])
    await new Promise<void>((resolve) => {
      socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]))
      setImmediate(resolve)
    })
  socket.write('0\r\n\r\n')
  await once(socket, 'end')
  expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(seen()).toBe(body)
  socket.destroy()
})

test('with more headers than can be read again is refused', async () => {
  const { socket, text } = dial()
  const many = Array.from({ length: 1_100 }, () => 'a:')
  socket.write(head(['Connection: Upgrade', ...upgrade, ...many, `Content-Length: ${body.length}`]) + body)
  await once(socket, 'end')
  expect(text()).toMatch(/^HTTP\/1\.1 400 /)
  socket.destroy()
})

test('a WebSocket handshake that is broken off while it is checked leaves the service as it was', async () => {
  for (let i = 0; i < 50; i++) {
    const { socket } = dial()
    socket.write(
      `GET /v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${gateway.service.managerKey}\r\n\r\n`,
    )
    await once(socket, 'connect')
    if (i % 2 === 0) socket.resetAndDestroy()
    else socket.destroy()
  }
  expect((await gateway.send('/v1/chat/completions', body)).status).toBe(200)
})
