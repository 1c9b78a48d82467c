import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type ApiError, unauthorized } from '../errors.js'
import {
  announceBody,
  type CallTrace,
  createShutdownSignal,
  maxBodyBytes,
  readBody,
  startStages,
} from '../governed/index.js'
import {
  type App,
  authenticate,
  BodiesInFlight,
  type BodyAccount,
  type BodyLimits,
  defaultBodyLimits,
  type Principal,
  principalOf,
  providerAnswerLimits,
  type Resolver,
  renderError,
  sendError,
  toApiError,
} from '../http/index.js'
import { type Dialect, dialects } from '../providers/index.js'
import type { BatchRouteParts } from './batches/route-parts.js'
import { registerBatches } from './batches/routes.js'
import type { CallProgress } from './call.js'
import { type Caller, httpCaller } from './caller.js'
import { describeCall } from './described.js'
import { registerModelRoutes } from './model-routes.js'
import { type GatewayParts, govern } from './pipeline.js'
import { answerOnce, idempotencyHeader, type RepeatParts } from './repeats/answer-once.js'
import type { RecordedAnswer } from './repeats/recorded-answer.js'
import { registerSockets } from './websocket/index.js'
import { defaultSocketLimits, type SocketLimits } from './websocket/limits.js'

export interface Gateway {
  underWay(): UnderWay
  /** How many calls were sent the answer of an earlier one. It only grows. */
  replayed(): number
  /** Resolves when the calls under way are receipted, also those whose callers have hung up. */
  settled(): Promise<void>
}

/** What is going on at this moment. */
export interface UnderWay {
  calls: number
  /** Of these, those whose answer has begun to reach its caller. */
  streams: number
  /** What their bodies are counted with, and the most that this can be. */
  bodyBytes: number
  maxBodyBytes: number
  /** WebSockets that are open. */
  sockets: number
}

export interface GatewayOptions
  extends Omit<GatewayParts & RepeatParts, 'shutdown' | 'answers' | 'onReplayed'> {
  stopping: AbortSignal
  /** Null: files and batches are not offered. */
  batches: Pick<BatchRouteParts, 'db' | 'seals' | 'files' | 'onChanged' | 'onError'> | null
  /** The ways of proving who calls that the gateway accepts. */
  resolvers: readonly Resolver[]
  bodyLimits?: BodyLimits
  answerLimits?: BodyLimits
  socketLimits?: SocketLimits
  /** Called once for every call that ends before it was let in: it leaves no receipt. Must not throw. */
  onRefused(refused: RefusedCall): void
  /** Begins the trace of a call. Null when traces are off. */
  beginTrace?: ((headers: IncomingHttpHeaders) => CallTrace) | null
}

/** A call that was not let in: not understood, not permitted, over a rate limit, or at a time when nothing may be forwarded. */
export interface RefusedCall {
  id: string
  dialect: Dialect
  error: ApiError
  /** Null when nobody knows who it was. */
  principal: Principal | null
  /** What was known when it was refused. */
  progress: CallProgress
  endedMs: number
}

/** The gateway reads bodies as bytes: what it need not understand, it does not touch. */
export async function registerGateway(
  app: App,
  {
    stopping,
    batches,
    resolvers,
    bodyLimits = defaultBodyLimits(),
    answerLimits = providerAnswerLimits(),
    socketLimits = defaultSocketLimits,
    onRefused,
    beginTrace = null,
    ...given
  }: GatewayOptions,
): Promise<Gateway> {
  /** With whether the answer has begun to reach its caller. */
  const underWay = new Map<Promise<unknown>, () => boolean>()
  const bodies = new BodiesInFlight(bodyLimits)
  let replayed = 0
  let countSockets = () => 0
  const parts: GatewayParts & RepeatParts = {
    ...given,
    shutdown: createShutdownSignal(stopping),
    answers: new BodiesInFlight(answerLimits),
    onReplayed() {
      replayed += 1
    },
  }
  app.decorateRequest('bodyAccount', null)
  app.decorateRequest('progress', null)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/json', 'multipart/form-data'],
      async (request: FastifyRequest, payload: Readable) => readBody(payload, accountOf(request)),
    )
    scope.setErrorHandler((error, request, reply) => {
      const { dialect } = request.routeOptions.config
      const known = toApiError(error)
      if (dialect === undefined) return renderError(known, request, reply)
      tellRefusal(known, request, dialect)
      // The error is the same everywhere; a dialect may want something beside it.
      sendError(known, request, reply, dialect.errorBody(known.toBody()))
    })
    scope.addHook('onRequest', (request, _, done) => {
      request.progress = startProgress(request)
      done()
    })
    // Before the body is read: a stranger's 32 MiB are not worth waiting for.
    scope.addHook('onRequest', async (request) => {
      request.principal = await authenticate(request, resolvers)
    })
    scope.addHook('onRequest', async (request, reply) => {
      const account = bodies.open(principalOf(request))
      request.bodyAccount = account
      reply.raw.once('close', () => account.release())
      announceBody(request.headers['content-length'], account)
    })
    // Bodies are checked by the dialect, on the bytes; the schema is for readers of the description.
    scope.setValidatorCompiler(() => () => true)

    for (const dialect of Object.values(dialects)) {
      const { config, schema } = describeCall(dialect)
      scope.post(
        `/v1${dialect.path}`,
        {
          bodyLimit: maxBodyBytes,
          config: { ...config, dialect },
          schema,
          // Bytes pass through: no serializer may touch them.
          serializerCompiler: () => JSON.stringify,
        },
        async (request, reply) => {
          reply.header('x-tallystick-request-id', request.id)
          const account = accountOf(request)
          // The call may go on after its caller has left.
          account.retain()
          const progress = progressOf(request)
          const { id, headers, url, body } = request
          const incoming = { id, headers, url, body, principal: principalOf(request) }
          const answer = (caller: Caller, recorded?: RecordedAnswer) =>
            govern({ ...incoming, recorded }, dialect, caller, account, progress, parts)
          const caller = httpCaller(reply)
          const call = (
            headers[idempotencyHeader] === undefined
              ? answer(caller)
              : answerOnce({ ...incoming, dialect }, caller, answer, parts)
          ).finally(() => account.release())
          // A plain answer is sent when its call is over.
          await track(call, () => reply.raw.headersSent)
          return reply
        },
      )
    }
    registerModelRoutes(scope, parts)
    if (batches !== null) await registerBatches(scope, { ...parts, ...batches, log: app.log, accountOf })
    countSockets = registerSockets(scope, {
      gateway: parts,
      bodies,
      limits: socketLimits,
      startProgress: (headers) => startProgress({ headers }),
      tellRefusal: (refused) => tellOnce({ dialect: dialects.responses, ...refused }),
      track: (call, hasBegun) => void track(call, hasBegun),
    })
  })
  return {
    replayed: () => replayed,
    settled: async () => void (await Promise.allSettled(underWay.keys())),
    underWay: () => ({
      calls: underWay.size,
      streams: [...underWay.values()].filter((hasBegun) => hasBegun()).length,
      bodyBytes: bodies.totalBytes,
      maxBodyBytes: bodyLimits.totalBytes,
      sockets: countSockets(),
    }),
  }

  function track<Result>(call: Promise<Result>, hasBegun: () => boolean): Promise<Result> {
    underWay.set(call, hasBegun)
    return call.finally(() => underWay.delete(call))
  }

  function tellRefusal(error: ApiError, request: FastifyRequest, dialect: Dialect): void {
    const { id, principal } = request
    tellOnce({ id, dialect, error, principal, progress: progressOf(request) })
  }

  function tellOnce(refused: Omit<RefusedCall, 'endedMs'>): void {
    if (refused.progress.isTold) return
    refused.progress.isTold = true
    onRefused({ ...refused, endedMs: parts.now() })
  }

  /** What the server refuses before the gateway's own hooks has none yet. */
  function progressOf(request: FastifyRequest): CallProgress {
    request.progress ??= startProgress(request)
    return request.progress
  }

  function startProgress({ headers }: Pick<FastifyRequest, 'headers'>): CallProgress {
    const trace = beginTrace === null ? null : beginTrace(headers)
    return {
      stages: startStages(parts.now()),
      trace,
      nextTrace: () => trace && (beginTrace?.({ traceparent: trace.traceparent, ...headers }) ?? null),
      entitlements: null,
      call: null,
      target: null,
      isTold: false,
    }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    dialect?: Dialect
  }
  interface FastifyRequest {
    bodyAccount: BodyAccount | null
    /** Of a call to the gateway. */
    progress: CallProgress | null
  }
}

function accountOf({ bodyAccount }: FastifyRequest): BodyAccount {
  if (bodyAccount === null) throw unauthorized()
  return bodyAccount
}
