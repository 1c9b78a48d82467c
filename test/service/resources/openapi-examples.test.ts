import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { listOperations, type Operation } from '../../harness/service/openapi.js'

// What a newcomer finds filled in on the reference page and sends: it must work, once the ids in it are ids that exist.

let gateway: TestGateway
let operations: Operation[]
/** By the word before the underscore of an id. */
let ids: Record<string, string>
let adjustable: number
let callId: string

const api = () => gateway.service.api

async function create(path: string, body: object): Promise<{ id: string }> {
  const answer = await api().post(path, body)
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: 201 })
  return answer.body
}

beforeAll(async () => {
  gateway = await shareTestGateway()
  operations = listOperations((await api().get('/openapi.json')).body)
  const team = await create('/v1/team/teams', { name: 'present', budgetPoolUsd: 1_000 })
  const key = await create('/v1/keys', { name: 'present', userId: 'present' })
  const budget = await create('/v1/budgets', { name: 'present', amountUsd: 1_000 })
  const request = { budgetId: budget.id, amountUsd: 100, reason: 'present' }
  const prompt = await create('/v1/prompts', { name: 'present' })
  const version = await create('/v1/prompts/versions', { promptId: prompt.id, content: 'present' })
  const policy = await create('/v1/policies', { name: 'present', kind: 'secrets', action: 'flag' })
  const endpoint = await create('/v1/webhook-endpoints', {
    name: 'present',
    url: 'https://hooks.example.com/present',
    type: 'generic',
    events: ['webhook.test'],
  })
  const sink = await create('/v1/sinks', {
    name: 'present',
    data: 'calls',
    destination: { type: 'http', url: 'https://siem.example.com/' },
    enabled: false,
  })
  const route = await create('/v1/routes', { name: 'present', targets: [{ model: 'mock/echo' }] })
  const provider = await create('/v1/providers', {
    name: 'present',
    type: 'openai',
    baseUrl: 'https://api.example.com/v1',
  })
  const server = await create('/v1/mcp-servers', {
    name: 'present',
    url: 'https://mcp.example.com/mcp',
    auth: { type: 'header', header: 'authorization' },
  })
  const managed = await create('/v1/managed-resources', { kind: 'Budget', name: 'present' })
  ids = {
    mcp: server.id,
    team: team.id,
    key: key.id,
    bud: budget.id,
    breq: (await create('/v1/budgets/requests', request)).id,
    prompt: prompt.id,
    ver: version.id,
    pol: policy.id,
    whe: endpoint.id,
    sink: sink.id,
    route: route.id,
    prov: provider.id,
    mres: managed.id,
  }
  // A call whose provider hangs up: only such a cost can be corrected.
  gateway.upstream.answerWith((_, response) => void response.destroy())
  const lost = await gateway.send('/v1/chat/completions', { model: 'gpt-4o-mini', messages: [] })
  const receipt = await gateway.receiptOf(lost)
  adjustable = receipt.seq
  callId = receipt.id
})
afterAll(() => gateway.stop())

const idInPath: Record<string, string> = {
  keys: 'key',
  prompts: 'prompt',
  policies: 'pol',
  budgets: 'bud',
  requests: 'breq',
  teams: 'team',
  'webhook-endpoints': 'whe',
  sinks: 'sink',
  routes: 'route',
  providers: 'prov',
  'mcp-servers': 'mcp',
  'managed-resources': 'mres',
}

const fillPath = (path: string): string =>
  path
    .replace(/([\w-]+)\/\{id\}/, (_, collection) => `${collection}/${ids[idInPath[collection] ?? '']}`)
    .replace('{userId}', 'present')
    .replace('{framework}', 'soc2')
    .replace('{provider}', 'openai')
    .replace('{model}', 'gpt-4o')
    .replace('{seq}', String(adjustable))
    .replace('{requestId}', callId)
    .replace('{server}', 'present')

/** Ids of the examples, which are nobody's, become ids of what is there; users are made where they are missing. */
const fillBody = (example: unknown): string =>
  JSON.stringify(example)
    .replaceAll(/"([a-z]+)_01k9[0-9a-z]{22}"/g, (_, prefix) => `"${ids[prefix]}"`)
    .replaceAll('"ada"', '"present"')
    .replaceAll('"tallystick_sk_…"', `"${gateway.service.managerKey}"`)

const send = ({ method, path }: Operation, body?: string) =>
  fetch(gateway.service.address + fillPath(path), {
    method,
    headers: {
      authorization: `Bearer ${gateway.service.managerKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })

/** What needs more than an example can say. */
const tested: Record<string, string> = {
  'POST /v1/batches': 'a file, and a provider that takes batches (batches.test.ts)',
  'POST /mcp/{server}': 'a server that answers (mcp-protocol.test.ts)',
  'POST /mcp/tallystick': 'an Accept header of its own (mcp-management.test.ts)',
  'POST /v1/mcp-servers/{id}/approve': 'the hash of what a server lists (mcp-servers.test.ts)',
  'POST /v1/mcp-servers/{id}/tools/{name}/approve': 'as above',
}

test('every body that the reference page shows is accepted', async () => {
  const withBody = operations.filter(({ at, body }) => body !== null && !(at in tested))
  expect(withBody.length).toBeGreaterThan(25)
  for (const operation of withBody) {
    const { at, body } = operation
    expect({ at, examples: body?.examples.length }).not.toEqual({ at, examples: 0 })
    for (const example of body?.examples ?? []) {
      // A new user of this name is there by then.
      const filled = at === 'POST /v1/team/members' ? JSON.stringify(example) : fillBody(example)
      const answer = await send(operation, filled)
      const said = answer.ok ? 'accepted' : await answer.text()
      expect({ at, filled, said }).toEqual({ at, filled, said: 'accepted' })
    }
  }
})

test('every query parameter is accepted as its example shows it', async () => {
  const examples = operations
    .filter(({ method }) => method === 'GET')
    .flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name, schema, example = schema.examples?.[0] ?? schema.default }) =>
          example === undefined ? [] : [{ operation, query: `${name}=${example}` }],
        ),
    )
  expect(examples.length).toBeGreaterThan(5)
  for (const { operation, query } of examples) {
    const answer = await send({ ...operation, path: `${fillPath(operation.path)}?${query}` })
    expect({ at: operation.at, query, status: answer.status }).toEqual({
      at: operation.at,
      query,
      status: 200,
    })
    await answer.body?.cancel()
  }
})

test('a body that the document calls optional may be left out, and no other', async () => {
  const optional = operations.filter(({ body }) => body !== null && !body.isRequired)
  expect(optional.map(({ at }) => at)).toEqual([
    'POST /v1/budgets/requests/{id}/approve',
    'POST /v1/mcp-servers/{id}/tools/{name}/approve',
    'POST /v1/webhook-endpoints/{id}/rotate-secret',
    'POST /v1/compliance/attestations',
    'POST /v1/compliance/exports',
  ])
  ids.breq = (await create('/v1/budgets/requests', { budgetId: ids.bud, amountUsd: 100, reason: 'again' })).id
  for (const operation of operations.filter(({ at, body }) => body !== null && !(at in tested))) {
    const { at, body } = operation
    const { status } = await send(operation)
    expect({ at, accepted: status < 300, status }).toEqual({ at, accepted: !body?.isRequired, status })
  }
})

const needNoKey = new Set([
  'DELETE /v1/session',
  'GET /v1/session/methods',
  'GET /v1/session/oidc',
  'GET /v1/session/oidc/callback',
])
/** It brings the key in its body. */
const signIn = 'POST /v1/session'

test('every operation has a command to paste, in which the key is no argument', () => {
  for (const { at, method, path, body, samples } of operations) {
    expect({ at, samples }).toEqual({ at, samples: [expect.stringContaining(`"$TALLYSTICK_URL${path}`)] })
    const [sample = ''] = samples
    expect({ at, piped: sample.startsWith('printf ') }).toEqual({
      at,
      piped: /^\/(v1|mcp)(\/(?!oauth)|$)/.test(path) && !needNoKey.has(at),
    })
    expect({ at, sample }).toEqual({ at, sample: expect.not.stringMatching(/-H\s*["']authorization/i) })
    if (at === signIn) expect(sample).toMatch(/^printf '\{"key":"%s"\}' "\$TALLYSTICK_KEY" \|\n.* -d @-$/)
    else if (body !== null) expect(sample).toContain(`-d '${JSON.stringify(body.examples[0])}'`)
    if (method !== 'GET' && method !== 'POST') expect(sample).toContain(`-X ${method} `)
  }
})

test('the reference page shows those, and none of its own', async () => {
  const { body } = await api().get('/docs/api/')
  expect(body).toMatch(/hiddenClients\W+shell\W+true/)
})
