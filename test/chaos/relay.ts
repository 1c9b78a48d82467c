import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a server that may come back on another port, and fails the way networks do. */
export interface Relay {
  port: number
  /** Where connections go from now on. */
  lead(port: number): void
  /** Ends those that are there. */
  cut(): void
  /** Nothing gets through in either direction, and nothing is closed. */
  hang(): void
  /** Every answer arrives so much later. */
  delay(ms: number): void
  restore(): void
  close(): Promise<void>
}

export async function startRelay(firstPort: number): Promise<Relay> {
  let target = firstPort
  let isHanging = false
  let delayMs = 0
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      if (delayMs === 0) client.write(chunk)
      else setTimeout(() => client.writable && client.write(chunk), delayMs)
    })
    for (const socket of pair) {
      socket.on('error', end)
      socket.on('close', end)
      if (isHanging) socket.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function cut(): void {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    lead(port) {
      target = port
    },
    cut,
    hang() {
      isHanging = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    delay(ms) {
      delayMs = ms
    },
    restore() {
      isHanging = false
      delayMs = 0
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
