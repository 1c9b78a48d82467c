import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type ErrorType, unauthorized } from '../errors.js'
import {
  type App,
  authenticate,
  BodiesInFlight,
  type BodyAccount,
  type BodyLimits,
  defaultBodyLimits,
  principalOf,
  type Resolver,
  renderError,
  toApiError,
  withDefault,
} from '../http/index.js'
import { type Dialect, dialects } from '../providers/index.js'
import { registerModelRoutes } from './model-routes.js'
import { type GatewayParts, govern } from './pipeline.js'
import { announceBody, maxBodyBytes, readBody } from './read-body.js'
import { createShutdownSignal } from './shutdown-signal.js'

const tags = ['Gateway']
const errors: ErrorType[] = [
  'model_not_found',
  'model_not_allowed',
  'rate_limit_exceeded',
  'upstream_error',
  'upstream_timeout',
  'unavailable',
  'payload_too_large',
]

const GatewayCall = (example: object) =>
  Type.Object(
    {
      model: Type.String({ description: 'A catalogue name, or `provider/model`', examples: ['mock/echo'] }),
      stream: withDefault(Type.Boolean({ description: 'Answer as server-sent events' }), false),
    },
    { additionalProperties: true, title: 'GatewayCall', examples: [example] },
  )

export interface Gateway {
  /** Resolves when the calls under way are receipted, also those whose callers have hung up. */
  settled(): Promise<void>
}

export interface GatewayOptions extends Omit<GatewayParts, 'shutdown'> {
  stopping: AbortSignal
  /** The ways of proving who calls that the gateway accepts. */
  resolvers: readonly Resolver[]
  bodyLimits?: BodyLimits
}

/** The gateway reads bodies as bytes: what it need not understand, it does not touch. */
export async function registerGateway(
  app: App,
  { stopping, resolvers, bodyLimits = defaultBodyLimits(), ...given }: GatewayOptions,
): Promise<Gateway> {
  const underWay = new Set<Promise<void>>()
  const bodies = new BodiesInFlight(bodyLimits)
  const parts: GatewayParts = { ...given, shutdown: createShutdownSignal(stopping) }
  app.decorateRequest('bodyAccount', null)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) =>
      readBody(payload, accountOf(request)),
    )
    scope.setErrorHandler(renderGatewayError)
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
      const { example, ...described } = dialect.endpoint
      scope.post(
        `/v1${dialect.path}`,
        {
          bodyLimit: maxBodyBytes,
          config: { access: 'member', errors, dialect },
          schema: {
            tags,
            ...described,
            body: GatewayCall(example),
            response: {
              200: Type.Object(
                {},
                { additionalProperties: true, description: "The provider's answer, or its events" },
              ),
            },
          },
          // Bytes pass through: no serializer may touch them.
          serializerCompiler: () => JSON.stringify,
        },
        async (request, reply) => {
          reply.header('x-tallystick-request-id', request.id)
          const account = accountOf(request)
          // The call may go on after its caller has left.
          account.retain()
          const call = govern(request, dialect, reply, account, parts).finally(() => account.release())
          underWay.add(call)
          await call.finally(() => underWay.delete(call))
          return reply
        },
      )
    }
    registerModelRoutes(scope, parts)
  })
  return { settled: async () => void (await Promise.allSettled(underWay)) }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    dialect?: Dialect
  }
  interface FastifyRequest {
    bodyAccount: BodyAccount | null
  }
}

function accountOf({ bodyAccount }: FastifyRequest): BodyAccount {
  if (bodyAccount === null) throw unauthorized()
  return bodyAccount
}

/** The error is the same everywhere; a dialect may want something beside it. */
function renderGatewayError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toApiError(error)
  const body = known.toBody()
  renderError(known, request, reply, request.routeOptions.config.dialect?.errorBody(body) ?? body)
}
