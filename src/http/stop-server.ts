import type { Socket } from 'node:net'
import type { App } from './app.js'

/**
 * Stops accepting and waits for the requests under way, which `onOverdue` is to end; soon after that, for none. Then for what goes
 * on without a connection, which `onOverdue` is to end as well.
 */
export type StopServer = (
  graceMs: number,
  onOverdue: () => void,
  settled: () => Promise<void>,
) => Promise<void>

// Answers to aborted calls are short: what is not through by then is a caller that does not read, or does not send.
const lingerMs = 1_000
const sweepEveryMs = 50

/** To be called before the server listens: how to stop depends on knowing every connection. */
export function prepareStop(app: App): StopServer {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })

  function closeUnused(): void {
    // Kept alive after its last answer, a connection would hold the server up until its idle timeout. One that was
    // opened in reserve (browsers and balancers do so) is not idle in Node's eyes: nothing was ever asked on it.
    app.server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }

  return async (graceMs, onOverdue, settled) => {
    const sweep = setInterval(closeUnused, sweepEveryMs)
    const grace = setTimeout(onOverdue, graceMs)
    const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs + lingerMs)
    await app.close()
    clearInterval(sweep)
    clearTimeout(cutOff)
    await settled()
    clearTimeout(grace)
  }
}
