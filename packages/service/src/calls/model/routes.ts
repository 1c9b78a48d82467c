import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import {
  type App,
  type AuthMethod,
  authenticate,
  BodiesInFlight,
  type BodyAccount,
  type BodyLimits,
  credentialOf,
  defaultBodyLimits,
  type Principal,
  principalOf,
  providerAnswerLimits,
  renderError,
  sendError,
  toApiError,
} from '../../http/index.js'
import { type Endpoint, endpoints } from '../../providers/index.js'
import { type ApiError, unauthorized } from '../../shared/errors.js'
import { checkAnnouncedLength, createShutdownSignal, maxBodyBytes, readBody, runCall } from '../core/index.js'
import type { ModelCallProgress } from './call.js'
import { type Caller, httpCaller } from './caller.js'
import { describeEndpoint } from './describe-endpoint.js'
import { callOnce, type IdempotencyParts, idempotencyHeader } from './idempotency/call-once.js'
import type { RecordedAnswer } from './idempotency/recorded-answer.js'
import { createModelKind, type ModelParts } from './kind.js'
import { registerModelRoutes } from './model-routes.js'
import { RunningCalls } from './running-calls.js'
import { type BeginTrace, startProgress } from './start-progress.js'
import { registerSockets } from './websocket/index.js'
import { defaultSocketLimits, type SocketLimits } from './websocket/limits.js'

export interface Gateway {
  underWay(): UnderWay
  /** Returns how many answers were replayed since the start. */
  replayed(): number
  /** Resolves when all running calls have their receipts, including those whose callers have disconnected. */
  settled(): Promise<void>
}

/** The calls and connections of this process at this moment. */
export interface UnderWay {
  calls: number
  /** The calls whose answer has begun to reach its caller. */
  streams: number
  /** The memory that is counted for bodies, and its maximum. */
  bodyBytes: number
  maxBodyBytes: number
  /** The number of open WebSockets. */
  sockets: number
}

export interface GatewayOptions
  extends Omit<ModelParts & IdempotencyParts, 'shutdown' | 'answers' | 'onReplayed'> {
  stopping: AbortSignal
  /** Adds routes that share the authentication and the body limits of calls. Null when there are none. */
  addRoutes: ((scope: App, accountOf: (request: FastifyRequest) => BodyAccount) => Promise<void>) | null
  /** The authentication methods that the gateway accepts. */
  authMethods: readonly AuthMethod[]
  bodyLimits?: BodyLimits
  answerLimits?: BodyLimits
  socketLimits?: SocketLimits
  /** Called once for every call that ends before admission and leaves no receipt. Must not throw. */
  onRefused(refused: RefusedCall): void
  /** Begins the trace of a call. Null when tracing is off. */
  beginTrace?: BeginTrace | null
}

/** A call that ended before admission: it was invalid, not permitted, over a rate limit, or nothing could be forwarded at the time. */
export interface RefusedCall {
  id: string
  endpoint: Endpoint
  error: ApiError
  /** Null when the caller was not authenticated. */
  principal: Principal | null
  /** What was known about the call when it was refused. */
  progress: ModelCallProgress
  endedMs: number
}

/**
 * Registers the routes for model calls. Bodies are read as bytes, so that what the gateway does not need to change stays as it was sent.
 */
export async function registerGateway(
  app: App,
  {
    stopping,
    addRoutes,
    authMethods,
    bodyLimits = defaultBodyLimits(),
    answerLimits = providerAnswerLimits(),
    socketLimits = defaultSocketLimits,
    onRefused,
    beginTrace = null,
    ...given
  }: GatewayOptions,
): Promise<Gateway> {
  const runningCalls = new RunningCalls()
  const bodies = new BodiesInFlight(bodyLimits)
  let replayed = 0
  let countSockets = () => 0
  const parts: ModelParts & IdempotencyParts = {
    ...given,
    shutdown: createShutdownSignal(stopping),
    answers: new BodiesInFlight(answerLimits),
    onReplayed() {
      replayed += 1
    },
  }
  const begin = (headers: IncomingHttpHeaders) => startProgress(headers, parts.now(), beginTrace)
  const models = createModelKind(parts)
  app.decorateRequest('bodyAccount', null)
  app.decorateRequest('progress', null)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/json', 'multipart/form-data'],
      async (request: FastifyRequest, payload: Readable) =>
        readBody(payload, accountOf(request), request.headers['content-length']),
    )
    scope.setErrorHandler((error, request, reply) => {
      const { endpoint } = request.routeOptions.config
      const apiError = toApiError(error)
      if (endpoint === undefined) return renderError(apiError, request, reply)
      reportRefusal(apiError, request, endpoint)
      // Every endpoint sends the same error; some require additional members.
      sendError(apiError, request, reply, endpoint.errorBody(apiError.toBody()))
    })
    scope.addHook('onRequest', (request, _, done) => {
      request.progress = begin(request.headers)
      done()
    })
    // Runs before the body is read, so that an unauthenticated client cannot send 32 MiB.
    scope.addHook('onRequest', async (request) => {
      request.principal = await authenticate(request, authMethods)
    })
    scope.addHook('onRequest', async (request, reply) => {
      const account = bodies.open(principalOf(request))
      request.bodyAccount = account
      reply.raw.once('close', () => account.release())
      checkAnnouncedLength(request.headers['content-length'], account)
    })
    // Endpoints validate bodies on the bytes. The schema is only for the OpenAPI document.
    scope.setValidatorCompiler(() => () => true)

    for (const endpoint of Object.values(endpoints)) {
      const { config, schema } = describeEndpoint(endpoint)
      scope.post(
        `/v1${endpoint.path}`,
        {
          bodyLimit: maxBodyBytes,
          config: { ...config, endpoint },
          schema,
          // Answers are bytes, which no serializer may change.
          serializerCompiler: () => JSON.stringify,
        },
        async (request, reply) => {
          reply.header('x-tallystick-request-id', request.id)
          const account = accountOf(request)
          // The call may continue after its caller has disconnected.
          account.retain()
          const progress = progressOf(request)
          const { id, headers, url, body } = request
          const principal = principalOf(request)
          const run = (caller: Caller, recorded?: RecordedAnswer) => {
            const call = { id, headers, url, body, principal, recorded, endpoint, caller, account, progress }
            return runCall(models, call, parts)
          }
          const caller = httpCaller(reply)
          const repeatable = { id, headers, url, body, principal, endpoint }
          const call = (
            headers[idempotencyHeader] === undefined
              ? run(caller)
              : callOnce({ ...repeatable, credential: credentialOf(request) }, caller, run, parts)
          ).finally(() => account.release())
          // A plain answer is sent when its call has ended.
          await runningCalls.track(call, () => reply.raw.headersSent)
          return reply
        },
      )
    }
    registerModelRoutes(scope, parts)
    await addRoutes?.(scope, accountOf)
    countSockets = registerSockets(scope, {
      gateway: parts,
      models,
      bodies,
      limits: socketLimits,
      startProgress: begin,
      reportRefusal: (refused) => reportOnce({ endpoint: endpoints.responses, ...refused }),
      track: (call, hasBegun) => void runningCalls.track(call, hasBegun),
    })
  })
  return {
    replayed: () => replayed,
    settled: () => runningCalls.waitForAll(),
    underWay: () => ({
      calls: runningCalls.size,
      streams: runningCalls.countStreams(),
      bodyBytes: bodies.totalBytes,
      maxBodyBytes: bodyLimits.totalBytes,
      sockets: countSockets(),
    }),
  }

  function reportRefusal(error: ApiError, request: FastifyRequest, endpoint: Endpoint): void {
    const { id, principal } = request
    reportOnce({ id, endpoint, error, principal, progress: progressOf(request) })
  }

  function reportOnce(refused: Omit<RefusedCall, 'endedMs'>): void {
    if (refused.progress.isReported) return
    refused.progress.isReported = true
    onRefused({ ...refused, endedMs: parts.now() })
  }

  /** Returns the progress of a request. A request that the server refused before the gateway's hooks has none yet. */
  function progressOf(request: FastifyRequest): ModelCallProgress {
    request.progress ??= begin(request.headers)
    return request.progress
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    bodyAccount: BodyAccount | null
    /** The progress of a model call. */
    progress: ModelCallProgress | null
  }
}

function accountOf({ bodyAccount }: FastifyRequest): BodyAccount {
  if (bodyAccount === null) throw unauthorized()
  return bodyAccount
}
