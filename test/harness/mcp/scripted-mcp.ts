import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type McpEra = 'modern' | 'older'

/** A message that reached the server. */
export interface ScriptedMessage {
  headers: IncomingHttpHeaders
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  body: any
}

/** Answers one message as it likes. `sendJson` writes one JSON text, `sendEvents` a stream of them. */
export interface Scripted {
  message: ScriptedMessage
  response: ServerResponse
  sendJson(value: unknown, status?: number): void
  sendEvents(values: unknown[]): void
  result(result: object): object
  error(error: object): object
}

export interface ScriptedMcpServer {
  url: string
  /** All POSTs, in their order. */
  seen: ScriptedMessage[]
  seenOf(method: string): ScriptedMessage[]
  close(): Promise<void>
}

/** A server that does the handshake as it should, and everything else as a test says. */
export async function startScriptedMcp(options: {
  era: McpEra
  tools: readonly object[]
  answer(scripted: Scripted): void
}): Promise<ScriptedMcpServer> {
  const { era, tools, answer } = options
  const seen: ScriptedMessage[] = []
  const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} }
  const serverInfo = { name: 'scripted', version: '1' }
  const whole = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

  function respond(message: ScriptedMessage, response: ServerResponse): void {
    const { id, method } = message.body ?? {}
    const sendJson = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    }
    const result = (given: object) => ({ jsonrpc: '2.0', id, result: given })
    const error = (given: object) => ({ jsonrpc: '2.0', id, error: given })
    if (method === undefined || id === undefined) {
      response.writeHead(202).end()
      return
    }
    if (method === 'server/discover')
      sendJson(
        era === 'modern'
          ? result({ supportedVersions: ['2026-07-28'], capabilities, serverInfo, ...whole })
          : error({ code: -32_601, message: 'Method not found' }),
      )
    else if (method === 'initialize') {
      const { protocolVersion } = message.body.params
      response.setHeader('mcp-session-id', `session-${seen.length}`)
      sendJson(result({ protocolVersion, capabilities, serverInfo }))
    } else if (method === 'tools/list') sendJson(result({ tools, ...(era === 'modern' && whole) }))
    else
      answer({
        message,
        response,
        sendJson,
        sendEvents(values) {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          for (const value of values) response.write(`event: message\ndata: ${JSON.stringify(value)}\n\n`)
          response.end()
        },
        result,
        error,
      })
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      if (incoming.method !== 'POST') {
        response.writeHead(incoming.method === 'DELETE' ? 204 : 405).end()
        return
      }
      const raw = Buffer.concat(chunks).toString()
      const message = { headers: incoming.headers, raw, body: JSON.parse(raw) }
      seen.push(message)
      respond(message, response)
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
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A caller that writes its messages itself, as no client would. */
export interface RawCaller {
  /** The answer's text, whatever it is. */
  post(body: unknown, headers?: Record<string, string>): Promise<{ status: number; text: string }>
  request(
    method: string,
    params: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>
}

export async function rawCaller(
  address: string,
  key: string,
  era: McpEra,
  options: { path?: string; capabilities?: object; meta?: object; session?: boolean } = {},
): Promise<RawCaller & { session: string | null }> {
  const { path = '/mcp', capabilities = {}, meta = {} } = options
  let session: string | null = null
  let nextId = 1

  async function post(body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, address), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== null && { 'mcp-session-id': session }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    if (session === null) session = response.headers.get('mcp-session-id')
    return { status: response.status, text: await response.text() }
  }

  if (era === 'older' && options.session !== false)
    await post({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } },
    })
  return {
    session,
    post,
    async request(method, params, headers = {}) {
      const id = nextId++
      if (era === 'older') return await post({ jsonrpc: '2.0', id, method, params }, headers)
      const name = params.name ?? params.uri
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
        ...meta,
        ...(params._meta as object),
      }
      return await post(
        { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
        {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(typeof name === 'string' && {
            'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=`,
          }),
          ...headers,
        },
      )
    },
  }
}
