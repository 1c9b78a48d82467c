import { createEventParser } from '../providers/event-parser.js'
import type { Api } from '../service/api.js'
import type { OfficialMcpServer } from './mcp-server.js'

export interface ServerSettings {
  name: string
  open?: boolean
  pinning?: 'off' | 'warn' | 'block'
  resources?: string[]
  prompts?: string[]
  [setting: string]: unknown
}

/** A server behind the gateway, asked for its tools, which anybody may call. */
export async function addMcpServer(
  api: Api,
  { url }: Pick<OfficialMcpServer, 'url'>,
  settings: ServerSettings,
): Promise<{ id: string }> {
  const made = await api.post('/v1/mcp-servers', { url, open: true, pinning: 'off', ...settings })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const refreshed = await api.post(`/v1/mcp-servers/${made.body.id}/refresh`)
  if (refreshed.body.status !== 'ok') throw new Error(JSON.stringify(refreshed.body))
  return { id: made.body.id }
}

export interface RpcAnswer {
  status: number
  headers: Headers
  text: string
  /** Of a JSON answer, or of each event of a stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  messages: any[]
}

/** Speaks JSON-RPC with the gateway as no client would. */
export async function postRpc(
  url: string,
  key: string | null,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
  return await readRpc(response)
}

export async function readRpc(response: Response): Promise<RpcAnswer> {
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const messages = isStream
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    : text === ''
      ? []
      : [JSON.parse(text)]
  return { status: response.status, headers: response.headers, text, messages }
}

export const rpc = (id: string | number, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
})

/** A request of 2026-07-28, with all that it must have. */
export function modernRpc(id: string | number, method: string, params: Record<string, unknown> = {}) {
  const name = params.name ?? params.uri
  return {
    body: rpc(id, method, {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        ...(params._meta as object | undefined),
      },
    }),
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    } as Record<string, string>,
  }
}

/** The session of a caller of the older protocol. */
export async function initialize(
  url: string,
  key: string,
  { version = '2025-11-25', capabilities = {} }: { version?: string; capabilities?: object } = {},
): Promise<Record<string, string>> {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'test', version: '1' } }
  const { headers, status, text } = await postRpc(url, key, rpc(0, 'initialize', params))
  const session = headers.get('mcp-session-id')
  if (session === null) throw new Error(`${status} ${text}`)
  return { 'mcp-session-id': session, 'mcp-protocol-version': version }
}

/** A stream of messages that is read as they come. */
export interface RpcStream {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  messages: any[]
  /** The answer has ended. */
  isOver(): boolean
  hangUp(): void
}

export async function openRpc(
  url: string,
  key: string,
  headers: Record<string, string>,
  body: unknown = null,
): Promise<RpcStream> {
  const abort = new AbortController()
  const response = await fetch(url, {
    method: body === null ? 'GET' : 'POST',
    headers: {
      accept: body === null ? 'text/event-stream' : 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: abort.signal,
    ...(body !== null && { body: JSON.stringify(body) }),
  })
  const stream: RpcStream = {
    status: response.status,
    messages: [],
    isOver: () => isOver,
    hangUp: () => abort.abort(),
  }
  let isOver = false
  const parser = createEventParser(({ data }) => stream.messages.push(JSON.parse(data)))
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) parser.push(decoder.decode(chunk, { stream: true }))
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  return stream
}
