import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../errors.js'
import type { App } from './app.js'

/**
 * WebSocket is refused at once, in plain HTTP, and the connection closed. 426, since Codex takes that for "use HTTP instead":
 * anything else it tries again, five times with pauses.
 *
 * Node hands every upgrade to the listener `upgrade` as soon as there is one. Without it, an upgrade to anything else is ignored as
 * it may be, and its request answered: Java's client asks for `h2c` with its first call, body and all.
 */
export function refuseWebSockets(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!asksForWebSocket(request.headers)) return done()
    reply.headers({ connection: 'close', upgrade: 'HTTP/1.1' })
    const [path] = request.url.split('?')
    done(new ApiError('upgrade_refused', `There is no WebSocket at ${path}: send plain HTTP requests`))
  })
}

const asksForWebSocket = ({ upgrade }: IncomingHttpHeaders): boolean =>
  upgrade?.toLowerCase().includes('websocket') === true
