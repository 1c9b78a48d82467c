import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.js'
import type { App } from './app.js'

/** The connection that a WebSocket handshake came on, for the route that accepts it. */
export interface Handshake {
  socket: Socket
  /** What has already come after the handshake. */
  head: Buffer
  /** Nothing is answered by HTTP any more. */
  detach(): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It takes WebSocket handshakes: `takeHandshake` gives it the connection. */
    webSocket?: true
  }
}

const handshakes = new WeakMap<IncomingMessage, Handshake>()

/** Null for a request that is no WebSocket handshake. */
export const takeHandshake = ({ raw }: FastifyRequest): Handshake | null => handshakes.get(raw) ?? null

/**
 * A WebSocket handshake goes through the routes like any request: hooks and errors are the same. Where no route takes it, it is refused
 * in plain HTTP, and the connection closed. 426, since Codex takes that for "use HTTP instead": anything else it tries again, five
 * times with pauses.
 *
 * Node hands every upgrade to the listener, and its connection is HTTP no more. An upgrade to anything else is ignored as it may be,
 * and its request answered: Java's client asks for `h2c` with its first call, body and all.
 */
export function routeUpgrades(app: App): void {
  app.server.on('upgrade', (request, stream, head) => {
    if (!(stream instanceof Socket)) return void stream.destroy()
    if (request.method === 'GET' && asksForWebSocket(request.headers)) answer(app, request, stream, head)
    else readAgain(app, request, stream, head)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!asksForWebSocket(request.headers)) return done()
    const { webSocket = false } = request.routeOptions.config
    if (webSocket && handshakes.has(request.raw)) return done()
    reply.headers({ connection: 'close', upgrade: 'HTTP/1.1' })
    const [path] = request.url.split('?')
    done(new ApiError('upgrade_refused', `There is no WebSocket at ${path}: send plain HTTP requests`))
  })
}

const asksForWebSocket = ({ upgrade }: IncomingHttpHeaders): boolean =>
  upgrade?.toLowerCase().includes('websocket') === true

function answer(app: App, request: IncomingMessage, socket: Socket, head: Buffer): void {
  // Node listens no more, and an error that nobody listens to ends the process.
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  handshakes.set(request, { socket, head, detach: () => response.detachSocket(socket) })
  app.server.emit('request', request, response)
}

const connectionHeader = /^(?:proxy-)?connection$/i
// Node drops what comes after so many headers, and they could not be written again.
const maxHeaders = 1_000

/** Gives the connection back to HTTP, with the request once more, without the word that made it an upgrade. */
function readAgain(app: App, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  let isUpgrade = false
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const value = rawHeaders[at + 1] ?? ''
    const kept = connectionHeader.test(name) ? withoutUpgrade(value) : value
    if (kept !== value) isUpgrade = true
    if (kept !== '' || value === '') lines.push(`${name}: ${kept}`)
  }
  if (!isUpgrade || rawHeaders.length > maxHeaders * 2) {
    app.server.emit('clientError', new Error('an upgrade that cannot be read as a request'), socket)
    return
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  app.server.emit('connection', socket)
}

const withoutUpgrade = (value: string): string => {
  const words = value.split(',')
  const kept = words.filter((word) => word.trim().toLowerCase() !== 'upgrade')
  return kept.length === words.length ? value : kept.join(',').trim()
}
