import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between the service and its database, and fails the way networks and servers do. */
export interface DatabaseProxy {
  /** The database's URL, by way of the proxy. */
  url: string
  /** How many connections are open, or being made. */
  connections(): number
  /** Drops all connections and refuses new ones: the server is down. */
  cut(): Promise<void>
  /** Keeps connections open, accepts new ones, and lets nothing through in either direction. */
  hang(): void
  /** The server gets everything and answers; nobody hears the answers. So it is for a server whose client is paused. */
  holdAnswers(): void
  /** Everything flows again; what was held back arrives late. */
  restore(): Promise<void>
  /**
   * Fails the connection that sends the next COMMIT. `request`: it breaks before the server has it; `answer`: when the
   * server has done it; `silence`: the server never gets it and never learns that the other side is gone.
   */
  failNextCommit(how: CommitFailure): void
  close(): Promise<void>
}

type CommitFailure = 'request' | 'answer' | 'silence'

interface Pair {
  client: Socket
  server: Socket
}

/** With `delayMs` every answer arrives so much later. */
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
      // It keeps its port, which somebody else might get meanwhile.
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
