import type { Worker } from 'node:cluster'

interface ConnectionHandle {
  close(): void
}

/**
 * Closes the connection that was sent to a worker and that it had not taken when it ended. Node waits for the answer to each connection
 * before it sends the next, and for an ended worker it would keep the last one open forever, so that its caller would wait too.
 */
export function closePendingConnection(worker: Worker): void {
  const { process } = worker
  let last: ConnectionHandle | null = null
  const send = process.send.bind(process)
  process.send = (message: Parameters<typeof send>[0], ...rest: [handle?: unknown]) => {
    const [handle] = rest
    if (isConnectionHandle(handle)) last = handle
    return Reflect.apply(send, process, [message, ...rest])
  }
  // One that the worker took is closed in this process already, and closing it again does nothing.
  process.once('exit', () => last?.close())
}

const isConnectionHandle = (handle: unknown): handle is ConnectionHandle =>
  typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
