import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../harness/service/service.js'

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: { name: string; in: string; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<
    string,
    { $ref?: string; content?: Record<string, { schema: object }>; headers?: Record<string, object> }
  >
}

interface Webhook {
  post: Operation & { requestBody: { content: Record<string, { schema: { $ref: string } }> } }
}

type Response = Operation['responses'][string]

interface Document {
  openapi: string
  info: { version: string; title: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Webhook>
  components: {
    securitySchemes: Record<string, object>
    schemas: Record<string, Record<string, unknown>>
    headers: Record<string, object>
    responses: Record<string, Response>
  }
}

let service: TestService
let document: Document
let operations: { method: string; path: string; operation: Operation }[]

beforeAll(async () => {
  service = await startTestService()
  document = (await service.api.get('/openapi.json')).body
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: { ...operation, responses: resolveResponses(operation.responses) },
    })),
  )
})
afterAll(() => service.stop())

/** They send a browser on, become a WebSocket, or only say that there is nothing of the kind. */
const neverSucceed = new Set([
  'GET /v1/session/oidc',
  'GET /v1/session/oidc/callback',
  'GET /v1/responses',
  'GET /mcp/tallystick',
  'DELETE /mcp/tallystick',
])
const pointerOf = (at: string): string => {
  const [method = '', path = ''] = at.split(' ')
  return `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses`
}

/** Failures that operations share are referred to. */
const resolveResponses = (responses: Operation['responses']): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      document.components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response,
    ]),
  )

test('the document passes the linter: no errors, no warnings', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  const found = problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    ruleId,
    message,
    at: location[0]?.pointer,
  }))
  const without2xx = found.filter(({ ruleId }) => ruleId === 'operation-2xx-response')
  expect(without2xx.map(({ at }) => at).toSorted()).toEqual([...neverSucceed].map(pointerOf).toSorted())
  expect(found.filter((each) => !without2xx.includes(each))).toEqual([])
})

test('it is OpenAPI 3.1, version 1.0, with bearer keys and sessions', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Tallystick', version: '1.0' } })
  expect(document.components.securitySchemes).toMatchObject({
    session: { type: 'apiKey', in: 'cookie', name: 'tallystick_session' },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: expect.any(String) },
    apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    tallystickKey: { type: 'apiKey', in: 'header', name: 'x-tallystick-key' },
  })
})

test('every route of the interface that is there is in it', () => {
  const paths = operations.map(({ method, path }) => `${method} ${path}`)
  expect(paths).toEqual(
    expect.arrayContaining([
      'GET /v1/keys',
      'POST /v1/keys',
      'GET /v1/keys/{id}',
      'PATCH /v1/keys/{id}',
      'DELETE /v1/keys/{id}',
      'PATCH /v1/keys/{id}/limits',
      'GET /v1/compliance/receipts',
      'POST /v1/chat/completions',
      'POST /v1/messages',
      'GET /v1/models',
      'GET /healthz',
      'GET /readyz',
      'GET /metrics',
    ]),
  )
})

/** A session is for the management of a tenant, not for calls of models and tools. */
function securityOf(path: string, { tags = [] }: Operation) {
  if (path === '/mcp/tallystick') return [{ bearer: [] }]
  return tags.includes('Gateway') || tags.includes('MCP')
    ? [{ bearer: [] }, { apiKey: [] }, { tallystickKey: [] }]
    : [{ bearer: [] }, { session: [] }]
}

/** Of those below /v1 and /mcp. */
const needNoKey = new Set([
  'POST /v1/session',
  'DELETE /v1/session',
  'GET /v1/session/methods',
  'GET /v1/session/oidc',
  'GET /v1/session/oidc/callback',
  'GET /mcp/oauth/start',
  'GET /mcp/oauth/callback',
  'GET /mcp/oauth/client.json',
])

describe('every operation', () => {
  test('has a name of its own, a summary, a description and a known tag', () => {
    const tags = document.tags.map((tag) => tag.name)
    for (const { method, path, operation } of operations) {
      const { operationId, summary, description, tags: own } = operation
      expect({ at: `${method} ${path}`, operationId, summary, description, own }).toEqual({
        at: `${method} ${path}`,
        operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
        summary: expect.stringMatching(/\S/),
        description: expect.stringMatching(/\S/),
        own: [expect.toBeOneOf(tags)],
      })
    }
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  test('says whether it needs a key, and which failures follow from that', () => {
    for (const { method, path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      const needsKey = /^\/(v1|mcp)(\/|$)/.test(path) && !needNoKey.has(`${method} ${path}`)
      expect({ at: `${method} ${path}`, security: operation.security }).toEqual({
        at: `${method} ${path}`,
        security: needsKey ? securityOf(path, operation) : [],
      })
      const due = [
        ...(needsKey ? ['400', '401', '403', '503'] : []),
        ...(operation.requestBody ? ['400', '413', '415'] : []),
      ]
      expect({ at: `${method} ${path}`, statuses }).toEqual({
        at: `${method} ${path}`,
        statuses: expect.arrayContaining(due),
      })
      if (path.includes('{id}')) expect(statuses).toContain('404')
      const succeeds = statuses.some((status) => status.startsWith('2'))
      expect({ path, succeeds }).toEqual({ path, succeeds: !neverSucceed.has(`${method} ${path}`) })
    }
  })

  test('answers every failure with the one error shape', () => {
    for (const { path, operation } of operations) {
      // JSON-RPC, pages for browsers and readiness have shapes of their own; 4XX and 5XX are a provider's.
      if (path.startsWith('/mcp') || path === '/readyz') continue
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!/^[45]\d\d$/.test(status)) continue
        expect(response.content).toEqual({
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        })
      }
    }
  })

  test('says which headers a failure has: the request id, how to prove who calls, when to come again', () => {
    for (const { method, path, operation } of operations) {
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        const due = { 401: ['WWW-Authenticate'], 429: ['Retry-After'] }[status] ?? []
        expect({ at: `${method} ${path}`, status, headers: Object.keys(headers) }).toEqual({
          at: `${method} ${path}`,
          status,
          headers: expect.arrayContaining(due),
        })
      }
    }
    for (const header of ['WWW-Authenticate', 'Retry-After', 'X-Tallystick-Request-Id'])
      expect(document.components.headers[header]).toMatchObject({ schema: { type: expect.any(String) } })
  })
})

test('every operation that says it needs a key refuses to work without one', async () => {
  for (const { method, path, operation } of operations.filter(
    (each) => each.operation.security?.length !== 0,
  )) {
    const body = operation.requestBody ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}
    const response = await fetch(service.address + path.replaceAll(/\{[^}]+\}/g, 'x'), { method, ...body })
    const { status, headers } = response
    expect({ at: `${method} ${path}`, status, challenge: headers.get('www-authenticate') }).toEqual({
      at: `${method} ${path}`,
      status: 401,
      challenge: 'Bearer realm="tallystick"',
    })
  }
})

test('what the document shows of a body is what validates it', async () => {
  const { CreateKey } = document.components.schemas
  expect(CreateKey).toMatchObject({
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      rpmLimit: { anyOf: [{ type: 'integer', minimum: 1, maximum: 1_000_000 }, { type: 'null' }] },
    },
  })
  const create = document.paths['/v1/keys']?.post
  expect(create?.requestBody?.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/CreateKey',
  })
  const list = document.paths['/v1/keys']?.get
  expect(list?.parameters?.map(({ name, in: place }) => `${place} ${name}`)).toEqual([
    'query limit',
    'query cursor',
    'query status',
    'query userId',
    'query teamId',
    'query q',
  ])
})

test('a call of a model can be over a budget, and passes on what a provider answers', () => {
  const calls = operations.filter(({ operation }) => '5XX' in operation.responses)
  expect(calls).toHaveLength(15)
  for (const { path, operation } of calls)
    expect({ path, statuses: Object.keys(operation.responses) }).toEqual({
      path,
      statuses: expect.arrayContaining(['402', '403', '429', '4XX', '5XX', '502', '504']),
    })
})

test('every event has a webhook with its payload, and so has a chat message', () => {
  const endpoint = document.components.schemas.CreateWebhookEndpoint as {
    properties: { events: { items: { enum: string[] } } }
  }
  expect(Object.keys(document.webhooks).toSorted()).toEqual(
    [...endpoint.properties.events.items.enum, 'chat'].toSorted(),
  )
  for (const [name, { post }] of Object.entries(document.webhooks)) {
    const { $ref } = post.requestBody.content['application/json']?.schema ?? {}
    const schema = document.components.schemas[$ref?.split('/').at(-1) ?? '']
    const properties = name === 'chat' ? { text: {} } : { event: { const: name }, data: { type: 'object' } }
    expect(schema).toMatchObject({ type: 'object', properties })
  }
})
