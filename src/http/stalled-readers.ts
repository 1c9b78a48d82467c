import type { Socket } from 'node:net'
import type { App } from './app.js'

export interface StalledReaders {
  /** Ended so far. */
  ended(): number
  close(): Promise<void>
}

const ended = new WeakSet<Socket>()

/** Whether a connection was ended because its reader took nothing for too long. */
export const isStalledReader = (socket: Socket): boolean => ended.has(socket)

/** How far a connection has come when it was looked at last, and how often it has been there since. */
interface Standing {
  written: number
  queued: number
  looks: number
}

// Each look goes through all connections. Measured on a busy two-core machine: 8 to 13 ms for ten thousand.
const looksPerStall = 4
const maxLookEveryMs = 5_000

/**
 * Ends every connection whose reader takes nothing while there is something for it, whatever is written there: a stream of a model, an
 * export, events, messages of a socket. What waits for such a reader would be held for as long as it likes.
 *
 * Counted in looks, not by the clock: after a pause of this process, everyone gets the whole time again.
 */
export function endStalledReaders(app: App, stallMs: number): StalledReaders {
  if (stallMs === 0) return { ended: () => 0, close: async () => undefined }
  const connections = new Map<Socket, Standing>()
  let count = 0
  app.server.on('connection', (socket) => {
    if (connections.has(socket)) return
    connections.set(socket, { written: 0, queued: 0, looks: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const lookEveryMs = Math.min(Math.ceil(stallMs / looksPerStall), maxLookEveryMs)
  const maxLooks = Math.ceil(stallMs / lookEveryMs)

  function look(): void {
    let endedNow = 0
    for (const [socket, standing] of connections) {
      if (!isStuck(socket, standing) || standing.looks < maxLooks) continue
      ended.add(socket)
      socket.destroy()
      endedNow += 1
    }
    count += endedNow
    if (endedNow > 0)
      app.log.warn(
        `${endedNow} ${endedNow === 1 ? 'caller' : 'callers'} took nothing of an answer for ${stallMs} ms and lost the connection (TALLYSTICK_CLIENT_STALL_MS)`,
      )
  }

  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return {
    ended: () => count,
    async close() {
      clearInterval(timer)
    },
  }
}

/** Updates the standing. True while something waits and nothing of it has gone out since the last look. */
function isStuck(socket: Socket, standing: Standing): boolean {
  const queued = queuedBytes(socket)
  // What was handed to the system whole. Of the piece that is on its way, `queued` tells.
  const written = socket.bytesWritten - socket.writableLength
  const waits = socket.writableLength > 0 || queued > 0
  const isSame = waits && written === standing.written && queued === standing.queued
  standing.written = written
  standing.queued = queued
  standing.looks = isSame ? standing.looks + 1 : 0
  return isSame
}

/**
 * What the system has not taken of the piece that is on its way. Node's own timeout of sockets asks the same property: without
 * it, an answer of 50 MB in one piece looks stalled until all of it is read.
 */
function queuedBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  const size: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0
  return typeof size === 'number' ? size : 0
}
