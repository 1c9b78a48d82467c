import type { JsonObject } from '@tallystick/record/json'
import type { Dispatcher } from 'undici'
import { untilAborted } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import { type ClientInfo, loadSdk } from '../protocol/sdk.js'
import { type HttpAnswer, sendHttp } from './send.js'
import { faultOfStatus } from './status.js'

/** What a server said of itself when it was first spoken to. */
export interface Introduction {
  protocolVersion: string
  serverInfo: JsonObject
  capabilities: JsonObject
  instructions: string | null
}

export interface HandshakeOptions {
  dispatcher: Dispatcher
  url: string
  /** Credentials among them. */
  headers: Record<string, string>
  clientInfo: ClientInfo
  /** What older servers are told that we can do. */
  capabilities: JsonObject
  /** It is known to be an older server: it is not asked for the newer protocol first. */
  isLegacy: boolean
  signal: AbortSignal
}

// Far more than any introduction has.
const maxBytes = 1_048_576
const timeoutMs = 30_000
const validSessionId = /^[\x21-\x7e]{1,2048}$/

/** Speaks to a server by the official client: `server/discover`, or `initialize` for older ones. Throws an `UpstreamFault`. */
export async function shakeHands(
  options: HandshakeOptions,
): Promise<Introduction & { sessionId: string | null }> {
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
    // A stream that breaks ends no request of the client.
    const orBroken = AbortSignal.any([signal, limited.broken])
    await untilAborted(
      client.connect(transport, { timeout: timeoutMs, signal, ...(prior && { prior }) }),
      orBroken,
    )
    return { ...introductionOf(client), sessionId: readSessionId(transport.sessionId) }
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

/** The parts of the official client that say what it learned. */
interface Introduced {
  getNegotiatedProtocolVersion(): string | undefined
  getServerVersion(): object | undefined
  getServerCapabilities(): object | undefined
  getInstructions(): string | undefined
}

export function introductionOf(client: Introduced): Introduction {
  return {
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    serverInfo: { ...client.getServerVersion() },
    capabilities: { ...client.getServerCapabilities() },
    instructions: client.getInstructions() ?? null,
  }
}

function readSessionId(sessionId: string | undefined): string | null {
  if (sessionId === undefined) return null
  if (!validSessionId.test(sessionId)) throw badAnswer('The server gave a session id that is not valid')
  return sessionId
}

export function faultOf(error: unknown): UpstreamFault {
  return error instanceof UpstreamFault
    ? error
    : badAnswer('The server did not complete the handshake as the protocol says', error)
}

/** For the official client: the one URL, within bounds, without redirects and without a stream for what nobody waits for. */
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
      // What else a status means for the negotiation, the client knows.
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
