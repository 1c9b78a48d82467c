import swagger from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { type TProperties, type TSchema, Type } from 'typebox'
import type { App } from '../app.js'
import { type Access, changesNothing } from '../auth/access.js'
import { strict } from '../schemas.js'
import {
  describeSuccesses,
  hoistFailures,
  hoistHeaders,
  hoistTitledSchemas,
  markOptionalBodies,
} from './components.js'
import { describeAnswers } from './describe-answers.js'
import { shellSample } from './shell-sample.js'

const description = `Governs and observes the use of AI models: virtual keys, limits, budgets, policies, and a signed, hash-chained record of
every call.

Authenticate requests with a virtual key: \`Authorization: Bearer tallystick_sk_…\`. The pages of this service can use a session
cookie instead.

Unknown fields and query parameters are refused. Times are ISO 8601 in UTC.

Fields that end in \`Usd\` are in USD. Limits have at most six decimal places, costs up to nine: they are exact to the nano-dollar.
Fields that end in \`Nanos\` are whole nano-dollars: 1,000,000,000 of them are 1 USD.`

const permissions: Record<Access, string> = {
  public: 'No key is required.',
  member: 'Requires a valid key.',
  reader: 'Requires a manager or auditor key.',
  manager: 'Requires a manager key.',
}
const noAuditors = 'Requires a valid key that is not an auditor key.'

/** A section of the reference. */
export interface Section {
  name: string
  description: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The section of the route, when it is not one of the built-in sections. */
    section?: Section
  }
}

/** Requests that the service itself sends, by name, as OpenAPI path items. */
export type WebhookDescriptions = Record<string, object>

/** Collects every route into the OpenAPI document, with the errors and permissions that follow from its access. */
export async function describeRoutes(app: App, webhooks: WebhookDescriptions): Promise<void> {
  // Sections that resources define themselves.
  const sections = new Map<string, Section>()
  app.addHook('onRoute', (route) => {
    completeSchema(route)
    const { section } = route.config ?? {}
    if (section) sections.set(section.name, section)
  })
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
        {
          name: 'Sign-in',
          description: 'The authenticated caller, and browser sessions',
        },
        { name: 'Keys', description: 'Virtual keys and their limits' },
        { name: 'Budgets', description: 'Spending limits, and requests to raise them' },
        { name: 'Policies', description: 'Rules for requests and answers' },
        { name: 'Providers', description: 'Providers of models, and their credentials' },
        { name: 'Catalogue', description: 'Models and their prices, including prices that the tenant sets' },
        {
          name: 'Routes',
          description: 'Names that callers use as a model, and the targets that serve them',
        },
        {
          name: 'MCP servers',
          description: 'MCP servers, and the approval of their tools',
        },
        { name: 'Prompts', description: 'Prompts, their versions, and labels that point to versions' },
        { name: 'Teams', description: 'Teams, their pools, and the users of the tenant' },
        { name: 'User limits', description: 'Limits of a user across all keys' },
        {
          name: 'Calls',
          description: 'Search for calls by caller, usage and outcome',
        },
        { name: 'Usage', description: 'Requests, tokens, spend and latency over time' },
        { name: 'Events', description: 'A live stream of calls, alerts, budgets and provider health' },
        { name: 'Webhooks', description: 'Endpoints that receive events, and their deliveries' },
        { name: 'Sinks', description: 'Where receipts and other data are exported to, and how far' },
        { name: 'Settings', description: 'Settings of the tenant, such as content capture' },
        { name: 'Audit', description: 'Who changed what, and when' },
        { name: 'Compliance', description: 'The signed, hash-chained record of every call' },
        { name: 'Gateway', description: 'Model calls in the formats of OpenAI and Anthropic' },
        {
          name: 'MCP',
          description: 'Tool calls over the Model Context Protocol, and the user consents that they need',
        },
        { name: 'Service', description: 'Health, metrics and API description' },
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
            description: 'The session cookie of a signed-in person. Used by the pages of this service',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description:
              'A virtual key (`tallystick_sk_…`) in the header that Anthropic’s clients use. Accepted for calls to models and tools',
          },
          tallystickKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-tallystick-key',
            description:
              'A virtual key, for calls whose `Authorization` header contains the caller’s own credential for a provider or an MCP server. Accepted for calls to models and tools',
          },
        },
      },
      webhooks,
    },
    transform: ({ schema, url, route }) => {
      const described = describeOperation(schema, url, route)
      return url.endsWith('/*')
        ? { schema: nameWildcard(described), url: `${url.slice(0, -1)}:${wildcardOf(described).name}` }
        : { schema: described, url }
    },
    transformObject(document) {
      const described = 'openapiObject' in document ? document.openapiObject : {}
      const tags = [...(described.tags ?? []), ...sections.values()]
      const withNames = hoistHeaders(hoistTitledSchemas({ ...described, tags }))
      return markOptionalBodies(hoistFailures(describeSuccesses(withNames)))
    },
  })
}

function describeOperation(
  schema: FastifySchema | undefined,
  url: string,
  route: RouteOptions,
): FastifySchema {
  const { described } = route.config ?? {}
  // The HEAD variant of a GET route is not described.
  const own = described && route.method !== 'HEAD' ? addAccess(described, route) : (schema ?? {})
  return own.hide ? own : addShellSample(showDefaults(describeAnswers(own, route)), url, route)
}

const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
      'x-expects': '1 to 255 printable ASCII characters',
      description:
        'Any text that identifies this request, such as a UUID. Within 24 hours, repeating the request with the same `Idempotency-Key` returns the same response without a second effect. A different request with the same `Idempotency-Key` is refused with 409. A failed request can be sent again',
      examples: ['6f1e9a0c-6f0e-4a5b-9a54-0f3f3c9c2d11'],
    }),
  ),
})

/** A wildcard accepts a name that contains slashes. OpenAPI has only parameters with names. */
function nameWildcard(schema: FastifySchema): FastifySchema {
  const { name, others } = wildcardOf(schema)
  const wildcard = Type.String({ description: 'The name of the model, which can contain slashes' })
  return { ...schema, params: Type.Object({ ...others, [name]: wildcard }) }
}

/** `x-name` is the parameter's name in the document. */
function wildcardOf({ params }: FastifySchema): { name: string; others: TProperties } {
  const { properties = {} } = (params ?? {}) as { properties?: Record<string, TSchema> }
  const { '*': wildcard, ...others } = properties
  const name = (wildcard as { 'x-name'?: string } | undefined)?.['x-name'] ?? 'name'
  return { name, others }
}

/**
 * `x-default` is the value that the service assumes when the validator must not fill it in. The document shows it
 * as an ordinary default.
 */
function showDefaults(schema: FastifySchema): FastifySchema {
  const { properties, ...rest } = (schema.querystring ?? {}) as { properties?: Record<string, object> }
  if (properties === undefined) return schema
  const shown = Object.entries(properties).map(([name, property]) => [
    name,
    'x-default' in property ? { ...property, default: property['x-default'] } : property,
  ])
  return { ...schema, querystring: { ...rest, properties: Object.fromEntries(shown) } }
}

/** Replaces the commands that the reference page would generate, which contain the key as an argument. */
function addShellSample(schema: FastifySchema, url: string, { method, config }: RouteOptions): FastifySchema {
  if (schema.hide) return schema
  const { examples: [body] = [] } = (schema.body ?? {}) as { examples?: unknown[] }
  // `x-sample` lists further parameters of a route's command, such as a limit for a stream that would never end.
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
  // The HEAD variant of a GET route shares its schema, which is already complete.
  if (!schema || schema.hide || route.method === 'HEAD') return
  schema.querystring ??= Type.Object({}, strict)
  if (route.config?.idempotent) schema.headers = IdempotencyHeader
  Object.assign(schema, addAccess(schema, route))
}

/** Adds the permission and the ways to authenticate. */
function addAccess(schema: FastifySchema, route: RouteOptions): FastifySchema {
  const access = route.config?.access ?? 'public'
  const isGateway = schema.tags?.some((tag) => gatewayTags.has(tag)) ?? false
  return {
    ...schema,
    description: [schema.description, permissionOf(route, access, isGateway)].filter(Boolean).join('\n\n'),
    security:
      access === 'public' ? [] : (schema.security ?? (isGateway ? gatewaySecurity : managementSecurity)),
  }
}

/** Sections with calls of models and tools. Sessions are accepted only for management. */
const gatewayTags: ReadonlySet<string> = new Set(['Gateway', 'MCP'])
const gatewaySecurity = [{ bearer: [] }, { apiKey: [] }, { tallystickKey: [] }]
const managementSecurity = [{ bearer: [] }, { session: [] }]

/** The gateway also serves auditors: limits, not roles, decide what a call may cost. */
const permissionOf = ({ method, config = {} }: RouteOptions, access: Access, isGateway: boolean): string =>
  access === 'member' && !isGateway && !changesNothing({ method, config }) ? noAuditors : permissions[access]
