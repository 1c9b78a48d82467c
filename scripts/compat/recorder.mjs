// Stands between a client and the gateway, and keeps what the client sent and what it was answered, byte for byte.
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { connect } from 'node:net'

/**
 * @typedef {{
 *   method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer,
 *   status: number, answerHeaders: import('node:http').IncomingHttpHeaders, answer: Buffer[], closed: boolean,
 * }} Sent
 */

/** @param {string} gatewayUrl */
export async function startRecorder(gatewayUrl) {
  /** @type {Sent[]} */
  const sent = []
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const body = Buffer.concat(chunks)
    /** @type {Sent} */
    const seen = { method, path, headers, body, status: 0, answerHeaders: {}, answer: [], closed: false }
    sent.push(seen)
    const onward = send(gatewayUrl + path, { method, headers }, (answer) => {
      seen.status = answer.statusCode ?? 0
      seen.answerHeaders = answer.headers
      response.writeHead(seen.status, answer.headers)
      response.flushHeaders()
      answer.on('data', (chunk) => {
        seen.answer.push(chunk)
        response.write(chunk)
      })
      answer.once('end', () => response.end())
      answer.once('error', () => response.destroy())
    })
    onward.once('error', () => response.destroy())
    response.once('close', () => {
      seen.closed = !response.writableFinished
      onward.destroy()
    })
    onward.end(body)
  })
  // A WebSocket is let through as it is: what stands in its messages is not one body each.
  server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
    const { hostname, port } = new URL(gatewayUrl)
    const onward = connect({ host: hostname, port: Number(port) })
    const lines = [`${method} ${url} HTTP/1.1`]
    for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
    onward.write(`${lines.join('\r\n')}\r\n\r\n`)
    onward.write(head)
    socket.pipe(onward).pipe(socket)
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ])
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
