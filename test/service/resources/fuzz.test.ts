import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request as openRequest } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../harness/run/property-runs.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'
import { hostileValue, mutate, mutations, pathPart, queryPart, rawBody } from './hostile-inputs.js'
import { makeRows, type RouteCase, type Rows, requestOf, routesTable } from './routes-table.js'

let service: TestService
let stranger: TestTenant
let memberKey: string
let rows: Rows
let secrets: string[]
const agent = new Agent({ keepAlive: true })

beforeAll(async () => {
  service = await startTestService()
  stranger = await addTenant(service, 'stranger')
  memberKey = (await service.api.post('/v1/keys', { name: 'Member', userId: 'member' })).body.key
  await makeRows(stranger.api, 'theirs', 2)
  rows = await makeRows(service.api, 'ours', 2)
  secrets = [service.managerKey, stranger.managerKey, memberKey].flatMap((value) => {
    const hash = createHash('sha256').update(value).digest()
    return [value, hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')]
  })
})
afterAll(async () => {
  agent.destroy()
  await service.stop()
})

interface Attack {
  method: string
  /** As it goes over the wire: nothing on the way tidies it up. */
  target: string
  body: string | Buffer | null
  contentType: string
  key: 'manager' | 'member' | 'nonsense'
}

const nonsenseKey = 'Bearer tallystick_sk_NotAKeyButLongEnough'

async function send({
  method,
  target,
  body,
  contentType,
  key,
}: Attack): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(service.address)
  const authorization = {
    manager: `Bearer ${service.managerKey}`,
    member: `Bearer ${memberKey}`,
    nonsense: nonsenseKey,
  }[key]
  const headers = {
    authorization,
    ...(body !== null && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
  }
  const request = openRequest({ agent, hostname, port, method, path: target, headers })
  request.end(body ?? undefined)
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (!response) throw new Error('no answer')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode ?? 0, text }
}

// The service writes to these of its own accord, whoever asks for what: it also asks MCP servers what they offer, soon after they change.
const ownWork = [
  ...['webhook_watch', 'webhook_occurrences', 'webhook_deliveries', 'webhook_attempts', 'alerts'],
  'mcp_listings',
]

/** A hash of every row of every table, but for when a key was last used and a session or process last seen: reads and time change these. */
async function hashTables(): Promise<string> {
  const tables = await service.database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename != all($1) order by 1",
    [ownWork],
  )
  const hashes = tables.map(
    ({ name }) =>
      `(select md5(coalesce(string_agg(md5((to_jsonb(t) - 'last_used_at' - 'last_seen_at' - 'seen_at')::text), ',' order by md5((to_jsonb(t) - 'last_used_at' - 'last_seen_at' - 'seen_at')::text)), '')) from ${name} t)`,
  )
  const [row] = await service.database.query<{ hash: string }>(
    `select md5(concat(${hashes.join(', ')})) as hash`,
  )
  return row?.hash ?? ''
}

const plan = fc.record({
  route: fc.constantFrom(...routesTable),
  key: fc.constantFrom<Attack['key']>(
    'manager',
    'manager',
    'manager',
    'manager',
    'manager',
    'manager',
    'member',
    'nonsense',
  ),
  how: fc.constantFrom('mutated', 'mutated', 'mutated', 'mutated', 'random', 'raw'),
  steps: mutations,
  random: hostileValue,
  raw: rawBody,
  path: fc.option(pathPart, { freq: 4 }),
  query: fc.option(queryPart, { freq: 4 }),
  contentType: fc.constantFrom(
    ...Array<string>(12).fill('application/json'),
    'application/json; charset=utf-16',
    'text/plain',
    'application/jsonp',
    '',
    'multipart/form-data',
  ),
})
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never

function attackOf({ route, key, how, steps, random, raw, path, query, contentType }: Plan): Attack {
  const valid = requestOf(route, rows)
  const template = route.route.split(' ')[1] ?? ''
  return {
    method: valid.method,
    target:
      (path === null ? valid.path : template.replaceAll(/\{\w+\}/g, () => path)) + queryOf(route, query),
    body:
      valid.method === 'GET'
        ? null
        : how === 'raw'
          ? raw
          : bodyOf(how === 'random' ? random : mutate(valid.body, steps)),
    contentType,
    key,
  }
}

/** One that would never end is asked to. */
const queryOf = ({ staysOpen }: RouteCase, query: string | null): string => {
  const parts = [...(query === null ? [] : [query]), ...(staysOpen ? ['maxSeconds=0'] : [])]
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const bodyOf = (content: unknown) => (content === undefined ? null : (JSON.stringify(content) ?? null))

/** Which rows are left for the next attack is the test's business alone. */
async function renewRows(): Promise<void> {
  rows = await makeRows(service.api, 'ours', 2)
}

test('hostile requests to every route never fail the service, change a row they were refused, or get a secret back', async () => {
  // A slow machine tries fewer, but each route once; it never ends in the middle of one.
  const deadline = performance.now() + 20_000
  let before = await hashTables()
  let turn = 0
  const tried = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(plan, async (random) => {
      if (turn >= routesTable.length && performance.now() > deadline) return
      // In turn, so that a slow machine tries each of them too.
      const each = { ...random, route: routesTable[turn++ % routesTable.length] ?? random.route }
      const attack = attackOf(each)
      const { status, text } = await send(attack)
      const label = `${attack.method} ${attack.target.slice(0, 300)} ${attack.body?.toString().slice(0, 2_000) ?? ''} -> ${status} ${text.slice(0, 500)}`
      expect(status, label).toBeLessThan(500)
      for (const secret of secrets) expect(text.includes(secret), label).toBe(false)
      expect(text.includes('NotAKeyButLongEnough'), label).toBe(false)
      const after = await hashTables()
      if (status >= 400) {
        expect(JSON.parse(text), label).toEqual({
          error: expect.objectContaining({
            code: status,
            type: expect.any(String),
            message: expect.any(String),
          }),
        })
        expect(after, `${label} changed a row`).toBe(before)
      }
      before = after
      if (status < 300 && each.route.audit !== undefined) {
        await renewRows()
        before = await hashTables()
      }
      tried.set(each.route.route, (tried.get(each.route.route) ?? 0) + 1)
    }),
    { seed: 7070, numRuns: 6 * propertyRuns, endOnFailure: true },
  )
  expect([...tried.keys()].toSorted()).toEqual(routesTable.map((each: RouteCase) => each.route).toSorted())
})
