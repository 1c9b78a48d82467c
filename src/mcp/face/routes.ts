import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { announceBody, maxBodyBytes, readBody } from '../../governed/index.js'
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
  StreamPlaces,
  toApiError,
} from '../../http/index.js'
import { asObject } from '../../json/index.js'
import { notAcceptable, readAccept } from './accept.js'
import { createCancellations } from './cancellations.js'
import { ChangeStreams } from './change-streams.js'
import type { Mcp, McpOptions } from './contract.js'
import { describeMcp } from './described.js'
import { EventWriter } from './event-writer.js'
import type { FaceCaller } from './face-caller.js'
import { serverInfoOf } from './handshake.js'
import { defaultFaceLimits } from './limits.js'
import { createLiveListings } from './live-listings.js'
import type { RpcRequest } from './message.js'
import { metaKeys } from './meta.js'
import { identify, olderCaller, type ReceiveParts, receive } from './receive.js'
import { codes, invalidParams, notificationText, RpcFault, refusalBody, resultText } from './rpc.js'

const paths = ['/mcp', '/mcp/:server']
const listChanged = 'notifications/tools/list_changed'

/** What callers of tools see: `/mcp` for all servers that their key may use, `/mcp/{server}` for one. */
export async function registerMcp(app: App, options: McpOptions): Promise<Mcp> {
  const limits = { ...defaultFaceLimits, ...options.limits }
  const bodies = new BodiesInFlight(options.bodyLimits ?? defaultBodyLimits())
  const answers = new BodiesInFlight(options.answerLimits ?? providerAnswerLimits())
  const underWay = new Set<Promise<unknown>>()
  const streams = new ChangeStreams(options, limits)
  const places = new StreamPlaces(eventStreamLimits)
  const parts: ReceiveParts = {
    ...options,
    limits,
    listings: createLiveListings({ ...options, limits }),
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
    // A page of another site must not speak with the rights of whoever looks at it.
    scope.addHook('onRequest', async (request) => refuseForeignOrigin(request, options.publicPlace))
    // Before the body is read: a stranger's 32 MiB are not worth waiting for.
    scope.addHook('onRequest', async (request) => {
      request.principal = await authenticate(request, options.resolvers)
    })
    scope.addHook('onRequest', async (request, reply) => {
      request.mcpBody = openAccount(bodies, request, reply)
      announceBody(request.headers['content-length'], request.mcpBody)
    })
    scope.addHook('preClose', async () => streams.endAll())
    const schema = { hide: true }
    for (const path of paths) {
      const described = describeMcp(path)
      scope.post(
        path,
        { bodyLimit: maxBodyBytes, config: described.Post, schema },
        async (request, reply) => {
          reply.header('x-tallystick-request-id', request.id)
          const account = bodyAccountOf(request)
          // Calls may go on after their caller has left.
          account.retain()
          await receive(request, reply, account, parts).finally(() => account.release())
          return reply
        },
      )
      scope.get(path, { exposeHeadRoute: false, config: described.Get, schema }, async (request, reply) => {
        if (!readAccept(request.headers.accept).stream) throw notAcceptable('text/event-stream')
        const caller = await olderCaller(await identify(request, parts), parts)
        await openStream(caller, reply, { changed: notificationText(listChanged, null), farewell: null })
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

  /** `subscriptions/listen`: of all that a caller may ask to be told of, we tell of tools. */
  async function listen(request: RpcRequest, caller: FaceCaller, reply: FastifyReply): Promise<void> {
    const { notifications } = request.params
    if (typeof notifications !== 'object' || notifications === null)
      throw invalidParams('params.notifications must say what to listen for')
    const isWanted = asObject(notifications).toolsListChanged === true
    const id = request.idJson ?? 'null'
    const meta = `{${JSON.stringify(metaKeys.subscriptionId)}:${id}}`
    const info = JSON.stringify(serverInfoOf(options.version))
    const farewell = resultText(
      id,
      `{"resultType":"complete","_meta":{${JSON.stringify(metaKeys.subscriptionId)}:${id},${JSON.stringify(metaKeys.serverInfo)}:${info}}}`,
    )
    const honored = isWanted ? '{"toolsListChanged":true}' : '{}'
    const acknowledged = notificationText(
      'notifications/subscriptions/acknowledged',
      `{"notifications":${honored},"_meta":${meta}}`,
    )
    const changed = notificationText(listChanged, `{"_meta":${meta}}`)
    await openStream(caller, reply, { changed, farewell, first: acknowledged, isOver: !isWanted })
  }

  async function openStream(
    caller: FaceCaller,
    reply: FastifyReply,
    words: { changed: string; farewell: string | null; first?: string; isOver?: boolean },
  ): Promise<void> {
    // Whoever may not call is told so before the stream begins.
    await options.rules.accessOf(caller.principal)
    const leave = places.take(caller.principal)
    reply.raw.once('close', leave)
    const { changed, farewell, first } = words
    const open = () => {
      const events = new EventWriter(reply, limits.keepAliveMs)
      if (first !== undefined) events.write(first)
      return { events, changed, farewell }
    }
    if (words.isOver !== true) return await streams.add(caller, open)
    const { events } = open()
    if (farewell !== null) events.write(farewell)
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
    /** Of the only message that came, as JSON. */
    mcpId?: string
  }
}
