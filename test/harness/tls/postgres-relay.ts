import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { readHostsTls } from './files.js'

// The first message of a client that asks for TLS: its length, and a code instead of a version.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** What many managed databases have in front of Postgres: it takes connections by TLS alone. */
export async function startPostgresTls(databaseUrl: string) {
  const target = new URL(databaseUrl)
  // Bounded: connections of a test.
  const sockets = new Set<Socket>()
  let secured = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', (first) => {
      if (!first.equals(sslRequest)) return void socket.destroy()
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, ...readHostsTls() })
      const plain = connect(Number(target.port), target.hostname)
      secure.on('secure', () => secured++)
      for (const [end, other] of [
        [secure, plain],
        [plain, secure],
      ] as const)
        end.on('error', () => end.destroy()).on('close', () => other.destroy())
      secure.pipe(plain).pipe(secure)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** By the name of the certificate. */
    urlWith(parameters: string): string {
      const url = new URL(databaseUrl)
      url.host = `localhost:${port}`
      url.search = parameters
      return url.href
    },
    /** How many connections spoke TLS. */
    secured: () => secured,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
