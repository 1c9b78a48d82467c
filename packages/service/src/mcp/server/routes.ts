import type { Readable } from 'node:stream'
import { asObject } from '@tallystick/record/json'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkAnnouncedLength, maxBodyBytes, readBody } from '../../calls/core/index.js'
import {
  type App,
  authenticate,
  BodiesInFlight,
  type BodyAccount,
  challenge,
  defaultBodyLimits,
  eventStreamLimits,
  principalOf,
  providerAnswerLimits,
  refuseForeignOrigin,
  StreamSlots,
  toApiError,
} from '../../http/index.js'
import { ChangeStreams } from './answer/change-streams.js'
import { EventWriter } from './answer/event-writer.js'
import type { McpCaller } from './caller.js'
import { createCancellations } from './calls/cancellations.js'
import type { Mcp, McpOptions } from './contract.js'
import { describeMcpRoutes } from './describe-routes.js'
import { defaultMcpServerLimits } from './limits.js'
import { createServerListings } from './listings/server-listings.js'
import { notAcceptable, readAccept } from './protocol/accept.js'
import { serverInfoOf } from './protocol/handshake.js'
import type { RpcRequest } from './protocol/message.js'
import { metaKeys } from './protocol/meta.js'
import { codes, invalidParams, notificationText, RpcFault, refusalBody, resultText } from './protocol/rpc.js'
import { identify, olderCaller, type ReceiveParts, receive } from './receive.js'

const paths = ['/mcp', '/mcp/:server']
const listChanged = 'notifications/tools/list_changed'

/** Registers the MCP routes: `/mcp` for all servers that the key may use, `/mcp/{server}` for one. */
export async function registerMcp(app: App, options: McpOptions): Promise<Mcp> {
  const limits = { ...defaultMcpServerLimits, ...options.limits }
  const bodies = new BodiesInFlight(options.bodyLimits ?? defaultBodyLimits())
  const answers = new BodiesInFlight(options.answerLimits ?? providerAnswerLimits())
  // Bounded: open calls.
  const underWay = new Set<Promise<unknown>>()
  const streams = new ChangeStreams(options, limits)
  const slots = new StreamSlots(eventStreamLimits)
  const parts: ReceiveParts = {
    ...options,
    limits,
    listings: createServerListings({ ...options, limits }),
    cancellations: createCancellations(options.messages),
    listen,
    openAnswer: (request, reply) => openAccount(answers, request, reply),
    onFault(error, request) {
      const known = error instanceof RpcFault ? null : toApiError(error)
      if (known !== null && known.status >= 500 && known.type !== 'upstream_error')
        request.log.error({ err: known.cause ?? known, error: known.type }, known.message)
    },
    track(call) {
      underWay.add(call)
      return call.finally(() => underWay.delete(call))
    },
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) =>
      readBody(payload, bodyAccountOf(request)),
    )
    scope.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, parts))
    // A page of another site must not use the access of its visitor.
    scope.addHook('onRequest', async (request) => refuseForeignOrigin(request, options.publicAddress))
    // Runs before the body is read, so that an unauthenticated client cannot send 32 MiB.
    scope.addHook('onRequest', async (request) => {
      request.principal = await authenticate(request, options.authMethods)
    })
    scope.addHook('onRequest', async (request, reply) => {
      request.mcpBody = openAccount(bodies, request, reply)
      checkAnnouncedLength(request.headers['content-length'], request.mcpBody)
    })
    scope.addHook('preClose', async () => streams.endAll())
    const schema = { hide: true }
    for (const path of paths) {
      const described = describeMcpRoutes(path)
      scope.post(
        path,
        { bodyLimit: maxBodyBytes, config: described.Post, schema },
        async (request, reply) => {
          reply.header('x-tallystick-request-id', request.id)
          const account = bodyAccountOf(request)
          // Calls may continue after their caller has disconnected.
          account.retain()
          await receive(request, reply, account, parts).finally(() => account.release())
          return reply
        },
      )
      scope.get(path, { exposeHeadRoute: false, config: described.Get, schema }, async (request, reply) => {
        if (!readAccept(request.headers.accept).stream) throw notAcceptable('text/event-stream')
        const caller = await olderCaller(await identify(request, parts), parts)
        await openStream(caller, reply, { changed: notificationText(listChanged, null), closing: null })
        return reply
      })
      scope.delete(path, { config: described.Delete, schema }, async (request, reply) => {
        const { session } = await olderCaller(await identify(request, parts), parts)
        if (session === null)
          throw new RpcFault({ code: codes.refused, message: 'The Mcp-Session-Id header is missing' }, 400)
        await options.sessions.end(session)
        options.upstreams.endSession(session.tenantId, session.id).catch(options.onError)
        return reply.code(204).send()
      })
    }
  })
  return {
    underWay: () => ({ calls: underWay.size, streams: streams.size }),
    settled: async () => void (await Promise.allSettled(underWay)),
  }

  /** Handles `subscriptions/listen`. Of the possible notifications, only changes of tools are supported. */
  async function listen(request: RpcRequest, caller: McpCaller, reply: FastifyReply): Promise<void> {
    const { notifications } = request.params
    if (typeof notifications !== 'object' || notifications === null)
      throw invalidParams('params.notifications must say what to listen for')
    const isWanted = asObject(notifications).toolsListChanged === true
    const id = request.idJson ?? 'null'
    const meta = `{${JSON.stringify(metaKeys.subscriptionId)}:${id}}`
    const info = JSON.stringify(serverInfoOf(options.version))
    const closing = resultText(
      id,
      `{"resultType":"complete","_meta":{${JSON.stringify(metaKeys.subscriptionId)}:${id},${JSON.stringify(metaKeys.serverInfo)}:${info}}}`,
    )
    const honored = isWanted ? '{"toolsListChanged":true}' : '{}'
    const acknowledged = notificationText(
      'notifications/subscriptions/acknowledged',
      `{"notifications":${honored},"_meta":${meta}}`,
    )
    const changed = notificationText(listChanged, `{"_meta":${meta}}`)
    await openStream(caller, reply, { changed, closing, first: acknowledged, isOver: !isWanted })
  }

  async function openStream(
    caller: McpCaller,
    reply: FastifyReply,
    messages: { changed: string; closing: string | null; first?: string; isOver?: boolean },
  ): Promise<void> {
    // Throws before the stream begins when the caller has no access.
    await options.gateway.accessOf(caller.principal)
    const releaseSlot = slots.take(caller.principal)
    reply.raw.once('close', releaseSlot)
    const { changed, closing, first } = messages
    const open = () => {
      const events = new EventWriter(reply, limits.keepAliveMs)
      if (first !== undefined) events.write(first)
      return { events, changed, closing }
    }
    if (messages.isOver !== true) return await streams.add(caller, open)
    const { events } = open()
    if (closing !== null) events.write(closing)
    events.end()
  }
}

function sendRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { onFault }: Pick<ReceiveParts, 'onFault'>,
): void {
  onFault(error, request)
  const known = error instanceof RpcFault ? null : toApiError(error)
  if (known?.type === 'unauthorized') reply.header('www-authenticate', challenge)
  if (known?.extras.retry_after !== undefined) reply.header('retry-after', known.extras.retry_after)
  const { status, json } = refusalBody(error, request.mcpId ?? 'null')
  reply
    .code(status)
    .header('x-tallystick-request-id', request.id)
    .serializer((body: string) => body)
    .type('application/json; charset=utf-8')
    .send(json)
}

function openAccount(bodies: BodiesInFlight, request: FastifyRequest, reply: FastifyReply): BodyAccount {
  const account = bodies.open(principalOf(request))
  reply.raw.once('close', () => account.release())
  return account
}

function bodyAccountOf({ mcpBody }: FastifyRequest): BodyAccount {
  if (mcpBody === undefined) throw new Error('the body of a request has no account')
  return mcpBody
}

declare module 'fastify' {
  interface FastifyRequest {
    mcpBody?: BodyAccount
    /** The id of the message as JSON, unless the body is a batch. */
    mcpId?: string
  }
}
