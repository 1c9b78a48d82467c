import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy between the service and its database, which fails the way networks and servers do. */
export interface DatabaseProxy {
  /** The URL of the database through the proxy. */
  url: string
  /** Returns how many connections are open or being opened. */
  connections(): number
  /** Drops all connections and refuses new ones: the server is down. */
  cut(): Promise<void>
  /** Keeps connections open and accepts new ones, but forwards nothing in either direction. */
  hang(): void
  /** Forwards requests but holds back answers, as when the client of the server is paused. */
  holdAnswers(): void
  /** Forwards everything again, including what was held back. */
  restore(): Promise<void>
  /**
   * Fails the connection that sends the next COMMIT. `request`: it breaks before the server receives the COMMIT. `answer`: it breaks
   * after the server has committed. `silence`: the server neither receives the COMMIT nor notices that the client is gone.
   */
  failNextCommit(how: CommitFailure): void
  close(): Promise<void>
}

type CommitFailure = 'request' | 'answer' | 'silence'

interface Pair {
  client: Socket
  server: Socket
}

/** `delayMs` delays every answer. */
export async function startDatabaseProxy(databaseUrl: string, { delayMs = 0 } = {}): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let hanging = false
  let isCut = false
  let commitFailure: CommitFailure | null = null

  const proxy = createServer((client) => {
    if (isCut) return void client.on('error', () => undefined).resetAndDestroy()
    const server = connect(Number(target.port), target.hostname)
    const pair = { client, server }
    let failing: CommitFailure | null = null
    pairs.add(pair)
    client.on('data', (chunk) => {
      if (commitFailure !== null && chunk.includes('commit\0')) {
        failing = commitFailure
        commitFailure = null
        if (failing === 'request') drop(pair)
      }
      if (failing === null || failing === 'answer') server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (failing === null && delayMs > 0) setTimeout(() => client.writable && client.write(chunk), delayMs)
      else if (failing === null) client.write(chunk)
      else if (failing === 'answer' && chunk.includes('COMMIT\0')) drop(pair)
    })
    client.on('end', () => failing !== 'silence' && server.end())
    server.on('end', () => client.end())
    for (const socket of [client, server]) {
      socket.on('error', () => failing !== 'silence' && drop(pair))
      socket.on('close', () => server.destroyed && pairs.delete(pair))
      if (hanging) socket.pause()
    }
  })

  function drop(pair: Pair): void {
    pair.client.destroy()
    pair.server.destroy()
  }

  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`

  const instance: DatabaseProxy = {
    url: url.href,
    connections: () => pairs.size,
    async cut() {
      // The proxy keeps its port, which another process could otherwise take.
      isCut = true
      for (const pair of pairs) drop(pair)
    },
    hang() {
      hanging = true
      for (const { client, server } of pairs) {
        client.pause()
        server.pause()
      }
    },
    holdAnswers() {
      for (const { server } of pairs) server.pause()
    },
    async restore() {
      isCut = false
      hanging = false
      for (const { client, server } of pairs) {
        client.resume()
        server.resume()
      }
    },
    failNextCommit(how) {
      commitFailure = how
    },
    async close() {
      await instance.cut()
      if (!proxy.listening) return
      const closed = once(proxy, 'close')
      proxy.close()
      await closed
    },
  }
  return instance
}
