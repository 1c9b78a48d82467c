import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ErrorType } from '../errors.js'
import { type App, authenticate, type Resolver, renderError, toApiError } from '../http/index.js'
import { type DialectName, dialects } from '../providers/index.js'
import { registerModelRoutes } from './model-routes.js'
import { type GatewayParts, govern } from './pipeline.js'
import { createStopBell } from './shutdown-signal.js'

const bodyLimit = 32 * 1024 * 1024
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

const endpoints: {
  dialect: DialectName
  path: string
  operationId: string
  summary: string
  description: string
}[] = [
  {
    dialect: 'chat',
    path: '/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Chat completion (OpenAI)',
    description:
      "OpenAI's chat completions, plain or streamed. Fields that the gateway need not understand reach the provider untouched.",
  },
  {
    dialect: 'responses',
    path: '/v1/responses',
    operationId: 'createResponse',
    summary: 'Response (OpenAI)',
    description: "OpenAI's responses, plain or streamed.",
  },
  {
    dialect: 'embeddings',
    path: '/v1/embeddings',
    operationId: 'createEmbeddings',
    summary: 'Embeddings (OpenAI)',
    description: "OpenAI's embeddings.",
  },
  {
    dialect: 'messages',
    path: '/v1/messages',
    operationId: 'createMessage',
    summary: 'Message (Anthropic)',
    description: "Anthropic's messages, plain or streamed. The key may also come as `x-api-key`.",
  },
]

const GatewayCall = Type.Object(
  {
    model: Type.String({ description: 'A catalogue name, or `provider/model`', examples: ['mock/echo'] }),
    stream: Type.Optional(Type.Boolean({ description: 'Answer as server-sent events' })),
  },
  {
    additionalProperties: true,
    title: 'GatewayCall',
    examples: [{ model: 'mock/echo', messages: [{ role: 'user', content: 'Hello, tally!' }] }],
  },
)

export interface Gateway {
  /** Resolves when the calls under way are receipted, also those whose callers have hung up. */
  settled(): Promise<void>
}

export interface GatewayOptions extends Omit<GatewayParts, 'stopBell'> {
  stopping: AbortSignal
  /** The ways of proving who calls that the gateway accepts. */
  resolvers: readonly Resolver[]
}

/** The gateway reads bodies as bytes: what it need not understand, it does not touch. */
export async function registerGateway(
  app: App,
  { stopping, resolvers, ...given }: GatewayOptions,
): Promise<Gateway> {
  const underWay = new Set<Promise<void>>()
  const parts: GatewayParts = { ...given, stopBell: createStopBell(stopping) }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (_, body, done) =>
      done(null, body),
    )
    scope.setErrorHandler(renderGatewayError)
    // Before the body is read: a stranger's 32 MiB are not worth waiting for.
    scope.addHook('onRequest', async (request) => {
      request.principal = await authenticate(request, resolvers)
    })
    // Bodies are checked by the dialect, on the bytes; the schema is for readers of the description.
    scope.setValidatorCompiler(() => () => true)

    for (const { dialect, path, ...about } of endpoints) {
      scope.post(
        path,
        {
          bodyLimit,
          config: { access: 'member', errors, dialect },
          schema: {
            tags,
            ...about,
            body: GatewayCall,
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
          const call = govern(request, dialects[dialect], reply, parts)
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
    dialect?: DialectName
  }
}

/** Anthropic's clients look for a type beside the error; the error itself is the same everywhere. */
function renderGatewayError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toApiError(error)
  const isMessages = request.routeOptions.config.dialect === 'messages'
  renderError(known, request, reply, isMessages ? { type: 'error', ...known.toBody() } : known.toBody())
}
