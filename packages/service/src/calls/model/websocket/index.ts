import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type WebSocket, WebSocketServer } from 'ws'
import { type App, type Handshake, principalOf, takeHandshake, userSuspended } from '../../../http/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import { ApiError, invalidRequest, unauthorized } from '../../../shared/errors.js'
import { maxBodyBytes, requireRecord } from '../../core/index.js'
import type { SocketLimits } from './limits.js'
import { type SessionParts, SocketSession } from './session.js'
import { SocketSlots } from './slots.js'
import { type SocketCallParts, SocketCalls } from './socket-calls.js'

export interface SocketParts extends SocketCallParts, Pick<SessionParts, 'track'> {
  limits: SocketLimits
}

const described = {
  tags: ['Gateway'],
  operationId: 'openResponsesSocket',
  summary: 'Create responses over a WebSocket (OpenAI)',
  description: `Opens a WebSocket. Each \`response.create\` message on it is a call like \`POST /v1/responses\`, with its own receipt. The events
of the answer are returned as messages.`,
  response: { 101: Type.Null({ description: 'The connection is a WebSocket' }) },
}

/**
 * Registers `GET /v1/responses` as a WebSocket. Each `response.create` is a call like one over HTTP. The provider is called over HTTP, so
 * every provider of the responses endpoint works. Returns a function that counts the open sockets.
 */
export function registerSockets(scope: App, parts: SocketParts): () => number {
  const { limits, gateway } = parts
  // Bounded: 4,096 sockets, 256 for each key.
  const sessions = new Set<SocketSession>()
  const slots = new SocketSlots(limits)
  const accept = createAcceptor()
  const checking = setInterval(() => {
    for (const session of sessions) session.check()
  }, limits.pingMs)
  checking.unref()

  scope.get(
    '/v1/responses',
    {
      exposeHeadRoute: false,
      config: { access: 'member', webSocket: true, errors: ['not_found'], described },
      schema: { hide: true, tags: ['Gateway'] },
    },
    async (request, reply) => {
      const handshake = takeHandshake(request)
      if (handshake === null) throw noHandshake
      const principal = principalOf(request)
      if (principal.suspended) throw userSuspended()
      const entitlements = await gateway.entitlementsOf(principal)
      if (entitlements === null) throw unauthorized()
      requireRecord(gateway.ledger, entitlements.tenantId)
      const releaseSlot = slots.take(principal)
      try {
        const webSocket = accept(request, handshake)
        reply.hijack()
        handshake.detach()
        if (webSocket === null) releaseSlot()
        else open(webSocket, request, handshake, entitlements, releaseSlot)
      } catch (error) {
        releaseSlot()
        throw error
      }
      return reply
    },
  )

  function open(
    webSocket: WebSocket,
    request: FastifyRequest,
    { socket }: Handshake,
    entitlements: Entitlements,
    releaseSlot: () => void,
  ): void {
    const { url, log } = request
    const headers = callHeaders(request.headers)
    const principal = principalOf(request)
    const session = new SocketSession(webSocket, socket, {
      limits,
      openAccount: () => parts.bodies.open(principal),
      makeCalls: (channel) => new SocketCalls({ principal, url, headers, log }, channel, parts),
      track: parts.track,
    })
    sessions.add(session)
    const unwatch = gateway.revocations.watch(entitlements, (why) => session.revoke(why))
    webSocket.once('close', () => {
      sessions.delete(session)
      unwatch()
      releaseSlot()
    })
  }

  scope.addHook('preClose', async () => {
    clearInterval(checking)
    for (const session of sessions) session.end(1001, 'The service is shutting down')
  })
  // Calls end at this signal, each once its receipt is written. Peers that do not read the end are not waited for.
  gateway.shutdown.add(() => {
    setTimeout(() => {
      for (const session of sessions) session.terminateIfIdle()
    }, limits.closeMs).unref()
  })
  return () => sessions.size
}

const noHandshake = new ApiError('not_found', 'GET /v1/responses is a WebSocket; plain calls are POST')

/** Accepts handshakes. Returns null when the peer has disconnected; throws when the handshake is invalid. */
function createAcceptor(): (request: FastifyRequest, handshake: Handshake) => WebSocket | null {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: maxBodyBytes,
  })
  let fault: Error | null = null
  server.on('wsClientError', (error: Error) => {
    fault = error
  })
  return ({ raw }, { socket, head }) => {
    fault = null
    const accepted: WebSocket[] = []
    // The callback runs before `handleUpgrade` returns.
    server.handleUpgrade(raw, socket, head, (webSocket) => accepted.push(webSocket))
    if (fault !== null) throw invalidRequest(`This is not a WebSocket handshake: ${describe(fault)}`)
    return accepted[0] ?? null
  }
}

const describe = ({ message }: Error): string => message

/** Returns the headers for every call on the socket, without those that concern the handshake or a single request. */
function callHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'idempotency-key': _, 'openai-beta': beta, ...others } = headers
  const kept = String(beta ?? '')
    .split(',')
    .filter((feature) => !/^\s*(responses_websockets=.*)?$/.test(feature))
    .join(',')
  return kept === '' ? others : { ...others, 'openai-beta': kept }
}
