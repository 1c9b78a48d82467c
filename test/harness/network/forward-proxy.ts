import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { readHostsTls } from '../tls/files.js'

/** A proxy as companies have it. Every host name leads to this machine, to the port that was asked for. */
export interface ForwardProxy {
  url: string
  port: number
  /** What was asked for: `CONNECT host:port`, or the method and the whole URL. */
  asked: string[]
  /** Connections that are open now. */
  open(): number
  /** The status that all requests are answered with from now on; null: they are forwarded. 0: nothing is answered. */
  answerWith(status: number | null): void
  close(): Promise<void>
}

export async function startForwardProxy(
  options: { isSecure?: boolean; login?: string } = {},
): Promise<ForwardProxy> {
  const asked: string[] = []
  let status: number | null = null
  // Bounded: connections of a test.
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const expected = options.login && `Basic ${Buffer.from(options.login).toString('base64')}`
  const refusal = ({ headers }: IncomingMessage) =>
    expected !== undefined && headers['proxy-authorization'] !== expected ? 407 : status

  const server = options.isSecure ? createSecureServer(readHostsTls()) : createServer()
  server.on('connection', track)
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    const refused = refusal(incoming)
    if (refused === 0) return void socket.on('end', () => socket.destroy()).resume()
    if (refused !== null) return void socket.end(`HTTP/1.1 ${refused} Refused\r\nContent-Length: 0\r\n\r\n`)
    const target = connect(Number(incoming.url?.split(':').at(-1)), '127.0.0.1')
    track(target)
    target.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    socket.on('close', () => target.destroy())
    target.on('close', () => socket.destroy())
  })
  server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    const refused = refusal(incoming)
    if (refused === 0) return
    if (refused !== null) return void answer.writeHead(refused).end()
    const { port, pathname, search } = new URL(incoming.url ?? '')
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const forwarded = request(
      { host: '127.0.0.1', port, path: pathname + search, method: incoming.method ?? 'GET', headers },
      (found) => found.pipe(answer.writeHead(found.statusCode ?? 502, found.headers)),
    )
    forwarded.on('error', () => answer.writeHead(502).end())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${options.isSecure ? 'https' : 'http'}://${options.login ? `${options.login}@` : ''}127.0.0.1:${port}`,
    port,
    asked,
    open: () => sockets.size,
    answerWith(next) {
      status = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
