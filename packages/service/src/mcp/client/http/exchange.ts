import { asObject } from '@tallystick/record/json'
import type { Dispatcher } from 'undici'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { UpstreamEnd, UpstreamFailure, UpstreamOwner, UpstreamRequest } from '../contract.js'
import { type Deadline, untilAborted } from '../deadline.js'
import { badAnswer, UpstreamFault } from '../fault.js'
import type { Message } from '../protocol/messages.js'
import { cancelReason, prepareParams, writeMessage } from '../protocol/params.js'
import { writeArgumentHeaders, writeStandardHeaders } from '../protocol/request-headers.js'
import { type ClientInfo, envelopeOf, isModern } from '../protocol/sdk.js'
import { ServerMessageHandler } from '../protocol/server-message-handler.js'
import type { Connection } from './connections.js'
import { type ResumePoint, readAnswer } from './read-answer.js'
import { readRefusal, type staleConnection } from './read-refusal.js'
import { type HttpAnswer, sendHttp } from './send.js'
import { createSessionStreams } from './session-streams.js'

export interface ExchangesOptions {
  dispatcherFor(server: ToolServer): Dispatcher
  clientInfo: ClientInfo
  yieldToEventLoop: YieldToEventLoop
  onListChanged(server: ToolServer, owner: UpstreamOwner): void
  /** Runs work that no call waits for. The service waits for it before it stops. */
  inBackground(work: Promise<unknown>): void
}

/** An open request with its connection, headers and deadline. */
export interface Exchange {
  request: UpstreamRequest
  url: string
  headers: Record<string, string>
  deadline: Deadline
  connection: Connection
  id: number
  /** Called each time the request is about to be written to a connection. */
  onSent(): void
}

/** After these failures the server may still be processing the request. */
const abandoningFailures: ReadonlySet<UpstreamFailure> = new Set([
  'timeout',
  'cancelled',
  'too_large',
  'bad_answer',
])

const maxIgnoredBytes = 65_536
const noticeTimeoutMs = 5_000
const maxResumptions = 20
const maxRetryMs = 10_000

/** Creates the functions that send requests to servers and read their answers. */
export function createExchanges(options: ExchangesOptions) {
  const { dispatcherFor, clientInfo, yieldToEventLoop } = options
  const sessionStreams = createSessionStreams({ yieldToEventLoop })

  /** Sends the request once. Throws an `UpstreamFault`. */
  async function exchangeOnce(exchange: Exchange): Promise<UpstreamEnd | typeof staleConnection> {
    const { request, connection, deadline, id } = exchange
    const { server, owner, channel, method } = request
    const modern = isModern(connection.protocolVersion)
    const envelope = await envelopeOf(connection.protocolVersion, clientInfo, channel.capabilities)
    const params = await prepareParams(request.paramsJson, id, envelope, yieldToEventLoop)
    const handler = new ServerMessageHandler({
      id,
      tokenJson: params.tokenJson,
      canAsk: !modern,
      channel,
      deadline,
      yieldToEventLoop,
      send: (message) => notify(exchange, message),
      onListChanged: () => options.onListChanged(server, owner),
    })
    const stopListening = await listenToSession(exchange, handler)
    let wasSent = false
    try {
      const answer = await sendHttp(dispatcherFor(server), {
        url: exchange.url,
        method: 'POST',
        headers: {
          ...headersOf(exchange),
          ...(modern && writeStandardHeaders(method, params.value)),
          ...(modern && method === 'tools/call' && argumentHeadersFor(server, params.value)),
        },
        body: writeMessage(id, method, params.json),
        signal: deadline.signal,
        maxBytes: request.maxBytes,
        onSent: () => {
          wasSent = true
          exchange.onSent()
        },
      })
      if (answer.status >= 300) return await readRefusal(answer, { connection, id }, yieldToEventLoop)
      return await readToEnd(answer, handler, exchange)
    } catch (error) {
      if (wasSent) notifyCancelled(exchange, error)
      throw error
    } finally {
      handler.end()
      stopListening()
    }
  }

  /** Listens to the stream of the session, where older servers may send questions. Returns a function that stops listening. */
  async function listenToSession(exchange: Exchange, handler: ServerMessageHandler): Promise<() => void> {
    const { connection, request, url, deadline } = exchange
    const { sessionId, owner } = connection
    const { server, channel, maxBytes } = request
    const canBeAsked = channel.canAsk && Object.keys(channel.capabilities).length > 0
    if (sessionId === null || !canBeAsked) return () => undefined
    const key = `${server.tenantId} ${server.id} ${owner} ${sessionId}`
    const open = (signal: AbortSignal) =>
      sendHttp(dispatcherFor(server), {
        url,
        method: 'GET',
        headers: streamHeadersOf(exchange),
        body: null,
        signal,
        maxBytes,
      })
    const onMessage = (message: Message) => handler.handleSessionMessage(message)
    return await sessionStreams.listen(key, onMessage, open, deadline.signal)
  }

  async function readToEnd(
    first: HttpAnswer,
    handler: ServerMessageHandler,
    exchange: Exchange,
  ): Promise<UpstreamEnd> {
    const resumePoint: ResumePoint = { lastEventId: null, retryMs: null }
    let answer = first
    let bytesLeft = exchange.request.maxBytes
    for (let resumed = 0; ; resumed++) {
      if (answer.status === 202 || answer.status === 204)
        throw badAnswer(`The server accepted the request but sent no answer (HTTP ${answer.status})`)
      try {
        for await (const message of readAnswer(answer, yieldToEventLoop, resumePoint)) {
          const end = await handler.handle(message)
          if (end !== null) return end
        }
      } catch (error) {
        const isBroken = error instanceof UpstreamFault && error.failure === 'unreachable'
        if (!isBroken || !canResume(resumePoint, exchange)) throw error
      } finally {
        answer.discard()
      }
      if (!canResume(resumePoint, exchange) || resumed >= maxResumptions)
        throw badAnswer('The server ended its answer before it was complete')
      bytesLeft -= answer.bytes()
      answer = await resume(resumePoint, exchange, bytesLeft)
    }
  }

  /** Continues a stream after its last event. Servers that store events may close a stream while they are still working. */
  async function resume(
    { retryMs, lastEventId }: ResumePoint,
    exchange: Exchange,
    maxBytes: number,
  ): Promise<HttpAnswer> {
    const { deadline, request } = exchange
    await pause(Math.min(retryMs ?? 1_000, maxRetryMs), deadline.signal)
    const answer = await sendHttp(dispatcherFor(request.server), {
      url: exchange.url,
      method: 'GET',
      headers: { ...streamHeadersOf(exchange), 'last-event-id': lastEventId ?? '' },
      body: null,
      signal: deadline.signal,
      maxBytes,
    })
    if (answer.status === 200) return answer
    answer.discard()
    throw badAnswer('The server ended its answer before it was complete')
  }

  /** Sends a message that needs no answer. Failures are ignored. */
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

  /** Tells an older server that its answer is no longer needed. Newer servers notice that the connection was closed. */
  function notifyCancelled(exchange: Exchange, cause: unknown): void {
    const mayBeWorking = cause instanceof UpstreamFault && abandoningFailures.has(cause.failure)
    if (!mayBeWorking || isModern(exchange.connection.protocolVersion)) return
    const params = JSON.stringify({ requestId: exchange.id, reason: cancelReason })
    notify(exchange, writeMessage(null, 'notifications/cancelled', params))
  }

  /** Ends a session at its server. */
  async function endSession(
    server: ToolServer,
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

function argumentHeadersFor(server: ToolServer, params: Record<string, unknown>): Record<string, string> {
  const tool = server.tools.find(({ name }) => name === params.name)
  return writeArgumentHeaders(asObject(tool?.definition).inputSchema, params.arguments)
}

const canResume = ({ lastEventId }: ResumePoint, { connection }: Exchange): boolean =>
  lastEventId !== null && !isModern(connection.protocolVersion)

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await untilAborted(waited, signal).finally(() => clearTimeout(timer))
}
