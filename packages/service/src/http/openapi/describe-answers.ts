import type { FastifySchema, RouteOptions } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { type ErrorType, errorTypes, statusOf } from '../../shared/errors.js'
import { DateTime, Nullable } from '../schemas.js'

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      type: Type.Enum(errorTypes),
      message: Type.String({
        description: 'A sentence for people that says what is wrong and what to do about it',
      }),
      code: Type.Integer({ description: 'The HTTP status code' }),
      details: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'For `invalid_request`: every validation error, with the path of the invalid value',
        }),
      ),
      retry_after: Type.Optional(
        Type.Integer({
          description: 'For `rate_limit_exceeded`: the number of seconds to wait before the next attempt',
        }),
      ),
      policy_id: Type.Optional(Type.String({ description: 'For `policy_violation`: the id of the policy' })),
      check: Type.Optional(Type.String({ description: 'For `policy_violation`: the check that failed' })),
      limit_usd: Type.Optional(Type.Number({ description: 'For `budget_exceeded`: the limit in USD' })),
      spent_usd: Type.Optional(
        Type.Number({ description: 'For `budget_exceeded`: the amount spent, in USD' }),
      ),
      resets_at: Type.Optional(
        Nullable(
          DateTime,
          'For `budget_exceeded`: when the next period begins. Null if there is no next period',
        ),
      ),
      budget: Type.Optional(
        Type.Object(
          {
            id: Nullable(Type.String(), 'Null if the limit is the pool of a team or the cap of a user'),
            name: Type.String(),
            scope: Type.Object({ type: Type.String(), id: Type.String() }),
          },
          {
            description: 'For `budget_exceeded`: the limit that was reached',
          },
        ),
      ),
      dependents: Type.Optional(
        Type.Array(Type.Object({ type: Type.String(), id: Type.String(), name: Type.String() }), {
          description: 'For `conflict`: the objects that refer to the object to be deleted, at most 50',
        }),
      ),
      dependents_total: Type.Optional(
        Type.Integer({
          description: 'For `conflict`: the total number of objects that refer to the object to be deleted',
        }),
      ),
    }),
  },
  {
    title: 'Error',
    examples: [
      {
        error: {
          type: 'invalid_request',
          message: 'rpmLimit: must be at least 1',
          code: 400,
          details: [{ path: 'rpmLimit', message: 'must be at least 1' }],
        },
      },
    ],
  },
)

/** Response headers by name. Several routes can share one; the document then contains it once. */
export type HeaderSchemas = Record<string, TSchema>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Failures of this route in addition to those of every route with the same access. */
    errors?: ErrorType[]
    /** True when it honours `Idempotency-Key`: its effects run through `answerOnce`. */
    idempotent?: true
    /**
     * The documented schema of a route that is not validated by one, such as a route that checks its input itself.
     */
    described?: FastifySchema
    /** The format of this route's failures, by media type, when it is not the usual JSON. */
    errorContent?: Record<string, { schema: TSchema }>
    /** Headers that an answer of this route can have: on success, or always. */
    answerHeaders?: { success?: HeaderSchemas; always?: HeaderSchemas }
    /** True when any other status comes from a provider, whose answer is passed through. */
    passesThrough?: true
  }
}

const meaningByStatus: Record<number, string> = {
  400: 'The body, query or path is invalid',
  401: 'The API key is missing or invalid',
  402: 'A blocking budget would be exceeded',
  403: 'The key is not allowed to do this',
  404: 'The object does not exist in this tenant',
  409: 'The request conflicts with the current state',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: "The key's rate limit is exceeded, or its open requests use too much memory",
  500: 'An internal error; the log contains the request id',
  502: 'The provider could not be reached, or its answer ended early',
  503: 'The record or the limits are unavailable; nothing was forwarded',
  504: 'The provider did not answer in time',
}

/** Sent with every failure, and with the answers of routes that declare it. */
export const requestIdHeader = {
  'X-Tallystick-Request-Id': Type.String({
    description: 'The id of this request in the log, in receipts and in `GET /v1/calls/{requestId}`',
    examples: ['req_01k9zq3w8hcv7m2x4n6p8r0t1y'],
  }),
}

export const locationHeader = { Location: Type.String({ description: 'The URL to go to next' }) }
export const downloadHeader = {
  'Content-Disposition': Type.String({
    description: 'The file name of the download',
    examples: ['attachment; filename="usage.csv"'],
  }),
}
/** Sent with data of a read replica. */
export const dataAsOfHeader = {
  'X-Tallystick-Data-As-Of': Type.String({
    description:
      'Only with data of a read replica: the time up to which they include all changes (RFC 3339). Without this header they are current',
    examples: ['2026-11-19T14:02:11.480Z'],
  }),
}
export const setCookieHeader = { 'Set-Cookie': Type.String({ description: 'Sets or clears the cookie' }) }

export const retryAfterHeader = {
  'Retry-After': Type.Integer({
    minimum: 0,
    description: 'Seconds to wait before the next attempt',
    examples: [12],
  }),
}

/** Headers that follow from the status of a failure. */
const headersByStatus: Record<number, HeaderSchemas> = {
  401: {
    'WWW-Authenticate': Type.String({
      description: 'The authentication scheme that the request must use',
      examples: ['Bearer realm="tallystick"'],
    }),
  },
  429: retryAfterHeader,
}

const usualContent = { 'application/json': { schema: ErrorBody } }

const ProviderError = Type.Object(
  {},
  {
    additionalProperties: true,
    title: 'ProviderError',
    description: 'An error in the format of the provider or its protocol',
  },
)

const passedThrough = {
  description:
    'The provider returned this status. Its response is passed through, without details of the provider account',
  content: { 'application/json': { schema: ProviderError }, '*/*': { schema: Type.String() } },
}

/**
 * Adds the answers to the document only. As part of a route's schema, the framework would compile a serializer for
 * each error of each route: 535 at every start, which took more than half of the start time and which nothing used.
 */
export function describeAnswers(schema: FastifySchema, { method, config = {} }: RouteOptions): FastifySchema {
  const { access = 'public', errors = [], idempotent, passesThrough } = config
  const { errorContent = usualContent, answerHeaders: { success = {}, always = {} } = {} } = config
  const statuses = new Set<number>([400, 500])
  if (access !== 'public') for (const status of [401, 403, 429, 503]) statuses.add(status)
  // A body is read and refused even when none is expected.
  if (schema.body || method !== 'GET') statuses.add(413).add(415)
  if (idempotent) statuses.add(409)
  for (const type of errors) statuses.add(statusOf(type))
  const failures = [...statuses].map((status) => [
    status,
    {
      description: meaningByStatus[status] ?? 'Error',
      headers: { ...requestIdHeader, ...always, ...headersByStatus[status] },
      content: errorContent,
    },
  ])
  const passed = { ...passedThrough, headers: { ...requestIdHeader, ...always } }
  const successes = Object.entries((schema.response ?? {}) as Record<string, object>).map(
    ([status, answer]) => [status, withHeaders(answer, { ...always, ...success })],
  )
  return {
    ...schema,
    response: {
      ...Object.fromEntries(failures),
      ...(passesThrough && { '4XX': passed, '5XX': passed }),
      ...Object.fromEntries(successes),
    },
  }
}

/** Headers that the answer already declares are kept. */
function withHeaders(answer: { headers?: HeaderSchemas }, headers: HeaderSchemas): object {
  const all = { ...headers, ...answer.headers }
  return Object.keys(all).length === 0 ? answer : { ...answer, headers: all }
}
