import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateKeyValue } from '../../../packages/service/src/resources/keys/value.js'
import type { ApiAnswer } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'
import {
  excluded,
  isReading,
  makeRows,
  policyConfigs,
  type Request,
  type RouteCase,
  type Rows,
  requestOf,
  routesTable,
} from './routes-table.js'
import { resolveIn, type Schema, violationsOf } from './schema-violations.js'

interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** A request that is to be refused, and how. */
interface Refusal {
  what: string
  request: Request
  key?: string | null
  status: 400 | 401 | 403 | 404
  place?: string
}

let service: TestService
let stranger: TestTenant
let theirs: Rows
let managerKeyId: string
let memberKey: string
let auditorKey: string
let document: Document
let resolve: (schema: Schema) => Schema

beforeAll(async () => {
  service = await startTestService()
  stranger = await addTenant(service, 'stranger')
  memberKey = (await service.api.post('/v1/keys', { name: 'Member', userId: 'member' })).body.key
  auditorKey = (await service.api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })).body.key
  managerKeyId = (await service.api.get('/v1/keys')).body.data.at(-1).id
  theirs = await makeRows(stranger.api, 'theirs', 20)
  document = (await service.api.get('/openapi.json')).body
  resolve = resolveIn(document.components.schemas)
  // The stranger's record is longer than ours, so that there is a number that is only in theirs.
  const calls = [service.managerKey, ...Array.from({ length: 20 }, () => stranger.managerKey)]
  for (const key of calls) {
    await service
      .as(key)
      .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })
  }
})
afterAll(() => service.stop())

/** The third entry is the call that a policy refused: its cost is our own count, so that it can be corrected. */
const makeOurs = () => makeRows(service.api, 'ours', 3)

// Making them takes longer than most tests with them: they are kept until a request has changed one.
let unchanged: Rows | null = null
async function oursFor(each: RouteCase): Promise<Rows> {
  const ours = unchanged ?? (await makeOurs())
  unchanged = isReading(each) ? ours : null
  return ours
}

async function send(
  { method, path, query, body }: Request,
  key: string | null = service.managerKey,
): Promise<ApiAnswer> {
  const search = new URLSearchParams(query).toString()
  const response = await fetch(`${service.address}${path}${search && `?${search}`}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text || null,
  }
}

function operationOf({ route }: RouteCase): Operation {
  const [method = '', path = ''] = route.split(' ')
  return document.paths[path]?.[method.toLowerCase()] ?? {}
}

/** What is not as it should be, said so that a failing test names the request. */
async function tryAll(refusals: Refusal[]): Promise<string[]> {
  const surprises = await Promise.all(
    refusals.map(async ({ what, request, key, status, place }) => {
      const answer = await send(request, key)
      const details: { path: string }[] = answer.body?.error?.details ?? []
      const rightPlace = place === undefined || details.some((detail) => detail.path === place)
      if (answer.status === status && answer.body.error.code === status && rightPlace) return []
      return [`${what} at "${place ?? ''}": ${answer.status} ${JSON.stringify(answer.body)}`.slice(0, 400)]
    }),
  )
  return surprises.flat()
}

/** One of our rows at a time is swapped for the stranger's; only those that the request names make a difference. */
function* foreignRows(each: RouteCase, ours: Rows): Generator<Refusal> {
  const valid = JSON.stringify(requestOf(each, ours))
  for (const [name, id] of Object.entries(theirs)) {
    if (name === 'unique' || (name === 'userId' && each.makesUsers)) continue
    const request = requestOf(each, { ...ours, [name]: id })
    if (JSON.stringify(request) !== valid) yield { what: `another tenant’s ${name}`, request, status: 404 }
  }
}

function* brokenBodies(each: RouteCase, valid: Request): Generator<Refusal> {
  const schema = operationOf(each).requestBody?.content['application/json'].schema
  if (!schema || valid.body === undefined) {
    const request = { ...valid, body: { unexpected: 1 } }
    if (valid.method !== 'GET') yield { what: 'an unknown field', request, status: 400, place: 'unexpected' }
    return
  }
  for (const { what, place, value } of violationsOf(schema, valid.body, resolve)) {
    yield { what, request: { ...valid, body: value }, status: 400, place }
  }
}

function* brokenParameters(each: RouteCase, rows: Rows, valid: Request): Generator<Refusal> {
  const unknown = { ...valid, query: { ...valid.query, unexpected: '1' } }
  yield { what: 'an unknown query parameter', request: unknown, status: 400, place: 'unexpected' }
  for (const { name, in: part, schema } of operationOf(each).parameters ?? []) {
    // Tried where what it is for is tried.
    if (part === 'header') continue
    const sent = part === 'path' ? each.params?.(rows)[name] : each.query?.[name]
    const sample = schema.type === 'integer' ? 1 : (sent ?? 'x')
    for (const { what, place, value } of violationsOf(schema, sample, resolve, name)) {
      // All of these are text on the wire, and a path without a part is another path.
      if (value === null || what === 'a wrong type' || (part === 'path' && value === '')) continue
      const request =
        part === 'query'
          ? { ...valid, query: { ...valid.query, [name]: String(value) } }
          : requestOf({ ...each, params: (own) => ({ ...each.params?.(own), [name]: String(value) }) }, rows)
      yield { what, request, status: 400, place }
    }
  }
}

const newestEntries = async (limit: number) =>
  (await service.api.get(`/v1/audit-log?limit=${limit}`)).body.data

test('every route of the document is in the table or left out for a reason, and no other is', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const known = [...routesTable.map(({ route }) => route), ...Object.keys(excluded)]
  expect(known.toSorted()).toEqual(described.toSorted())
})

describe.each(routesTable)('$route', (each) => {
  let ours: Rows
  beforeAll(async () => {
    ours = await oursFor(each)
  })

  test('refuses every request that has one thing wrong with it, each for that one thing', async () => {
    const valid = requestOf(each, ours)
    const schema = operationOf(each).requestBody?.content['application/json'].schema
    // A field that the valid request leaves out would have bounds that nobody has tried.
    expect(Object.keys(valid.body ?? {}).toSorted()).toEqual(
      Object.keys(resolve(schema ?? {}).properties ?? {}).toSorted(),
    )

    const before = await newestEntries(1)
    const surprises = await tryAll([
      { what: 'no key', request: valid, key: null, status: 401 },
      { what: 'an unknown key', request: valid, key: generateKeyValue(), status: 401 },
      ...(each.access === 'member'
        ? []
        : [{ what: 'a member’s key', request: valid, key: memberKey, status: 403 as const }]),
      ...(isReading(each)
        ? []
        : [{ what: 'an auditor’s key', request: valid, key: auditorKey, status: 403 as const }]),
      ...foreignRows(each, ours),
      ...brokenBodies(each, valid),
      ...brokenParameters(each, ours, valid),
      ...(valid.method === 'PATCH'
        ? [{ what: 'nothing to change', request: { ...valid, body: {} }, status: 400 as const }]
        : []),
    ])
    expect(surprises).toEqual([])
    expect(await newestEntries(1)).toEqual(before)
  })

  test('takes the request when all is right with it, and writes down exactly what was changed', async () => {
    const valid = requestOf(each, ours)
    // The member is a stranger to what others own, but never to the route.
    if (each.access === 'member' && each.audit === undefined)
      expect([200, 404]).toContain((await send(valid, memberKey)).status)

    const actions = (each.audit ?? []).toReversed()
    const [newestBefore] = await newestEntries(1)
    const answer = await send(valid)
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: each.status })
    const entries = await newestEntries(actions.length + 1)
    expect(entries.at(-1)).toEqual(newestBefore)
    expect(entries.slice(0, -1).map((entry: Entry) => entry.action)).toEqual(actions)
    for (const entry of entries.slice(0, -1))
      expectPlainEntry(entry, [...Object.values(ours), ...Object.values(answer.body ?? {})])
  })
})

interface Entry {
  action: string
  subject: { type: string; id: string }
  before: object | null
  after: object | null
}

/** A version's id is not in the answer's own members; a setting is the tenant's only one; a price has the name of its model. */
const withoutKnownId = new Set([
  'prompt_version.create',
  'content_capture.update',
  'model_price.set',
  'model_price.delete',
])

/** What is made has no before, what is deleted no after, and what is changed differs. */
function expectPlainEntry(entry: Entry, known: unknown[]): void {
  const [type, verb] = entry.action.split('.')
  expect(entry).toMatchObject({
    at: expect.any(String),
    actor: { keyId: managerKeyId, userId: null },
    subject: { type },
  })
  if (!withoutKnownId.has(entry.action)) expect(known).toContain(entry.subject.id)
  expect({ before: entry.before === null, after: entry.after === null }).toEqual({
    before: verb === 'create',
    after: verb === 'delete',
  })
  expect(entry.before).not.toEqual(entry.after)
}

test('a member may file a budget request, and the trail names the member', async () => {
  const { budgetId } = await makeOurs()
  const filed = await service
    .as(memberKey)
    .post('/v1/budgets/requests', { budgetId, amountUsd: 1, reason: 'More' })
  expect(filed.status).toBe(201)
  const [entry] = await newestEntries(1)
  expect(entry).toMatchObject({
    action: 'budget_request.create',
    actor: { userId: 'member' },
    subject: { id: filed.body.id },
  })
})

test.each(policyConfigs)(
  'the config of a $kind policy is held to its bounds',
  async ({ kind, schema, config, action = 'block' }) => {
    const requestWith = (value: unknown): Request => ({
      method: 'POST',
      path: '/v1/policies',
      query: {},
      body: { name: `Bounds of ${kind} policies`, kind, action, config: value },
    })
    const resolved = resolve({ $ref: schema })
    expect(Object.keys(config).toSorted()).toEqual(Object.keys(resolved.properties ?? {}).toSorted())
    const refusals = [...violationsOf(resolved, config, resolve, 'config')].map(({ what, place, value }) => ({
      what,
      place,
      request: requestWith(value),
      status: 400 as const,
    }))
    expect(await tryAll(refusals)).toEqual([])
    expect((await send(requestWith(config))).status).toBe(201)
  },
)

test('the whole trail is readable by a manager and holds no secret', async () => {
  let trail = ''
  let entries = 0
  for (let query = '?limit=200'; query !== ''; ) {
    const { status, body } = await service.api.get(`/v1/audit-log${query}`)
    expect(status).toBe(200)
    trail += JSON.stringify(body.data)
    entries += body.data.length
    query = body.nextCursor === null ? '' : `?limit=200&cursor=${body.nextCursor}`
  }
  expect(entries).toBeGreaterThan(routesTable.length)
  expect(trail).not.toMatch(/tallystick_sk_/)
  const keys = await service.database.query<{ hash: Buffer }>('select hash from keys')
  for (const { hash } of keys) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(trail).not.toContain(hash.toString(encoding))
  }
})
