import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A message that reached the server. */
export interface HostileRequest {
  httpMethod: string
  headers: IncomingHttpHeaders
  id: number | string | undefined
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  params: any
  /** The whole message. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  body: any
}

/** `elsewhere`: an address that redirects may point to, where nobody must come. */
export type HostileScript = (
  request: HostileRequest,
  response: ServerResponse,
  socket: Socket,
  elsewhere: string,
) => void

export interface HostileMcpServer {
  url: string
  port: number
  /** Messages by their method, in order. */
  seen: HostileRequest[]
  seenOf(method: string): HostileRequest[]
  connections(): number
  /** Requests to where a redirect pointed. */
  trapped(): number
  /** Bytes that went out on all connections. */
  bytesWritten(): number
  close(): Promise<void>
}

export interface HostileOptions {
  era: 'modern' | 'legacy'
  /** What it does with messages of a method; for all others it is as it should be. */
  scripts: Readonly<Record<string, HostileScript>>
}

/** A server of either generation that follows the protocol but where a script says otherwise. */
export async function startHostileMcpServer({ era, scripts }: HostileOptions): Promise<HostileMcpServer> {
  const seen: HostileRequest[] = []
  const sockets = new Set<Socket>()
  let written = 0
  let trapped = 0
  // A client of another test that still calls a server which listened on this port before does not know this path.
  const path = `/mcp/${randomUUID()}`
  const trap = createServer((request, response) => {
    if (request.url?.startsWith(path)) trapped++
    response.end()
  })
  trap.listen(0, '127.0.0.1')
  await once(trap, 'listening')
  const elsewhere = `http://127.0.0.1:${(trap.address() as AddressInfo).port}${path}`
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url?.includes(path)) {
      outgoing.writeHead(404).end()
      return
    }
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      const raw = Buffer.concat(chunks).toString()
      const body = raw === '' ? {} : JSON.parse(raw)
      const request: HostileRequest = {
        httpMethod: incoming.method ?? '',
        headers: incoming.headers,
        id: body.id,
        method: body.method ?? (incoming.method === 'POST' ? 'reply' : (incoming.method ?? '')),
        params: body.params,
        body,
      }
      seen.push(request)
      const script = scripts[request.method] ?? behave(era)
      script(request, outgoing, incoming.socket, elsewhere)
    })
    incoming.on('error', () => undefined)
    outgoing.on('error', () => undefined)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      written += socket.bytesWritten
    })
  })
  // Only the other side ends a connection that is idle: one that this side ends may be in use again at that very moment.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let connections = 0
  server.on('connection', () => connections++)
  return {
    url: `http://127.0.0.1:${port}${path}`,
    port,
    seen,
    seenOf: (method) => seen.filter((each) => each.method === method),
    connections: () => connections,
    trapped: () => trapped,
    bytesWritten: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, written),
    async close() {
      for (const socket of sockets) socket.destroy()
      trap.closeAllConnections()
      trap.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const info = { name: 'hostile', version: '6.6.6' }
const capabilities = { tools: { listChanged: true } }

const behave =
  (era: 'modern' | 'legacy'): HostileScript =>
  ({ method, id, httpMethod }, response) => {
    if (httpMethod !== 'POST') response.writeHead(405).end()
    else if (id === undefined) response.writeHead(202).end()
    else if (era === 'legacy' && method === 'server/discover') {
      const error = { code: -32_000, message: 'Bad Request: Server not initialized' }
      sendJson(response, { jsonrpc: '2.0', id: null, error }, { status: 400 })
    } else if (method === 'server/discover')
      sendJson(response, {
        jsonrpc: '2.0',
        id,
        result: {
          supportedVersions: ['2026-07-28'],
          capabilities,
          resultType: 'complete',
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': info },
        },
      })
    else if (method === 'initialize')
      sendJson(
        response,
        { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo: info } },
        { headers: { 'mcp-session-id': 'session-1' } },
      )
    else if (method === 'tools/list') sendJson(response, { jsonrpc: '2.0', id, result: { tools: [] } })
    else if (method === 'tools/call') sendJson(response, answerTo(id))
    else response.writeHead(202).end()
  }

export const answerTo = (id: unknown, result: unknown = { content: [] }) => ({ jsonrpc: '2.0', id, result })

export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}

export const openStream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

export const event = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`

/** Writes for as long as somebody reads. */
export function pour(response: ServerResponse, next: () => string | Buffer): void {
  const write = () => {
    while (!response.destroyed && response.write(next()));
  }
  response.on('drain', write)
  write()
}

// What scripts are made of.

export const stream =
  (write: (response: Parameters<HostileScript>[1], id: unknown) => void): HostileScript =>
  ({ id }, response) =>
    write(openStream(response), id)

export const json =
  (body: (id: unknown) => unknown, options?: Parameters<typeof sendJson>[2]): HostileScript =>
  ({ id }, response) =>
    sendJson(response, body(id), options)

export const raw =
  (text: string | Buffer, then: 'end' | 'reset' | 'leave' = 'end'): HostileScript =>
  (_, __, socket) => {
    socket.write(text)
    if (then === 'end') socket.end()
    if (then === 'reset') setImmediate(() => socket.resetAndDestroy())
  }

export const notice = (method: string, params: object = {}) => event({ jsonrpc: '2.0', method, params })
export const repeat = (text: string) => () => text.repeat(Math.ceil(65_536 / text.length))
