import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import fastifyCookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyRequest,
  LogController,
  type onRequestAsyncHookHandler,
  type onSendAsyncHookHandler,
} from 'fastify'
import { newId } from '../db/index.js'
import { invalidRequest } from '../shared/errors.js'
import type { YieldToEventLoop } from '../shared/slice-queue.js'
import type { App } from './app.js'
import { requireAccess } from './auth/access.js'
import type { AuthMethod } from './auth/authenticate.js'
import type { Principal } from './auth/principal.js'
import { joinChunks } from './bodies/collected-bytes.js'
import { BodiesInFlight, managementAnswerLimits, managementBodyLimits } from './bodies/in-flight.js'
import { parseJson, refuseUnusableInput } from './bodies/json-body.js'
import { downloadLimits, StreamSlots } from './bodies/stream-slots.js'
import type { TlsListener } from './connections/tls-listener.js'
import { routeUpgrades } from './connections/upgrades.js'
import { defaultHeaders, setDefaultHeaders } from './default-headers.js'
import { describeRoutes, type WebhookDescriptions } from './openapi/describe-routes.js'
import { removePrefix } from './path-prefix.js'
import { managementBodyLimit, renderError } from './render-error.js'
import { refuseUnknownPaths } from './unknown-paths.js'
import { createSerializerCompiler, createValidatorCompiler } from './validation/validator.js'

// A user id has up to 128 characters, each of up to four bytes, each encoded as three characters: %F0%9F%8D%95.
const maxPathParameterLength = 128 * 4 * 3

const shortBodyBytes = 4 * 1024

// From the first byte of a request to its last. Answers may take any time.
const requestTimeoutMs = 120_000

/** Creates the HTTP server with its conventions but no routes. */
export async function createServer(options: {
  log: FastifyBaseLogger
  yieldToEventLoop: YieldToEventLoop
  /** Address ranges of proxies that may report the caller's address and host. */
  trustedProxies?: readonly string[]
  /** The path of the public URL, without a slash at its end. */
  pathPrefix?: string
  /** Terminates TLS; null or left out: the server speaks plain HTTP. */
  tls?: TlsListener | null
  /** For the API description. */
  webhooks?: WebhookDescriptions
}): Promise<App> {
  const { pathPrefix = '' } = options
  const app: App = Fastify({
    loggerInstance: options.log,
    // The gateway logs how each call ended.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: managementBodyLimit,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    ...(pathPrefix !== '' && { rewriteUrl: removePrefix(pathPrefix) }),
    genReqId: () => newId('req'),
    // Trailing slashes and letter case are part of a path: one resource, one address.
    routerOptions: {
      ignoreTrailingSlash: false,
      caseSensitive: true,
      maxParamLength: maxPathParameterLength,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    // Node would answer a missing Host with a bare 400; the hook below explains the error.
    http: { requireHostHeader: false },
    ...(options.tls && { serverFactory: options.tls.createServer }),
    frameworkErrors: (error, request, reply) => renderError(error, request, reply),
    clientErrorHandler: refuseBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>()

  setDefaultHeaders(app)
  refusePipelining(app)
  // An unknown expectation may be ignored; Node's own answer to it has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', ({ raw }, _, done) => {
    const isMissing = raw.httpVersion === '1.1' && raw.headers.host === undefined
    done(isMissing ? invalidRequest('The Host header is missing') : undefined)
  })
  routeUpgrades(app)
  app.decorate('pathPrefix', pathPrefix)
  app.decorateRequest('principal', null)
  app.decorateRequest('credential', null)
  app.setValidatorCompiler(createValidatorCompiler())
  app.setSerializerCompiler(createSerializerCompiler())
  app.setErrorHandler(renderError)
  refuseUnknownPaths(app)
  acceptJson(app, options.yieldToEventLoop)
  // Registered for its parser only: code that needs a cookie reads the header itself, and gateway calls are not
  // searched for cookies.
  await app.register(fastifyCookie, { hook: false })
  await describeRoutes(app, options.webhooks ?? {})
  return app
}

/**
 * Allows one request at a time on a connection. Node starts any number of pipelined requests before earlier ones
 * are answered, holds the answers in memory, and reports nothing when the caller of a waiting one disconnects: its
 * resources would never be released. No client library and no proxy pipelines requests.
 */
function refusePipelining(app: App): void {
  app.addHook('onRequest', (_, reply, done) => {
    // The connection belongs to an earlier answer.
    if (reply.raw.socket !== null) return done()
    reply.header('connection', 'close')
    done(invalidRequest('Wait for the answer to a request before you send the next one on its connection'))
  })
}

/**
 * Registers management routes, which require authentication. Routes declare who may use them in `config.access`.
 */
export async function registerManagement(
  app: App,
  authMethods: readonly AuthMethod[],
  register: (app: App) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', ({ method, url, config }) => {
      if (config?.access === undefined) throw new Error(`${method} ${url} does not declare its access`)
    })
    scope.addHook('onRequest', requireAccess(authMethods))
    scope.addHook('onRequest', limitBodies(new BodiesInFlight(managementBodyLimits)))
    scope.addHook('onSend', limitAnswers())
    scope.addHook('preParsing', async ({ headers }, reply, payload) => {
      if (!mayArriveInPieces(headers)) return payload
      const joined = joinChunks(payload)
      // An unread body, such as one of another type, would block the next request on the connection.
      reply.raw.once('finish', () => joined.resume())
      return joined
    })
    scope.addHook('preValidation', async (request) => {
      refuseUnusableInput(request.params)
      refuseUnusableInput(request.query)
      refuseUnusableInput(request.body)
      if (request.routeOptions.schema?.body === undefined) refuseUnexpectedBody(request.body)
    })
    register(scope.withTypeProvider<TypeBoxTypeProvider>())
  })
}

/** True for a body that may arrive in chunks or packets of one byte. A short body has too few of them to matter. */
const mayArriveInPieces = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBodyBytes

/**
 * Limits the memory of open bodies for each key. It runs before the body is read: the size is declared, or assumed
 * to be the largest.
 */
function limitBodies(bodies: BodiesInFlight): onRequestAsyncHookHandler {
  return async ({ principal, headers }, reply) => {
    if (principal === null) return
    const account = bodies.open(principal)
    reply.raw.once('close', () => account.release())
    const isChunked = headers['transfer-encoding'] !== undefined
    account.take(
      isChunked ? managementBodyLimit : Math.min(Number(headers['content-length'] ?? 0), managementBodyLimit),
    )
  }
}

/**
 * A caller that sends requests but does not read could fill the server's memory with answers. A streamed answer
 * waits for its reader and buffers only a few pieces, so streams are counted instead of their bytes.
 */
function limitAnswers(): onSendAsyncHookHandler {
  const answers = new BodiesInFlight(managementAnswerLimits)
  const downloads = new StreamSlots(downloadLimits)
  return async ({ principal }, { raw }, payload) => {
    if (principal === null || raw.destroyed) return payload
    if (payload instanceof Readable) {
      raw.once('close', takeSlot(downloads, principal, payload))
    } else if (typeof payload === 'string') {
      const account = answers.open(principal)
      account.take(Buffer.byteLength(payload))
      raw.once('close', () => account.release())
    }
    return payload
  }
}

function takeSlot(downloads: StreamSlots, principal: Principal, download: Readable): () => void {
  try {
    return downloads.take(principal)
  } catch (error) {
    download.destroy()
    throw error
  }
}

/** Accepts JSON only. A client that sends the header with an empty body (DELETE, actions) means "no body". */
function acceptJson(app: App, yieldToEventLoop: YieldToEventLoop): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) =>
      body.length === 0 ? undefined : await parseJson(body, yieldToEventLoop),
  )
}

/** Refuses fields that the endpoint would ignore; `{}` is accepted. */
function refuseUnexpectedBody(body: unknown): void {
  if (body === undefined || body === null) return
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidRequest('This endpoint takes no body')
  const details = Object.keys(body)
    .slice(0, 20)
    .map((path) => ({ path, message: 'unknown field' }))
  if (details.length > 0) throw invalidRequest('This endpoint takes no body', details)
}

const brokenRequests: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive',
}

/** A request that is not valid HTTP never reaches a route; it still gets a readable answer. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // A handshake that failed leaves no connection to answer on.
  const isTlsFailure = /^ERR_(SSL|TLS)_/.test(error.code ?? '')
  if (!socket.writable || isTlsFailure || error.code === 'ECONNRESET') return void socket.destroy()
  const message = brokenRequests[error.code ?? ''] ?? 'This is not a well-formed HTTP request'
  const body = JSON.stringify(invalidRequest(message).toBody())
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...defaultHeaders,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
}
