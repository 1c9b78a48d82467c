import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { serviceStopping } from '../errors.js'
import type { App } from './app.js'

/** How a server ends without a caller that sees its connection reset. */
export interface ServerStop {
  /** From now on every answer ends its connection. All is served as before. */
  drain(): void
  draining(): boolean
  /**
   * Stops accepting and waits for the requests under way, which `onOverdue` is to end; soon after that, for none. Then for what goes
   * on without a connection, which `onOverdue` is to end as well.
   */
  stop(options: StopOptions): Promise<void>
}

interface StopOptions {
  graceMs: number
  /** A connection that was not told to close is ended once nothing came on it for so long. */
  quietMs: number
  onOverdue: () => void
  settled: () => Promise<void>
}

interface Connection {
  /** Null: nothing is being answered. */
  response: ServerResponse | null
  restingSinceMs: number
  /** What had come when it was answered last. More than that is a request on its way. */
  bytesAtRest: number
}

// Answers to aborted calls are short: what is not through by then is a caller that does not read, or does not send.
const lingerMs = 3_000
const sweepEveryMs = 50

// Callers that take no notice of /readyz may come for ever.
const maxAcceptingMs = 1_000

/** To be called before the server listens: how to stop depends on knowing every connection. */
export function prepareStop(app: App): ServerStop {
  const { server } = app
  const connections = new Map<Socket, Connection>()
  let accepted = 0
  let draining = false
  let overdue = false

  server.on('connection', (socket) => {
    accepted++
    connections.set(socket, { response: null, restingSinceMs: performance.now(), bytesAtRest: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  // Its connection is HTTP no more, or comes as a new one.
  server.prependListener('upgrade', (_, socket) => void connections.delete(socket as Socket))
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    if (draining) response.shouldKeepAlive = false
    const connection = connections.get(socket)
    if (!connection) return
    connection.response = response
    response.once('close', () => {
      connection.response = null
      connection.restingSinceMs = performance.now()
      connection.bytesAtRest = socket.bytesRead
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
   * The kernel resets what waits to be accepted when the listener closes. It closes right after a round of the event loop in which
   * nobody came.
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
   * A caller may send its next request while we close its connection, and cannot know whether it was heard. So a connection that could
   * not be told, since its answer had begun before, or none was asked for, stays until it was quiet for a while.
   */
  function closeQuiet(quietMs: number): void {
    const sinceMs = performance.now() - quietMs
    for (const [socket, { response, restingSinceMs, bytesAtRest }] of connections)
      if (response === null && socket.bytesRead === bytesAtRest && restingSinceMs <= sinceMs) socket.destroy()
  }

  return {
    drain,
    draining: () => draining,
    async stop({ graceMs, quietMs, onOverdue, settled }) {
      drain()
      // Node closes them at once when the listener closes.
      server.closeIdleConnections = () => undefined
      const endOverdue = () => {
        overdue = true
        onOverdue()
      }
      // After a round of the event loop: what has come by then was read.
      const sweep = setInterval(() => setImmediate(closeQuiet, overdue ? 0 : quietMs), sweepEveryMs)
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
