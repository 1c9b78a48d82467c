import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../shared/errors.js'
import type { App } from '../app.js'
import { connectionEventOf } from './tls-listener.js'

/** The connection of a WebSocket handshake, for the route that accepts it. */
export interface Handshake {
  socket: Socket
  /** The bytes received after the handshake. */
  head: Buffer
  /** Ends HTTP on this connection. */
  detach(): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True when the route accepts WebSocket handshakes: `takeHandshake` returns the connection. */
    webSocket?: true
  }
}

const handshakes = new WeakMap<IncomingMessage, Handshake>()

/** Returns null for a request that is not a WebSocket handshake. */
export const takeHandshake = ({ raw }: FastifyRequest): Handshake | null => handshakes.get(raw) ?? null

/**
 * Routes WebSocket handshakes like any request, with the same hooks and errors. A path without a WebSocket refuses
 * it in plain HTTP and closes the connection. The status is 426 because Codex then uses HTTP instead; after any
 * other status it retries five times with pauses.
 *
 * Node passes every upgrade to the listener and stops reading HTTP on its connection. An upgrade to anything else
 * is ignored, as the standard permits, and its request answered: Java's client asks for `h2c` with its first call,
 * including the body.
 */
export function routeUpgrades(app: App): void {
  app.server.on('upgrade', (request, stream, head) => {
    if (!(stream instanceof Socket)) return void stream.destroy()
    if (request.method === 'GET' && asksForWebSocket(request.headers)) answer(app, request, stream, head)
    else returnToHttp(app, request, stream, head)
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
  // Node no longer listens for errors, and an error without a listener ends the process.
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  handshakes.set(request, { socket, head, detach: () => response.detachSocket(socket) })
  app.server.emit('request', request, response)
}

const connectionHeader = /^(?:proxy-)?connection$/i
// Node drops headers beyond this number, so the request could not be reproduced.
const maxHeaders = 1_000

/** Returns the connection to HTTP, repeating the request without the header that made it an upgrade. */
function returnToHttp(app: App, request: IncomingMessage, socket: Socket, head: Buffer): void {
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
    app.server.emit(
      'clientError',
      new Error('an upgrade request that cannot be handled as plain HTTP'),
      socket,
    )
    return
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  app.server.emit(connectionEventOf(app.server), socket)
}

const withoutUpgrade = (value: string): string => {
  const options = value.split(',')
  const kept = options.filter((option) => option.trim().toLowerCase() !== 'upgrade')
  return kept.length === options.length ? value : kept.join(',').trim()
}
