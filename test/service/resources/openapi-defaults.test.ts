import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listOperations, type Operation } from '../../harness/service/openapi.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

// The document says what a field is that was left out, and what it says is true.

let service: TestService
let operations: Operation[]

beforeAll(async () => {
  service = await startTestService()
  operations = listOperations((await service.api.get('/openapi.json')).body)
})
afterAll(() => service.stop())

/** Fields that may be left out and have no value then. */
const withoutDefault: Record<string, string> = {
  'query cursor': 'the first page',
  'query after_id': 'from the first one',
  'query before_id': 'to the last one',
  'query status': 'any',
  'query kind': 'any',
  'query to': 'the newest checkpoint, or no end',
  'query from': 'no beginning, or that of the range',
  'query keyId': 'any',
  'query userId': 'any',
  'query teamId': 'any',
  'query provider': 'any',
  'query model': 'any',
  'query outcome': 'any',
  'query policyId': 'any',
  'query session': 'any',
  'query route': 'any',
  'query agent': 'any',
  'query cache': 'any',
  'query batch': 'any',
  'query server': 'any',
  'query tool': 'any',
  'approveMcpTool hash': 'whatever is the newest',
  'query minCostUsd': 'any cost',
  'query requestId': 'any',
  'query q': 'any',
  'query role': 'any',
  'query budgetId': 'any',
  'query actorType': 'any',
  'query actorId': 'any',
  'query action': 'any',
  'query subjectType': 'any',
  'query subjectId': 'any',
  'query interval': 'what suits the span',
  'query compare': 'no comparison',
  'query groupBy': 'all together',
  'query groupSeries': 'no group has a series of its own',
  'query types': 'all of them',
  'query maxSeconds': 'until one of the two ends it',
  'query lastEventId': 'from now on',
  'header last-event-id': 'from now on',
  'query fromSeq': 'the first that is kept',
  'query toSeq': 'the newest',
  'query period': 'days instead',
  'createAttestationJob days': '30, unless there is a period',
  'createAttestationJob period': 'days instead',
  'createExportJob fromSeq': 'the first that is kept',
  'createExportJob toSeq': 'the newest',
  'header idempotency-key': 'sent twice, it happens twice',
  'header x-tallystick-tags': 'those of the key',
  'header x-tallystick-session': 'none',
  'header mcp-session-id': 'no session',
  'header mcp-protocol-version': 'the oldest version, or that of the session',
  'query code': 'the sign-in or the consent was refused',
  'query state': 'as above',
  'query next': 'the first page of the console',
  ...Object.fromEntries(
    ['sendMcpMessage', 'sendMcpMessageToServer'].flatMap((operation) =>
      ['id', 'method', 'params'].map((name) => [`${operation} ${name}`, 'as JSON-RPC defines it']),
    ),
  ),
  'createSink format': 'that of the data',
  'createPrompt content': 'no version yet',
  'evaluatePolicies tools': 'no tools',
  'evaluatePolicies maxOutputTokens': 'that of the model',
  'evaluatePolicies keyId': 'your own',
  'evaluatePolicies tags': 'those of the key',
  'evaluatePolicies session': 'none',
  'evaluateDraftPolicy tools': 'no tools',
  'evaluateDraftPolicy maxOutputTokens': 'that of the model',
  'evaluateDraftPolicy keyId': 'your own',
  'evaluateDraftPolicy tags': 'those of the key',
  'evaluateDraftPolicy session': 'none',
  'approveBudgetRequest amountUsd': 'what was requested',
  'approveBudgetRequest note': 'no note',
  'setContentCapture retentionDays': 'as it was',
  'setModelPrice mode': 'what is known of the model',
  'setModelPrice contextWindow': 'what is known of the model',
  'setModelPrice maxOutputTokens': 'what is known of the model',
  'setModelPrice outputField': 'what is known of the model',
  'setModelPrice tokenizer': 'what is known of the model',
  'setModelPrice effectiveFrom': 'now',
  'createBatch metadata': 'no notes',
  'query after': 'the newest',
  'query set': 'every set',
  'query limit': 'every item, of a list that answers with an array',
}

const isChange = ({ method }: Operation) => method === 'PATCH'

test('every field that may be left out has a default, or is listed here', () => {
  const unexplained = operations.flatMap((operation) => {
    const { operationId, parameters, body } = operation
    const optionalParameters = parameters
      .filter(({ required, schema }) => !required && schema.default === undefined)
      .map((parameter) => `${parameter.in} ${parameter.name}`)
    const { properties = {}, required = [] } = (isChange(operation) ? null : body?.schema) ?? {}
    const optionalFields = Object.entries(properties)
      .filter(([name, { default: value }]) => !required.includes(name) && value === undefined)
      .map(([name]) => `${operationId} ${name}`)
    return [...optionalParameters, ...optionalFields]
  })
  expect([...new Set(unexplained)].sort()).toEqual(Object.keys(withoutDefault).sort())
})

test('a body that changes something has no defaults: what it leaves out stays as it is', () => {
  const changes = operations.filter(isChange)
  expect(changes.length).toBeGreaterThan(6)
  for (const { at, body } of changes)
    for (const [name, { default: value }] of Object.entries(body?.schema.properties ?? {}))
      expect({ at, name, value }).toEqual({ at, name, value: undefined })
})

describe('what is created from the required fields alone', () => {
  const required: Record<string, (name: string) => object> = {
    'POST /v1/keys': (name) => ({ name }),
    'POST /v1/budgets': (name) => ({ name, amountUsd: 1 }),
    'POST /v1/policies': (name) => ({ name, kind: 'secrets' }),
    'POST /v1/prompts': (name) => ({ name }),
    'POST /v1/managed-resources': (name) => ({ kind: 'Team', name }),
    'POST /v1/routes': (name) => ({ name, targets: [{ model: 'mock/echo' }] }),
    'POST /v1/team/members': (name) => ({ userId: name }),
    'POST /v1/team/teams': (name) => ({ name, budgetPoolUsd: 1 }),
    'POST /v1/sinks': (name) => ({
      name,
      data: 'calls',
      destination: { type: 'http', url: 'https://siem.example.com/' },
    }),
    'POST /v1/webhook-endpoints': (name) => ({
      name,
      url: 'https://hooks.example.com/',
      type: 'generic',
      events: ['webhook.test'],
    }),
  }

  test('has the defaults of the document, as if they had been sent', async () => {
    for (const [at, fieldsOf] of Object.entries(required)) {
      const operation = operations.find((each) => each.at === at)
      const defaults = Object.fromEntries(
        Object.entries(operation?.body?.schema.properties ?? {}).flatMap(([name, schema]) =>
          schema.default === undefined ? [] : [[name, schema.default]],
        ),
      )
      expect({ at, count: Object.keys(defaults).length }).not.toEqual({ at, count: 0 })
      const path = operation?.path ?? ''
      const { body: short } = await service.api.post(path, fieldsOf('short'))
      const { body: full } = await service.api.post(path, { ...fieldsOf('full'), ...defaults })
      for (const [name, value] of Object.entries(defaults)) {
        // The config of a policy is shown with the defaults of its kind, the scope with its id.
        if (name === 'config' || name === 'scope') expect(short[name]).toMatchObject(Object(value))
        else expect({ at, [name]: short[name] }).toEqual({ at, [name]: value })
        expect({ at, [name]: full[name] }).toEqual({ at, [name]: short[name] })
      }
    }
  })

  test('every operation that has defaults for its fields is among these, or shows none of them', () => {
    const others = operations.filter(
      ({ at, body }) =>
        !(at in required) &&
        Object.values(body?.schema.properties ?? {}).some((each) => each.default !== undefined),
    )
    expect(others.map(({ at }) => at)).toEqual([
      'POST /v1/policies/evaluate',
      'POST /v1/policies/evaluate-draft',
      // A provider is shown with what its type has in their place.
      'POST /v1/providers',
      'POST /v1/providers/{id}/credentials',
      // It is shown without its secrets.
      'POST /v1/mcp-servers',
      'POST /v1/webhook-endpoints/{id}/rotate-secret',
      'POST /v1/chat/completions',
      'POST /v1/responses',
      'POST /v1/responses/compact',
      'POST /v1/embeddings',
      'POST /v1/messages',
      'POST /v1/messages/count_tokens',
      'POST /v1/completions',
      'POST /v1/moderations',
      'POST /v1/images/generations',
      'POST /v1/audio/speech',
      'POST /v1/rerank',
    ])
  })
})

describe('a query parameter that is left out', () => {
  const volatile =
    /"(generatedAt|to|fromTs|toTs|value)":"[^"]*"|"bucketMs":[0-9.]+|"(uptime|lag)Seconds":[0-9.]+|"lastError(At)?":(null|"[^"]*")/g

  test('is answered as its default is', async () => {
    for (let made = 0; made <= 50; made += 1) await service.api.post('/v1/keys', { name: `key ${made}` })
    await service.api.post('/v1/chat/completions', { model: 'mock/echo', messages: [] })
    const cases = operations
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      .flatMap(({ path, parameters }) =>
        parameters.flatMap(({ name, schema }) =>
          schema.default === undefined ? [] : [{ path, query: `?${name}=${schema.default}` }],
        ),
      )
    expect(cases.map(({ path, query }) => path + query)).toEqual(
      expect.arrayContaining([
        '/v1/keys?limit=50',
        '/v1/usage?range=30d',
        '/v1/usage?groupBy=model',
        '/v1/compliance/attestation?days=30',
      ]),
    )
    for (const { path, query } of cases) {
      // Before and after: an hour, or a day, may end in between.
      const before = await service.api.get(path)
      const given = await service.api.get(path + query)
      const after = await service.api.get(path)
      expect({ path, query, status: given.status }).toEqual({ path, query, status: 200 })
      const text = ({ body }: { body: unknown }) => JSON.stringify(body).replaceAll(volatile, '')
      expect({ path, query, answer: text(given) }).toEqual({
        path,
        query,
        answer: expect.toBeOneOf([text(before), text(after)]),
      })
    }
    expect((await service.api.get('/v1/keys')).body.data).toHaveLength(50)
  })

  test('a month of the attestation goes without days, whose default is only for those who give neither', async () => {
    expect((await service.api.get('/v1/compliance/attestation?period=2026-01')).status).toBe(200)
    expect((await service.api.get('/v1/compliance/attestation?period=2026-01&days=30')).status).toBe(400)
    expect((await service.api.get('/v1/compliance/attestation')).body.period).toMatchObject({ days: 30 })
  })
})
