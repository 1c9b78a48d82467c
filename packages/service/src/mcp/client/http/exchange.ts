import { asObject } from '@tallystick/record/json'
import type { Dispatcher } from 'undici'
import type { McpServerTerms } from '../../../resources/mcp-servers/index.js'
import type { WaitForTurn } from '../../../shared/turns.js'
import type { UpstreamEnd, UpstreamFailure, UpstreamOwner, UpstreamRequest } from '../contract.js'
import { type Deadline, untilAborted } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import { Conversation } from '../protocol/conversation.js'
import { prepareParams, writeMessage } from '../protocol/params.js'
import { argumentHeaders, standardHeaders } from '../protocol/request-headers.js'
import { type ClientInfo, envelopeOf, isModern } from '../protocol/sdk.js'
import type { Connection } from './connections.js'
import { readAnswer, type StreamPlace } from './read-answer.js'
import { readRefusal, type stale } from './read-refusal.js'
import { type HttpAnswer, sendHttp } from './send.js'
import { createSessionStreams } from './session-streams.js'

export interface ExchangesOptions {
  dispatcherFor(server: McpServerTerms): Dispatcher
  clientInfo: ClientInfo
  waitForTurn: WaitForTurn
  onListChanged(server: McpServerTerms, owner: UpstreamOwner): void
  /** Work that nobody waits for, but the end of the service. */
  inBackground(work: Promise<unknown>): void
}

/** A request and all that it needs while it is under way. */
export interface Exchange {
  request: UpstreamRequest
  url: string
  headers: Record<string, string>
  deadline: Deadline
  connection: Connection
  id: number
  /** The request is about to be written to a connection: perhaps again, after the server did not take it. */
  onSent(): void
}

/** After these the server may still be at work on the request. */
const givenUp: ReadonlySet<UpstreamFailure> = new Set(['timeout', 'cancelled', 'too_large', 'bad_answer'])

const maxIgnoredBytes = 65_536
const noticeTimeoutMs = 5_000
const maxResumptions = 20
const maxRetryMs = 10_000

/** One request to a server, up to its answer. */
export function createExchanges(options: ExchangesOptions) {
  const { dispatcherFor, clientInfo, waitForTurn } = options
  const sessionStreams = createSessionStreams({ waitForTurn })

  /** Sends the request once. Throws an `UpstreamFault`. */
  async function exchangeOnce(exchange: Exchange): Promise<UpstreamEnd | typeof stale> {
    const { request: asked, connection, deadline, id } = exchange
    const { server, owner, channel, method } = asked
    const modern = isModern(connection.protocolVersion)
    const envelope = await envelopeOf(connection.protocolVersion, clientInfo, channel.capabilities)
    const params = await prepareParams(asked.paramsJson, id, envelope, waitForTurn)
    const conversation = new Conversation({
      id,
      tokenJson: params.tokenJson,
      canAsk: !modern,
      channel,
      deadline,
      waitForTurn,
      send: (message) => notify(exchange, message),
      onListChanged: () => options.onListChanged(server, owner),
    })
    const leave = await listenToSession(exchange, conversation)
    let wasSent = false
    try {
      const answer = await sendHttp(dispatcherFor(server), {
        url: exchange.url,
        method: 'POST',
        headers: {
          ...headersOf(exchange),
          ...(modern && standardHeaders(method, params.value)),
          ...(modern && method === 'tools/call' && argumentHeadersOf(server, params.value)),
        },
        body: writeMessage(id, method, params.json),
        signal: deadline.signal,
        maxBytes: asked.maxBytes,
        onSent: () => {
          wasSent = true
          exchange.onSent()
        },
      })
      if (answer.status >= 300) return await readRefusal(answer, { connection, id }, waitForTurn)
      return await readToEnd(answer, conversation, exchange)
    } catch (error) {
      if (wasSent) tellGivenUp(exchange, error)
      throw error
    } finally {
      conversation.end()
      leave()
    }
  }

  /** Older servers ask some of their questions in the session, not in the answer. */
  async function listenToSession(exchange: Exchange, conversation: Conversation): Promise<() => void> {
    const { connection, request: asked, url, deadline } = exchange
    const { sessionId, owner } = connection
    const canBeAsked = asked.channel.canAsk && Object.keys(asked.channel.capabilities).length > 0
    if (sessionId === null || !canBeAsked) return () => undefined
    const key = `${asked.server.tenantId} ${asked.server.id} ${owner} ${sessionId}`
    const open = (signal: AbortSignal) =>
      sendHttp(dispatcherFor(asked.server), {
        url,
        method: 'GET',
        headers: streamHeadersOf(exchange),
        body: null,
        signal,
        maxBytes: asked.maxBytes,
      })
    return await sessionStreams.join(key, (message) => conversation.overhear(message), open, deadline.signal)
  }

  async function readToEnd(
    first: HttpAnswer,
    conversation: Conversation,
    exchange: Exchange,
  ): Promise<UpstreamEnd> {
    const place: StreamPlace = { lastEventId: null, retryMs: null }
    let answer = first
    let bytesLeft = exchange.request.maxBytes
    for (let resumed = 0; ; resumed++) {
      if (answer.status === 202 || answer.status === 204)
        throw badAnswer(`The server took the request without an answer (HTTP ${answer.status})`)
      try {
        for await (const message of readAnswer(answer, waitForTurn, place)) {
          const end = await conversation.take(message)
          if (end !== null) return end
        }
      } catch (error) {
        if (
          !(error instanceof UpstreamFault && error.failure === 'unreachable' && canResume(place, exchange))
        )
          throw error
      } finally {
        answer.discard()
      }
      if (!canResume(place, exchange) || resumed >= maxResumptions)
        throw badAnswer('The server ended its answer before it was complete')
      bytesLeft -= answer.bytes()
      answer = await resume(place, exchange, bytesLeft)
    }
  }

  /** Servers that keep what they sent may close a stream while they work on: it is read on, and nothing is sent twice. */
  async function resume(place: StreamPlace, exchange: Exchange, maxBytes: number): Promise<HttpAnswer> {
    const { deadline, request: asked } = exchange
    await pause(Math.min(place.retryMs ?? 1_000, maxRetryMs), deadline.signal)
    const answer = await sendHttp(dispatcherFor(asked.server), {
      url: exchange.url,
      method: 'GET',
      headers: { ...streamHeadersOf(exchange), 'last-event-id': place.lastEventId ?? '' },
      body: null,
      signal: deadline.signal,
      maxBytes,
    })
    if (answer.status === 200) return answer
    answer.discard()
    throw badAnswer('The server ended its answer before it was complete')
  }

  /** Sends what needs no answer. */
  function notify(exchange: Exchange, message: Buffer): void {
    const send = async () => {
      const answer = await sendHttp(dispatcherFor(exchange.request.server), {
        url: exchange.url,
        method: 'POST',
        headers: headersOf(exchange),
        body: message,
        signal: AbortSignal.timeout(noticeTimeoutMs),
        maxBytes: maxIgnoredBytes,
      })
      answer.discard()
    }
    options.inBackground(send().catch(() => undefined))
  }

  /** Newer servers take the end of the connection for it. */
  function tellGivenUp(exchange: Exchange, cause: unknown): void {
    const mayWorkOn = cause instanceof UpstreamFault && givenUp.has(cause.failure)
    if (!mayWorkOn || isModern(exchange.connection.protocolVersion)) return
    const params = JSON.stringify({ requestId: exchange.id, reason: 'Nobody waits for the answer any more' })
    notify(exchange, writeMessage(null, 'notifications/cancelled', params))
  }

  /** Ends a session that nobody needs any more. */
  async function endSession(
    server: McpServerTerms,
    url: string,
    headers: Record<string, string>,
    connection: Connection,
  ): Promise<void> {
    if (connection.sessionId === null) return
    const { 'content-type': _, ...others } = protocolHeaders(connection)
    const answer = await sendHttp(dispatcherFor(server), {
      url,
      method: 'DELETE',
      headers: { ...headers, ...others },
      body: null,
      signal: AbortSignal.timeout(noticeTimeoutMs),
      maxBytes: maxIgnoredBytes,
    })
    answer.discard()
  }

  return { exchangeOnce, endSession, close: () => sessionStreams.close() }
}

const headersOf = ({ headers, connection }: Exchange): Record<string, string> => ({
  ...headers,
  ...protocolHeaders(connection),
})

function streamHeadersOf(exchange: Exchange): Record<string, string> {
  const { 'content-type': _, ...headers } = headersOf(exchange)
  return { ...headers, accept: 'text/event-stream' }
}

const protocolHeaders = ({ protocolVersion, sessionId }: Connection): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': protocolVersion,
  ...(sessionId !== null && { 'mcp-session-id': sessionId }),
})

function argumentHeadersOf(server: McpServerTerms, params: Record<string, unknown>): Record<string, string> {
  const tool = server.tools.find(({ name }) => name === params.name)
  return argumentHeaders(asObject(tool?.definition).inputSchema, params.arguments)
}

const canResume = (place: StreamPlace, { connection }: Exchange): boolean =>
  place.lastEventId !== null && !isModern(connection.protocolVersion)

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await untilAborted(waited, signal).finally(() => clearTimeout(timer))
}
