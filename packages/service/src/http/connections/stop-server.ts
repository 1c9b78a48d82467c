import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { serviceStopping } from '../../shared/errors.js'
import type { App } from '../app.js'
import { connectionEventOf } from './tls-listener.js'

/** Stops a server without resetting a caller's connection. */
export interface ServerStop {
  /** From now on every answer closes its connection. Requests are still served. */
  drain(): void
  draining(): boolean
  /**
   * Stops accepting connections and waits for open requests, which `onOverdue` must end; soon after that, it stops
   * waiting. Then waits for work that continues without a connection, which `onOverdue` must end as well.
   */
  stop(options: StopOptions): Promise<void>
}

interface StopOptions {
  graceMs: number
  /** A connection that was not told to close is ended after this long without data. */
  idleMs: number
  onOverdue: () => void
  settled: () => Promise<void>
}

interface Connection {
  /** Null when nothing is being answered. */
  response: ServerResponse | null
  idleSinceMs: number
  /** The bytes that had been received at the last answer. More than that means that another request is arriving. */
  bytesWhenIdle: number
}

// Answers to aborted calls are short: those that are not finished by then belong to callers that do not read or do
// not send.
const lingerMs = 3_000
const sweepEveryMs = 50

// Callers that ignore /readyz may keep connecting forever.
const maxAcceptingMs = 1_000

/** Must be called before the server listens, because stopping requires a list of all connections. */
export function prepareStop(app: App): ServerStop {
  const { server } = app
  // Bounded: open connections; `ulimit -n` bounds them.
  const connections = new Map<Socket, Connection>()
  let accepted = 0
  let draining = false
  let overdue = false

  server.on(connectionEventOf(server), (socket: Socket) => {
    accepted++
    connections.set(socket, {
      response: null,
      idleSinceMs: performance.now(),
      bytesWhenIdle: socket.bytesRead,
    })
    socket.once('close', () => connections.delete(socket))
  })
  // The connection is no longer HTTP, or returns as a new one.
  server.prependListener('upgrade', (_, socket) => void connections.delete(socket as Socket))
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    if (draining) response.shouldKeepAlive = false
    const connection = connections.get(socket)
    if (!connection) return
    connection.response = response
    response.once('close', () => {
      connection.response = null
      connection.idleSinceMs = performance.now()
      connection.bytesWhenIdle = socket.bytesRead
    })
  })
  app.addHook('onRequest', (_, reply, done) => {
    if (!overdue) return done()
    reply.header('connection', 'close')
    done(serviceStopping())
  })
  app.addHook('preClose', acceptWaiting)

  function drain(): void {
    draining = true
    for (const { response } of connections.values())
      if (response && !response.headersSent) response.shouldKeepAlive = false
  }

  /**
   * The kernel resets connections that wait to be accepted when the listener closes. So it closes right after an
   * event-loop iteration without a new connection.
   */
  async function acceptWaiting(): Promise<void> {
    const untilMs = performance.now() + maxAcceptingMs
    let before: number
    do {
      before = accepted
      await nextRound()
      await nextRound()
    } while (accepted !== before && performance.now() < untilMs)
  }

  /**
   * A caller may send its next request while the server closes the connection, and cannot know whether it was
   * received. A connection that could not be told to close, because its answer had already begun or there was no
   * request, stays open until it was quiet for a while.
   */
  function closeIdle(quietMs: number): void {
    const sinceMs = performance.now() - quietMs
    for (const [socket, { response, idleSinceMs, bytesWhenIdle }] of connections)
      if (response === null && socket.bytesRead === bytesWhenIdle && idleSinceMs <= sinceMs) socket.destroy()
  }

  return {
    drain,
    draining: () => draining,
    async stop({ graceMs, idleMs, onOverdue, settled }) {
      drain()
      // Node would close them at once when the listener closes.
      server.closeIdleConnections = () => undefined
      const endOverdue = () => {
        overdue = true
        onOverdue()
      }
      // Runs after an event-loop iteration, so that data received until then has been read.
      const sweep = setInterval(() => setImmediate(closeIdle, overdue ? 0 : idleMs), sweepEveryMs)
      const grace = setTimeout(endOverdue, graceMs)
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs + lingerMs)
      await app.close()
      clearInterval(sweep)
      clearTimeout(cutOff)
      await settled()
      clearTimeout(grace)
    },
  }
}
