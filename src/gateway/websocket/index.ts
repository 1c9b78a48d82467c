import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type WebSocket, WebSocketServer } from 'ws'
import { ApiError, invalidRequest, unauthorized } from '../../errors.js'
import { maxBodyBytes, requireRecord } from '../../governed/index.js'
import { type App, type Handshake, principalOf, takeHandshake, userSuspended } from '../../http/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import type { SocketLimits } from './limits.js'
import { SocketPlaces } from './places.js'
import { type SessionParts, SocketSession } from './session.js'
import { type SocketCallParts, SocketCalls } from './socket-calls.js'

export interface SocketParts extends SocketCallParts, Pick<SessionParts, 'track'> {
  limits: SocketLimits
}

const described = {
  tags: ['Gateway'],
  operationId: 'openResponsesSocket',
  summary: 'Responses over a WebSocket (OpenAI)',
  description: `A WebSocket handshake. Each message \`response.create\` on it is a call like one of \`POST /v1/responses\`, with a receipt of its own;
its events come back as messages.`,
  response: { 101: Type.Null({ description: 'The connection is a WebSocket' }) },
}

/**
 * `GET /v1/responses` as a WebSocket: each `response.create` is a call like one by HTTP. The provider is asked by HTTP, so that any
 * that answers responses will do. Returns how many sockets are open at this moment.
 */
export function registerSockets(scope: App, parts: SocketParts): () => number {
  const { limits, gateway } = parts
  const sessions = new Set<SocketSession>()
  const places = new SocketPlaces(limits)
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
      const leave = places.take(principal)
      try {
        const webSocket = accept(request, handshake)
        reply.hijack()
        handshake.detach()
        if (webSocket === null) leave()
        else open(webSocket, request, handshake, entitlements, leave)
      } catch (error) {
        leave()
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
    leave: () => void,
  ): void {
    const { url, log } = request
    const headers = callHeaders(request.headers)
    const principal = principalOf(request)
    const session = new SocketSession(webSocket, socket, {
      limits,
      openAccount: () => parts.bodies.open(principal),
      makeCalls: (line) => new SocketCalls({ principal, url, headers, log }, line, parts),
      track: parts.track,
    })
    sessions.add(session)
    const unwatch = gateway.revocations.watch(entitlements, (why) => session.revoke(why))
    webSocket.once('close', () => {
      sessions.delete(session)
      unwatch()
      leave()
    })
  }

  scope.addHook('preClose', async () => {
    clearInterval(checking)
    for (const session of sessions) session.end(1001, 'The service is shutting down')
  })
  // Calls end at this signal, each once its receipt is written; whoever does not read that is not waited for.
  gateway.shutdown.add(() => {
    setTimeout(() => {
      for (const session of sessions) session.letGo()
    }, limits.closeMs).unref()
  })
  return () => sessions.size
}

const noHandshake = new ApiError('not_found', 'GET /v1/responses is a WebSocket; plain calls are POST')

/** Returns null when the peer has gone meanwhile; throws what is wrong with its handshake. */
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
    // It calls back before it returns.
    server.handleUpgrade(raw, socket, head, (webSocket) => accepted.push(webSocket))
    if (fault !== null) throw invalidRequest(`This is not a WebSocket handshake: ${describe(fault)}`)
    return accepted[0] ?? null
  }
}

const describe = ({ message }: Error): string => message

/** Each call has them. What is for the handshake, or for one request alone, is not for calls. */
function callHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'idempotency-key': _, 'openai-beta': beta, ...others } = headers
  const kept = String(beta ?? '')
    .split(',')
    .filter((feature) => !/^\s*(responses_websockets=.*)?$/.test(feature))
    .join(',')
  return kept === '' ? others : { ...others, 'openai-beta': kept }
}
