import swagger from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { type TProperties, type TSchema, Type } from 'typebox'
import { type ErrorType, errorTypes, statusOf } from '../errors.js'
import type { App } from './app.js'
import { type Access, changesNothing } from './auth/access.js'
import { hoistTitledSchemas, markOptionalBodies } from './openapi-components.js'
import { DateTime, Nullable, strict } from './schemas.js'
import { shellSample } from './shell-sample.js'

const description = `Governs and observes the use of AI models: virtual keys, limits, budgets, policies, and a signed,
hash-chained record of every call. Every request carries a virtual key as \`Authorization: Bearer tallystick_sk_…\`; pages of this service may carry the cookie of a session instead.

Unknown fields and query parameters are refused. Money is USD with at most six decimal places. Times are ISO 8601 in UTC.`

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      type: Type.Enum(errorTypes),
      message: Type.String({ description: 'What is wrong and what to do about it' }),
      code: Type.Integer({ description: 'The HTTP status' }),
      details: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'On `invalid_request`: every fault with its place',
        }),
      ),
      retry_after: Type.Optional(Type.Integer({ description: 'On `rate_limit_exceeded`: seconds to wait' })),
      policy_id: Type.Optional(Type.String({ description: 'On `policy_violation`' })),
      check: Type.Optional(Type.String({ description: 'On `policy_violation`' })),
      limit_usd: Type.Optional(Type.Number({ description: 'On `budget_exceeded`' })),
      spent_usd: Type.Optional(Type.Number({ description: 'On `budget_exceeded`' })),
      resets_at: Type.Optional(Nullable(DateTime, 'On `budget_exceeded`')),
      budget: Type.Optional(
        Type.Object(
          {
            id: Nullable(Type.String(), 'Null for what is no budget'),
            name: Type.String(),
            scope: Type.Object({ type: Type.String(), id: Type.String() }),
          },
          {
            description:
              'On `budget_exceeded`: the budget; without an id, the pool of a team or the cap of a user',
          },
        ),
      ),
      dependents: Type.Optional(
        Type.Array(Type.Object({ type: Type.String(), id: Type.String(), name: Type.String() }), {
          description: 'On `conflict`: what refers to the thing that was to be deleted, at most 50',
        }),
      ),
      dependents_total: Type.Optional(Type.Integer({ description: 'On `conflict`: how many there are' })),
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

const permissions: Record<Access, string> = {
  public: 'Needs no key.',
  member: 'Any valid key.',
  reader: 'Needs a manager or auditor key.',
  manager: 'Needs a manager key.',
}
const noAuditors = 'Any valid key but an auditor’s.'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Failures of this route beyond those that every route of its access has. */
    errors?: ErrorType[]
    /** It honours `Idempotency-Key`: what it does, it does through `answerOnce`. */
    idempotent?: true
  }
}

const meaningByStatus: Record<number, string> = {
  400: 'The body, query or path is not valid',
  401: 'Missing or invalid API key',
  402: 'A hard budget would be passed',
  403: 'The key may not do this',
  404: 'There is no such thing in this tenant',
  409: 'It conflicts with the present state',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: "The key's rate limit is exceeded, or its requests under way hold too much",
  502: 'The provider could not be reached or broke off',
  503: 'The record or the limits cannot be reached; nothing was forwarded',
  504: 'The provider was silent for too long',
}

/** Collects every route into the OpenAPI document, with the errors and permissions that follow from its access. */
export async function describeRoutes(app: App): Promise<void> {
  app.addHook('onRoute', completeSchema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tallystick',
        version: '1.0',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'Sign-in', description: 'Who calls, and the sessions of people who use a browser' },
        { name: 'Keys', description: 'Virtual keys: who may call, and how much' },
        { name: 'Budgets', description: 'What may be spent, and requests for more' },
        { name: 'Policies', description: 'Rules for what may be asked and answered' },
        { name: 'Providers', description: 'Where models are served, and with which credentials' },
        { name: 'Catalogue', description: 'Every model with its price, and prices of the tenant’s own' },
        { name: 'Routes', description: 'Names that lead to one of several models' },
        {
          name: 'MCP servers',
          description: 'Servers whose tools can be called, and which of these were approved',
        },
        { name: 'Prompts', description: 'Prompts, their versions and the labels that point at them' },
        { name: 'Teams', description: 'Teams, their pools, and the users of the tenant' },
        { name: 'User limits', description: 'What a user may do over all keys' },
        {
          name: 'Calls',
          description: 'Every call, searched by who made it, what it used and what came of it',
        },
        { name: 'Usage', description: 'Requests, tokens, spend and latency over time' },
        { name: 'Events', description: 'What happens, as it happens' },
        { name: 'Webhooks', description: 'Who is told of what happens, and what became of each delivery' },
        { name: 'Settings', description: 'What is kept of what calls say' },
        { name: 'Audit', description: 'Who changed what, and when' },
        { name: 'Compliance', description: 'The signed, hash-chained record of every call' },
        { name: 'Gateway', description: 'Model calls in the OpenAI and Anthropic protocols' },
        { name: 'Service', description: 'Health, metrics and this description' },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A virtual key: `tallystick_sk_…`',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'tallystick_session',
            description: 'The cookie of a person who signed in; for the pages of this service',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const described = addShellSample(showDefaults(describeErrors(schema, route)), url, route)
      return url.endsWith('/*')
        ? { schema: nameWildcard(described), url: `${url.slice(0, -1)}:${wildcardOf(described).name}` }
        : { schema: described, url }
    },
    transformObject: (document) =>
      markOptionalBodies(hoistTitledSchemas('openapiObject' in document ? document.openapiObject : {})),
  })
}

const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
      'x-expects': '1 to 255 printable characters of ASCII',
      description:
        'A text of your choice that names this request, such as a UUID. Within 24 hours the same request with the same key gets the same answer without a second effect; another request with the same key is a 409. A request that failed can be sent again.',
      examples: ['6f1e9a0c-6f0e-4a5b-9a54-0f3f3c9c2d11'],
    }),
  ),
})

/** A wildcard takes a name that may hold slashes. OpenAPI has no such thing, only parameters with names. */
function nameWildcard(schema: FastifySchema): FastifySchema {
  const { name, others } = wildcardOf(schema)
  const wildcard = Type.String({ description: 'May hold slashes' })
  return { ...schema, params: Type.Object({ ...others, [name]: wildcard }) }
}

/** `x-name`: what the document calls it. */
function wildcardOf({ params }: FastifySchema): { name: string; others: TProperties } {
  const { properties = {} } = (params ?? {}) as { properties?: Record<string, TSchema> }
  const { '*': wildcard, ...others } = properties
  const name = (wildcard as { 'x-name'?: string } | undefined)?.['x-name'] ?? 'name'
  return { name, others }
}

/** `x-default`: what the service assumes, where the validator must not fill it in. In the document it is a default like any other. */
function showDefaults(schema: FastifySchema): FastifySchema {
  const { properties, ...rest } = (schema.querystring ?? {}) as { properties?: Record<string, object> }
  if (properties === undefined) return schema
  const shown = Object.entries(properties).map(([name, property]) => [
    name,
    'x-default' in property ? { ...property, default: property['x-default'] } : property,
  ])
  return { ...schema, querystring: { ...rest, properties: Object.fromEntries(shown) } }
}

/** Shown on the reference page in place of its own commands, which have the key among their arguments. */
function addShellSample(schema: FastifySchema, url: string, { method, config }: RouteOptions): FastifySchema {
  if (schema.hide) return schema
  const { examples: [body] = [] } = (schema.body ?? {}) as { examples?: unknown[] }
  // `x-sample`: what the command of a route needs besides, such as one that would never end by itself.
  const { required = [], 'x-sample': sample = [] } = (schema.querystring ?? {}) as {
    required?: string[]
    'x-sample'?: string | string[]
  }
  const query = [...required.map((name) => `${name}={${name}}`), ...[sample].flat()].join('&')
  const path = url.replaceAll(/:(\w+)/g, '{$1}').replace('*', `{${wildcardOf(schema).name}}`)
  const source = shellSample({
    method: String(method),
    path: query === '' ? path : `${path}?${query}`,
    needsKey: (config?.access ?? 'public') !== 'public',
    body,
    isForm: schema.consumes?.includes('multipart/form-data') ?? false,
  })
  return { ...schema, 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source }] } as FastifySchema
}

function completeSchema(route: RouteOptions): void {
  const schema = route.schema
  // The HEAD twin of a GET route shares its schema, which is complete by then.
  if (!schema || schema.hide || route.method === 'HEAD') return
  const access = route.config?.access ?? 'public'
  schema.querystring ??= Type.Object({}, strict)
  schema.description = [schema.description, permissionOf(route, access)].filter(Boolean).join('\n\n')
  if (route.config?.idempotent) schema.headers = IdempotencyHeader
  const proofs = schema.tags?.includes('Gateway') ? [{ bearer: [] }] : [{ bearer: [] }, { session: [] }]
  schema.security = access === 'public' ? [] : proofs
}

/** The gateway serves auditors too: what a call may cost is a matter of limits, not of roles. */
const permissionOf = ({ method, config = {}, schema }: RouteOptions, access: Access): string =>
  access === 'member' && !schema?.tags?.includes('Gateway') && !changesNothing({ method, config })
    ? noAuditors
    : permissions[access]

/**
 * In the document only. As part of a route's schema, the framework would compile a serializer for each error of each route: 535 at
 * every start, which took more than half of it, and which nobody used.
 */
function describeErrors(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  if (!schema || schema.hide) return schema ?? {}
  const access = route.config?.access ?? 'public'
  const statuses = new Set<number>([400])
  if (access !== 'public') statuses.add(401).add(403).add(429).add(503)
  if (schema.body) statuses.add(413).add(415)
  if (route.config?.idempotent) statuses.add(409)
  for (const type of route.config?.errors ?? []) statuses.add(statusOf(type))
  const errors = [...statuses].map((status) => [
    status,
    {
      description: meaningByStatus[status] ?? 'Error',
      content: { 'application/json': { schema: ErrorBody } },
    },
  ])
  return { ...schema, response: { ...Object.fromEntries(errors), ...(schema.response as object) } }
}
