import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Hi' })))
})
afterAll(() => gateway.stop())

/** Everything that comes until the other side closes the connection, which it must do by itself. */
async function sendRaw(lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(gateway.service.address)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.write(`${lines.join('\r\n')}\r\nHost: ${hostname}\r\n\r\n${body}`)
  await once(socket, 'end')
  socket.destroy()
  return text
}

describe('a path that is not offered', () => {
  test.each([
    ['POST', '/v1/realtime/sessions'],
    ['GET', '/v1/chat/completions'],
    ['POST', '/v1/fine_tuning/jobs?after=x'],
  ])('%s %s is answered with what is', async (method, path) => {
    const response = await fetch(gateway.service.address + path, { method })
    const { error } = JSON.parse(await response.text())
    expect({ status: response.status, ...error }).toMatchObject({ status: 404, type: 'not_found' })
    expect(error.message).toContain(`No such path: ${method} ${path.split('?')[0]}. For models there are `)
    for (const offered of [
      'POST /v1/chat/completions',
      'POST /v1/responses',
      'GET /v1/responses (WebSocket)',
      'POST /v1/embeddings',
      'POST /v1/messages',
      'GET /v1/models',
      'GET /v1/models/{name}',
    ])
      expect(error.message).toContain(offered)
    expect(error.message).not.toContain('/v1/keys')
  })
})

describe('an upgrade', () => {
  const webSocket = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]

  test.each([
    ['/v1/chat/completions', `Authorization: Bearer any`],
    ['/v1/realtime?model=gpt-realtime', 'X-Other: 1'],
    ['/v1/keys', 'X-Other: 1'],
    ['/healthz', 'X-Other: 1'],
  ])('to WebSocket at %s is refused in plain HTTP, and the connection closed', async (path, header) => {
    const answer = await sendRaw([`GET ${path} HTTP/1.1`, ...webSocket, header])
    expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    expect(error).toMatchObject({ type: 'upgrade_refused', code: 426 })
    expect(error.message).toContain(path.split('?')[0])
  })

  test('to HTTP/2, as Java asks with its first call, is ignored: the call is answered', async () => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] })
    const answer = await sendRaw(
      [
        'POST /v1/chat/completions HTTP/1.1',
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAEAAEAAAAIAAAAB',
        `Authorization: Bearer ${gateway.service.managerKey}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
      ],
      body,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(gateway.upstream.seen.at(-1)?.raw.toString()).toBe(body)
  })
})
