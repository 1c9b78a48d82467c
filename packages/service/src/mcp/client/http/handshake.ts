import type { JsonObject } from '@tallystick/record/json'
import type { Dispatcher } from 'undici'
import { untilAborted } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import { type ClientInfo, loadSdk } from '../protocol/sdk.js'
import { type HttpAnswer, sendHttp } from './send.js'
import { faultOfStatus } from './status.js'

/** What a server declares about itself in a handshake. */
export interface HandshakeResult {
  protocolVersion: string
  serverInfo: JsonObject
  capabilities: JsonObject
  instructions: string | null
}

export interface HandshakeOptions {
  dispatcher: Dispatcher
  url: string
  /** The headers of the request, including credentials. */
  headers: Record<string, string>
  clientInfo: ClientInfo
  /** The capabilities to declare to an older server. */
  capabilities: JsonObject
  /** Whether the server is known to support only the older protocol, so that the newer one need not be tried. */
  isLegacy: boolean
  signal: AbortSignal
}

// Far more than any result of a handshake has.
const maxBytes = 1_048_576
const timeoutMs = 30_000
const validSessionId = /^[\x21-\x7e]{1,2048}$/

/** Performs the handshake with the official client: `server/discover`, or `initialize` with older servers. Throws an `UpstreamFault`. */
export async function performHandshake(
  options: HandshakeOptions,
): Promise<HandshakeResult & { sessionId: string | null }> {
  const { url, clientInfo, capabilities, isLegacy, signal } = options
  const { Client, StreamableHTTPClientTransport } = await loadSdk()
  const limited = createFetch(options)
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: limited.fetch,
    reconnectionOptions: noReconnection,
  })
  const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode: 'auto' } })
  client.onerror = () => undefined
  try {
    const prior = isLegacy ? ({ kind: 'legacy' } as const) : undefined
    // The client does not notice that the stream of its request broke.
    const orBroken = AbortSignal.any([signal, limited.broken])
    await untilAborted(
      client.connect(transport, { timeout: timeoutMs, signal, ...(prior && { prior }) }),
      orBroken,
    )
    return { ...readHandshakeResult(client), sessionId: readSessionId(transport.sessionId) }
  } catch (error) {
    throw limited.fault() ?? faultOf(error)
  } finally {
    await client.close().catch(() => undefined)
  }
}

const noReconnection = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 0,
}

/** The methods of the official client that return the result of the handshake. */
interface ConnectedClient {
  getNegotiatedProtocolVersion(): string | undefined
  getServerVersion(): object | undefined
  getServerCapabilities(): object | undefined
  getInstructions(): string | undefined
}

export function readHandshakeResult(client: ConnectedClient): HandshakeResult {
  return {
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    serverInfo: { ...client.getServerVersion() },
    capabilities: { ...client.getServerCapabilities() },
    instructions: client.getInstructions() ?? null,
  }
}

function readSessionId(sessionId: string | undefined): string | null {
  if (sessionId === undefined) return null
  if (!validSessionId.test(sessionId)) throw badAnswer('The server returned an invalid session id')
  return sessionId
}

export function faultOf(error: unknown): UpstreamFault {
  return error instanceof UpstreamFault
    ? error
    : badAnswer('The server did not complete the handshake as the protocol requires', error)
}

/** Creates the `fetch` of the official client. It requests only this URL, bounds the answer, and follows no redirects. */
function createFetch({ dispatcher, url, headers, signal }: HandshakeOptions) {
  let fault: UpstreamFault | null = null
  const broken = new AbortController()

  async function* noteFault(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* body
    } catch (error) {
      fault = faultOf(error)
      broken.abort(fault)
      throw error
    }
  }

  async function limitedFetch(target: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    if (init.method !== 'POST' || String(target) !== String(new URL(url)))
      return new Response(null, { status: 405 })
    fault = null
    const both = init.signal ? AbortSignal.any([signal, init.signal]) : signal
    try {
      const answer = await sendHttp(dispatcher, {
        url,
        method: 'POST',
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
        body: Buffer.from(String(init.body)),
        signal: both,
        maxBytes,
      })
      const refusal = faultOfStatus(answer.status)
      // The client itself handles the statuses by which older servers refuse the newer protocol.
      if (refusal !== null && !mayMeanOlder(answer.status)) {
        answer.discard()
        throw refusal
      }
      fault = refusal
      return toResponse({ ...answer, body: noteFault(answer.body) })
    } catch (error) {
      fault = faultOf(error)
      throw error
    }
  }
  return { fetch: limitedFetch, fault: () => fault, broken: broken.signal }
}

const mayMeanOlder = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 403

function toResponse(answer: HttpAnswer): Response {
  const { status } = answer
  const headers = new Headers()
  for (const name of ['content-type', 'mcp-session-id']) {
    const value = answer.header(name)
    if (value !== null) headers.set(name, value)
  }
  if (status === 204 || status === 205 || status === 304) {
    answer.discard()
    return new Response(null, { status, headers })
  }
  return new Response(ReadableStream.from(answer.body), { status, headers })
}
