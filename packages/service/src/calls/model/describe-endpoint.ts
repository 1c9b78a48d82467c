import type { FastifyContextConfig } from 'fastify'
import { Type } from 'typebox'
import { requestIdHeader, retryAfterHeader, withDefault } from '../../http/index.js'
import type { Endpoint } from '../../providers/index.js'
import type { ErrorType } from '../../shared/errors.js'
import { maxTags } from '../../shared/tags.js'
import { rateLimitHeaderSchemas, receiptHeaderSchemas } from '../core/index.js'
import { idempotencyHeader } from './idempotency/call-once.js'

const errors: ErrorType[] = [
  'budget_exceeded',
  'policy_violation',
  'model_not_found',
  'model_not_allowed',
  'rate_limit_exceeded',
  'upstream_error',
  'upstream_timeout',
  'unavailable',
  'payload_too_large',
  'conflict',
]

/** The headers of this service. Headers of the provider such as `openai-*`, `anthropic-*` and `request-id` are passed on as well. */
const answerHeaders = {
  always: {
    ...requestIdHeader,
    // Providers may send this header with any answer.
    ...retryAfterHeader,
    ...rateLimitHeaderSchemas,
    ...receiptHeaderSchemas,
    'X-Tallystick-Model': Type.String({
      description: 'The model that was called, which a route or a fallback chose',
      examples: ['gpt-4o-mini'],
    }),
    'X-Tallystick-Attempts': Type.Integer({ description: 'How many attempts the call took', examples: [1] }),
    'X-Tallystick-Cache': Type.Enum(['hit', 'miss'], {
      description: 'Whether the answer came from the cache of the route; missing where it has none',
    }),
    'Idempotent-Replayed': Type.Literal('true', {
      description: 'The answer of an earlier call with the same `Idempotency-Key`',
    }),
  },
}

const GatewayCall = (example: object) =>
  Type.Object(
    {
      model: Type.String({ description: 'A catalogue name, or `provider/model`', examples: ['mock/echo'] }),
      stream: withDefault(Type.Boolean({ description: 'Answer as server-sent events' }), false),
    },
    { additionalProperties: true, title: 'GatewayCall', examples: [example] },
  )

const ProviderAnswer = Type.Object({}, { additionalProperties: true })

const CallHeaders = Type.Object({
  'x-tallystick-tags': Type.Optional(
    Type.String({
      description: `What the call is filed under, at most ${maxTags} tags; the metadata of the key are the defaults`,
      examples: ['project=alpha,env=prod'],
    }),
  ),
  [idempotencyHeader]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A text of your choice that names this call, such as a UUID. Within 24 hours the same call of the same virtual key gets the same answer, with `Idempotent-Replayed: true`, without a second call to the provider; if policies have changed since, they judge it first. Another body is a 409. What was refused, was cut short or failed with 408, 409, 429 or 5xx is called again.',
      examples: ['6f1e9a0c-6f0e-4a5b-9a54-0f3f3c9c2d11'],
    }),
  ),
  'x-tallystick-session': Type.Optional(
    Type.String({ description: 'What the call belongs to, such as one run of an agent', maxLength: 128 }),
  ),
})

/** Returns the OpenAPI description and route configuration of one endpoint. */
export function describeEndpoint(endpoint: Endpoint) {
  const { example, produces = [], ...described } = endpoint.docs
  const config = {
    access: 'member',
    errors,
    answerHeaders,
    passesThrough: true,
  } satisfies FastifyContextConfig
  const schema = {
    tags: ['Gateway'],
    ...described,
    ...(endpoint.shape.form && { consumes: ['multipart/form-data'] }),
    headers: CallHeaders,
    body: GatewayCall(example),
    response: {
      200: {
        description: "The provider's answer, or its events",
        content: {
          'application/json': { schema: ProviderAnswer },
          'text/event-stream': { schema: Type.String() },
          ...Object.fromEntries(produces.map((type) => [type, { schema: Type.String() }])),
        },
      },
    },
  }
  return { config, schema }
}
