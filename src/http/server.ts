import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
} from 'fastify'
import { newId } from '../db/index.js'
import { ApiError, notFound } from '../errors.js'
import type { App } from './app.js'
import { type Authenticate, requireAccess } from './authentication.js'
import { describeRoutes } from './openapi.js'
import { renderError } from './render-error.js'
import { createValidatorCompiler, refuseUnstorableText } from './validation.js'

const managementBodyLimit = 1024 * 1024

/** The HTTP server with its conventions and no routes. */
export async function createServer(options: { log: FastifyBaseLogger }): Promise<App> {
  const app: App = Fastify({
    loggerInstance: options.log,
    // The record says what was called; the log is for what went wrong.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: managementBodyLimit,
    genReqId: () => newId('req'),
    // Trailing slashes and letter case are part of a path: one resource, one address.
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 512 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => renderError(error, request, reply),
    clientErrorHandler: refuseBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorateRequest('caller', null)
  app.setValidatorCompiler(createValidatorCompiler())
  app.setErrorHandler(renderError)
  app.setNotFoundHandler((request) => {
    throw notFound(`path: ${request.method} ${request.url.split('?')[0]}`)
  })
  acceptJson(app)
  await describeRoutes(app)
  return app
}

/** Registers management routes behind authentication. Routes declare who may use them in `config.access`. */
export async function registerManagement(
  app: App,
  authenticate: Authenticate,
  register: (app: App) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', requireAccess(authenticate))
    scope.addHook('preValidation', async (request) => {
      refuseUnstorableText(request.params)
      refuseUnstorableText(request.query)
      refuseUnstorableText(request.body)
    })
    register(scope.withTypeProvider<TypeBoxTypeProvider>())
  })
}

/** JSON only. A client that sends the header with an empty body (DELETE, actions) means "no body". */
function acceptJson(app: App): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parse(request, body.toString(), done)
  })
}

/** A request that is not HTTP never reaches a route; it still gets an answer it can read. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const body = JSON.stringify(
    new ApiError('invalid_request', 'This is not a well-formed HTTP request, or its headers are too large').toBody(),
  )
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
