import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** One HTTP request that reached the server. */
export interface SeenMcpRequest {
  method: string
  headers: IncomingMessage['headers']
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  body: any
}

/** A server made with the official package, on a real socket. */
export interface OfficialMcpServer {
  /** http://127.0.0.1:port/mcp */
  url: string
  seen: SeenMcpRequest[]
  /** Requests of a JSON-RPC method, in their order. */
  seenOf(method: string): SeenMcpRequest[]
  /** Of the older generation: how many sessions are open. */
  sessions(): number
  /** Forgets all sessions, as a server that was restarted. */
  forgetSessions(): void
  /** Answers requests before the server sees them; null lets them pass. */
  intercept(script: ((request: SeenMcpRequest) => Response | null) | null): void
  close(): Promise<void>
}

export interface OfficialMcpOptions {
  /** `modern`: 2026-07-28 alone; `legacy`: sessions by `initialize`; `stateless`: older, without sessions. */
  era: 'modern' | 'legacy' | 'stateless'
  /** Adds tools, resources and prompts. Called for each session or request. */
  build(server: McpServer): void
  /** Older ones: answers as JSON instead of a stream. */
  enableJsonResponse?: boolean
  /** Older ones: what they speak, the newest first. */
  supportedProtocolVersions?: string[]
  instructions?: string
}

export async function startOfficialMcpServer(options: OfficialMcpOptions): Promise<OfficialMcpServer> {
  const { era, build, instructions } = options
  const seen: SeenMcpRequest[] = []
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  let intercept: ((request: SeenMcpRequest) => Response | null) | null = null

  const makeServer = () => {
    const server = new McpServer(
      { name: 'official', version: '1.2.3' },
      {
        capabilities: { tools: { listChanged: true }, logging: {} },
        ...(instructions !== undefined && { instructions }),
        ...(options.supportedProtocolVersions && {
          supportedProtocolVersions: options.supportedProtocolVersions,
        }),
      },
    )
    build(server)
    return server
  }
  const modern = createMcpHandler(makeServer, { legacy: era === 'stateless' ? 'stateless' : 'reject' })

  async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: options.enableJsonResponse ?? false,
      onsessioninitialized: (id) => {
        sessions.set(id, transport)
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
    })
    await makeServer().connect(transport)
    return transport
  }

  async function answer(request: Request, { body, headers }: SeenMcpRequest): Promise<Response> {
    if (era === 'modern') return await modern.fetch(request)
    if (era === 'stateless') {
      const isNewer = String(headers['mcp-protocol-version'] ?? '') >= '2026'
      return isNewer
        ? rpcError(400, -32_000, 'Bad Request: Unsupported protocol version')
        : await modern.fetch(request)
    }
    const id = headers['mcp-session-id']
    if (typeof id === 'string') {
      const transport = sessions.get(id)
      return transport ? await transport.handleRequest(request) : rpcError(404, -32_001, 'Session not found')
    }
    if (body?.method !== 'initialize') return rpcError(400, -32_000, 'Bad Request: Server not initialized')
    return await (await openSession()).handleRequest(request)
  }

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      const raw = Buffer.concat(chunks).toString()
      const request: SeenMcpRequest = {
        method: incoming.method ?? '',
        headers: incoming.headers,
        raw,
        body: raw === '' ? null : JSON.parse(raw),
      }
      seen.push(request)
      const intercepted = intercept?.(request) ?? null
      void write(
        outgoing,
        async (signal) => intercepted ?? (await answer(toRequest(incoming, raw, signal), request)),
      )
    })
  })
  // Only the other side ends a connection that is idle: one that this side ends may be in use again at that very moment.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    seenOf: (method) => seen.filter(({ body }) => body?.method === method),
    sessions: () => sessions.size,
    forgetSessions: () => sessions.clear(),
    intercept(script) {
      intercept = script
    },
    async close() {
      server.closeAllConnections()
      await modern.close()
      await Promise.all([...sessions.values()].map((each) => each.close()))
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function toRequest(
  { url, method = 'GET', headers }: IncomingMessage,
  raw: string,
  signal: AbortSignal,
): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  return new Request(new URL(url ?? '/', 'http://127.0.0.1'), {
    method,
    headers: given,
    signal,
    ...(method === 'POST' && { body: raw }),
  })
}

async function write(
  outgoing: ServerResponse,
  answer: (signal: AbortSignal) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const response = await answer(gone.signal)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  try {
    if (response.body !== null)
      for await (const chunk of response.body) {
        if (outgoing.destroyed) break
        outgoing.write(chunk)
      }
  } catch {
    // The client is gone.
  }
  outgoing.end()
}

const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
