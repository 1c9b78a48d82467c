import type { Socket } from 'node:net'
import type { App } from '../app.js'
import { connectionEventOf } from './tls-listener.js'

export interface StalledReaders {
  /** The number of connections ended so far. */
  ended(): number
  close(): Promise<void>
}

const ended = new WeakSet<Socket>()

/** True when a connection was ended because its reader read nothing for too long. */
export const isStalledReader = (socket: Socket): boolean => ended.has(socket)

/** The progress of a connection at the last check, and the number of checks since it last changed. */
interface WriteProgress {
  written: number
  queued: number
  unchangedChecks: number
}

// Each check goes through all connections. Measured on a busy two-core machine: 8 to 13 ms for ten thousand.
const checksPerStall = 4
const maxCheckIntervalMs = 5_000

/**
 * Ends every connection whose reader reads nothing while data is waiting, for every kind of answer: model streams,
 * exports, events, WebSocket messages. Otherwise the waiting data could be held indefinitely.
 *
 * Time is counted in checks instead of by the clock, so that after a pause of this process every reader has the
 * full time again.
 */
export function endStalledReaders(app: App, stallMs: number): StalledReaders {
  if (stallMs === 0) return { ended: () => 0, close: async () => undefined }
  // Bounded: open connections; `ulimit -n` bounds them.
  const connections = new Map<Socket, WriteProgress>()
  let count = 0
  app.server.on(connectionEventOf(app.server), (socket: Socket) => {
    if (connections.has(socket)) return
    connections.set(socket, { written: 0, queued: 0, unchangedChecks: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const checkIntervalMs = Math.min(Math.ceil(stallMs / checksPerStall), maxCheckIntervalMs)
  const maxChecks = Math.ceil(stallMs / checkIntervalMs)

  function check(): void {
    let endedNow = 0
    for (const [socket, progress] of connections) {
      if (!isStuck(socket, progress) || progress.unchangedChecks < maxChecks) continue
      ended.add(socket)
      socket.destroy()
      endedNow += 1
    }
    count += endedNow
    if (endedNow > 0)
      app.log.warn(
        `${endedNow} ${endedNow === 1 ? 'caller' : 'callers'} read nothing of an answer for ${stallMs} ms and ${endedNow === 1 ? 'was' : 'were'} disconnected (TALLYSTICK_CLIENT_STALL_MS)`,
      )
  }

  const timer = setInterval(check, checkIntervalMs)
  timer.unref()
  return {
    ended: () => count,
    async close() {
      clearInterval(timer)
    },
  }
}

/** Updates the progress. Returns true while data is waiting and none of it was sent since the last check. */
function isStuck(socket: Socket, progress: WriteProgress): boolean {
  const queued = queuedBytes(socket)
  // Data that was handed to the system completely. `queued` covers the piece that is being sent.
  const written = socket.bytesWritten - socket.writableLength
  const isWaiting = socket.writableLength > 0 || queued > 0
  const isSame = isWaiting && written === progress.written && queued === progress.queued
  progress.written = written
  progress.queued = queued
  progress.unchangedChecks = isSame ? progress.unchangedChecks + 1 : 0
  return isSame
}

/**
 * Returns how much of the current piece the system has not accepted. Node's own socket timeout uses the same
 * property: without it, an answer of 50 MB in one piece looks stalled until all of it is read.
 */
function queuedBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  const size: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0
  return typeof size === 'number' ? size : 0
}
