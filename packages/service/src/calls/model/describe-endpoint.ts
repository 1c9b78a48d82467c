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
      description: 'The model that was called, such as one that a route or a fallback chose',
      examples: ['gpt-4o-mini'],
    }),
    'X-Tallystick-Attempts': Type.Integer({
      description: 'The number of attempts that the call took',
      examples: [1],
    }),
    'X-Tallystick-Cache': Type.Enum(['hit', 'miss'], {
      description: 'Whether the answer came from the cache of the route. Absent if the route has no cache',
    }),
    'Idempotent-Replayed': Type.Literal('true', {
      description: 'Present if the answer is that of an earlier call with the same `Idempotency-Key`',
    }),
  },
}

const GatewayCall = (example: object) =>
  Type.Object(
    {
      model: Type.String({
        description: 'The name of a route or of a model in the catalogue, or `provider/model`',
        examples: ['mock/echo'],
      }),
      stream: withDefault(
        Type.Boolean({ description: 'If true, the answer is streamed as server-sent events' }),
        false,
      ),
    },
    { additionalProperties: true, title: 'GatewayCall', examples: [example] },
  )

const ProviderAnswer = Type.Object({}, { additionalProperties: true })

const CallHeaders = Type.Object({
  'x-tallystick-tags': Type.Optional(
    Type.String({
      description: `The tags of the call, at most ${maxTags}. The metadata of the key provides the defaults`,
      examples: ['project=alpha,env=prod'],
    }),
  ),
  [idempotencyHeader]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Any text that identifies this call, such as a UUID. Within 24 hours, repeating the call with the same `Idempotency-Key` and the same virtual key returns the same answer, with `Idempotent-Replayed: true` and without a second call to the provider. If policies have changed since, they check the answer first. A different body with the same `Idempotency-Key` is refused with 409. A call that was refused, was cut short, or failed with 408, 409, 429 or 5xx is made again',
      examples: ['6f1e9a0c-6f0e-4a5b-9a54-0f3f3c9c2d11'],
    }),
  ),
  'x-tallystick-session': Type.Optional(
    Type.String({ description: 'The session of the call, such as one run of an agent', maxLength: 128 }),
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
        description: 'The answer of the provider, as JSON or as a stream of events',
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
