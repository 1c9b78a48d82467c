// Stands between a client and the gateway, and keeps what the client sent and what it was answered, byte for byte.
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'

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
