import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../harness/run/property-runs.js'
import type { ApiAnswer } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'
import { type RouteCase, type Rows, requestOf, routesTable } from '../resources/routes-table.js'

let service: TestService

beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

/** Ids of what a tenant has made so far, by kind; the nth of one tenant is the nth of the other. */
type Made = Record<
  | 'key'
  | 'team'
  | 'budget'
  | 'request'
  | 'policy'
  | 'prompt'
  | 'version'
  | 'endpoint'
  | 'sink'
  | 'route'
  | 'provider'
  | 'server',
  string[]
>

interface Side extends TestTenant {
  /** Stands in texts of this tenant alone: the other must never read it. */
  mark: string
  made: Made
}

interface Step {
  act: keyof typeof acts
  pick: number
  name: string
  userId: string
}

const nth = (ids: string[], pick: number) => ids[pick % Math.max(1, ids.length)] ?? 'none'

async function keep(ids: string[], answer: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const made = await answer
  if (made.status === 201) ids.push(made.body.id)
  return made
}

/** What a tenant can do. Names and user ids are the same on both sides; only the mark tells them apart. */
const acts = {
  createKey: ({ api, made, mark }: Side, { name, userId, pick }: Step) =>
    keep(
      made.key,
      api.post('/v1/keys', {
        name,
        userId,
        metadata: { mark },
        ...(pick % 2 && { teamId: nth(made.team, pick) }),
      }),
    ),
  changeKey: ({ api, made }: Side, { name, pick }: Step) =>
    api.patch(`/v1/keys/${nth(made.key, pick)}`, { name, rpmLimit: 5 }),
  revokeKey: ({ api, made }: Side, { pick }: Step) => api.delete(`/v1/keys/${nth(made.key, pick)}`),
  createTeam: ({ api, made }: Side, { name }: Step) =>
    keep(made.team, api.post('/v1/team/teams', { name, budgetPoolUsd: 5 })),
  changeTeam: ({ api, made }: Side, { name, pick }: Step) =>
    api.patch(`/v1/team/teams/${nth(made.team, pick)}`, { name }),
  createEndpoint: ({ api, made, mark }: Side) =>
    keep(
      made.endpoint,
      api.post('/v1/webhook-endpoints', {
        name: mark,
        url: 'http://127.0.0.1:9/',
        type: 'generic',
        events: ['policy.violation'],
      }),
    ),
  createSink: ({ api, made, mark }: Side, { name }: Step) =>
    keep(
      made.sink,
      api.post('/v1/sinks', {
        name: `${mark} ${name}`,
        data: 'calls',
        destination: { type: 'http', url: 'http://127.0.0.1:9/' },
        enabled: false,
      }),
    ),
  deleteTeam: ({ api, made }: Side, { pick }: Step) =>
    api.delete(`/v1/team/teams/${nth(made.team, pick)}?cascade=${pick % 2 === 0}`),
  addMember: ({ api, made, mark }: Side, { userId, pick }: Step) =>
    api.post('/v1/team/members', { userId, name: mark, ...(pick % 2 && { teamId: nth(made.team, pick) }) }),
  changeRole: ({ api }: Side, { userId, pick }: Step) =>
    api.patch(`/v1/team/members/${userId}/role`, { role: pick % 2 ? 'manager' : 'member' }),
  removeMember: ({ api }: Side, { userId }: Step) => api.delete(`/v1/team/members/${userId}?cascade=true`),
  limitUser: ({ api, mark }: Side, { userId, pick }: Step) =>
    api.patch(`/v1/user-limits/${userId}`, {
      allowedModels: [mark],
      status: pick % 2 ? 'suspended' : 'active',
    }),
  createBudget: ({ api, made }: Side, { name, userId, pick }: Step) => {
    const scope = [
      { type: 'tenant' },
      { type: 'user', id: userId },
      { type: 'team', id: nth(made.team, pick) },
      { type: 'key', id: nth(made.key, pick) },
    ][pick % 4]
    return keep(made.budget, api.post('/v1/budgets', { name, amountUsd: 7, scope }))
  },
  changeBudget: ({ api, made }: Side, { pick }: Step) =>
    api.patch(`/v1/budgets/${nth(made.budget, pick)}`, { amountUsd: pick % 1_000 }),
  deleteBudget: ({ api, made }: Side, { pick }: Step) => api.delete(`/v1/budgets/${nth(made.budget, pick)}`),
  fileRequest: ({ api, made, mark }: Side, { pick }: Step) =>
    keep(
      made.request,
      api.post('/v1/budgets/requests', { budgetId: nth(made.budget, pick), amountUsd: 2, reason: mark }),
    ),
  decide: ({ api, made }: Side, { pick }: Step) =>
    api.post(`/v1/budgets/requests/${nth(made.request, pick)}/${pick % 2 ? 'approve' : 'deny'}`),
  createPolicy: ({ api, made, mark }: Side, { name }: Step) =>
    keep(
      made.policy,
      api.post('/v1/policies', { name, description: mark, kind: 'keywords', config: { words: [mark] } }),
    ),
  deletePolicy: ({ api, made }: Side, { pick }: Step) => api.delete(`/v1/policies/${nth(made.policy, pick)}`),
  createPrompt: ({ api, made, mark }: Side, { name }: Step) =>
    keep(made.prompt, api.post('/v1/prompts', { name, description: mark })),
  appendVersion: ({ api, made, mark }: Side, { pick }: Step) =>
    keep(made.version, api.post('/v1/prompts/versions', { promptId: nth(made.prompt, pick), content: mark })),
  setLabel: ({ api, made }: Side, { pick }: Step) =>
    api.post('/v1/prompts/labels', {
      promptId: nth(made.prompt, pick),
      label: 'production',
      versionId: nth(made.version, pick),
    }),
  deletePrompt: ({ api, made }: Side, { pick }: Step) =>
    api.delete(`/v1/prompts/${nth(made.prompt, pick)}?cascade=true`),
  addProvider: ({ api, made, mark }: Side, { name }: Step) =>
    keep(
      made.provider,
      api.post('/v1/providers', {
        name: name.toLowerCase(),
        type: 'openai',
        baseUrl: `http://127.0.0.1:9/${mark}`,
        credentials: [{ name: 'first', value: mark }],
      }),
    ),
  addServer: ({ api, made, mark }: Side, { name }: Step) =>
    keep(
      made.server,
      api.post('/v1/mcp-servers', {
        ...{ name: name.toLowerCase(), url: `http://127.0.0.1:9/${mark}`, headers: { 'x-mark': mark } },
        auth: { type: 'passthrough' },
      }),
    ),
  addRoute: ({ api, made, mark }: Side, { name }: Step) =>
    keep(made.route, api.post('/v1/routes', { name: `${name}-${mark}`, targets: [{ model: 'mock/echo' }] })),
  call: ({ api, mark }: Side) =>
    api.post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: mark }] }),
}

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom(...(Object.keys(acts) as Step['act'][])),
    pick: fc.nat({ max: 1_000 }),
    name: fc.constantFrom('Alpha', 'Beta', 'Gamma'),
    userId: fc.constantFrom('ann', 'bob', 'carol'),
  }),
  { minLength: 40, maxLength: 60, size: 'max' },
)

const lists = [
  '/v1/keys',
  '/v1/team/teams',
  '/v1/team/members',
  '/v1/user-limits',
  '/v1/budgets',
  '/v1/budgets/requests',
  '/v1/policies',
  '/v1/prompts',
  '/v1/compliance/receipts',
  '/v1/audit-log',
  '/v1/webhook-endpoints',
  '/v1/sinks',
  '/v1/routes',
  '/v1/providers',
  '/v1/mcp-servers',
  '/v1/usage',
  '/v1/usage?groupBy=key',
  '/v1/usage?groupBy=user',
]

async function readLists({ api, made }: Side): Promise<string[]> {
  const paged = (path: string) => !/prompts$|teams$|usage/.test(path)
  const paths = [
    ...lists.map((path) => (paged(path) ? `${path}?limit=200` : path)),
    ...made.prompt.map((id) => `/v1/prompts/${id}/versions?limit=200`),
  ]
  const answers = await Promise.all(paths.map((path) => api.get(path)))
  // These move on by themselves: the moment of reading, the last use of a key, forecasts, and what becomes of webhooks that nobody answers.
  const moving = /"(from|to|lastUsedAt|forecastUsd)":[^,}]+|"(lastDelivery|lastWeek)":(null|\{[^}]*\})/g
  return answers.map(({ body }) => JSON.stringify(body).replaceAll(moving, ''))
}

const idPattern =
  /\b(?:key|team|bud|breq|pol|prompt|ver|whe|sink|route|prov|mcp|cred|aud|req|tenant)_[0-9a-z]{26}\b/g
const idsIn = (text: string): Set<string> => new Set(text.match(idPattern))

let tenants = 0

async function addSide(mark: string): Promise<Side> {
  const tenant = await addTenant(service, `side-${++tenants}`)
  return {
    ...tenant,
    mark,
    made: {
      key: [],
      team: [],
      budget: [],
      request: [],
      policy: [],
      prompt: [],
      version: [],
      endpoint: [],
      sink: [],
      route: [],
      provider: [],
      server: [],
    },
  }
}

/** Every route of the table, with the other tenant's rows and this tenant's key. */
async function tryForeignIds(side: Side, other: Side): Promise<string[]> {
  const first = (ids: string[]) => ids[0] ?? 'none'
  const { key, team, budget, request, policy, prompt, version, endpoint, sink, route, provider, server } =
    other.made
  const foreign: Rows = {
    keyId: first(key),
    teamId: first(team),
    userId: 'a user that neither has',
    budgetId: first(budget),
    requestId: first(request),
    policyId: first(policy),
    guardrailId: first(policy),
    promptId: first(prompt),
    versionId: first(version),
    endpointId: first(endpoint),
    sinkId: first(sink),
    deliveryId: 'none',
    deliveryEndpointId: first(endpoint),
    routeId: first(route),
    managedId: 'none',
    providerId: first(provider),
    credentialId: 'none',
    accountServerId: first(server),
    consentServerId: first(server),
    mcpServerId: first(server),
    seq: '1000000',
    callId: 'none',
    jobId: 'none',
    unique: 'probe',
  }
  const own: Rows = {
    ...foreign,
    ...Object.fromEntries(Object.keys(foreign).map((name) => [name, 'own'])),
    unique: foreign.unique,
  }
  const namesRow = (each: RouteCase) => requestOf(each, foreign).path !== requestOf(each, own).path
  const probes = routesTable.filter((each) => namesRow(each) && !each.makesUsers)
  const answers = await Promise.all(
    probes.map(async (each) => {
      const { method, path, body } = requestOf(each, foreign)
      const { get: GET, delete: DELETE, patch: PATCH, post: POST, put: PUT } = side.api
      const call = { GET, DELETE, PATCH, POST, PUT }[method]
      return `${each.route} ${(await call?.(path, body))?.status}`
    }),
  )
  return answers.filter((answer) => !answer.endsWith(' 404'))
}

test('two tenants that do the same things side by side never see each other’s rows', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const sides = [await addSide('of-the-left'), await addSide('of-the-right')] as const
      const [left, right] = sides
      for (const step of plan) {
        const [a, b] = await Promise.all([acts[step.act](left, step), acts[step.act](right, step)])
        // A name that is taken, or a user that is there, on one side alone would be the other side's doing.
        expect({ step, status: a.status, error: a.body?.error?.type }).toEqual({
          step,
          status: b.status,
          error: b.body?.error?.type,
        })
      }

      const [ofLeft, ofRight] = await Promise.all([readLists(left), readLists(right)])
      expect(ofLeft.map((list) => idsIn(list).size)).toEqual(ofRight.map((list) => idsIn(list).size))
      const [seenLeft, seenRight] = [ofLeft.join(), ofRight.join()]
      const ofRightAlone = idsIn(seenRight)
      const ofBoth = [...idsIn(seenLeft)].filter((id) => ofRightAlone.has(id))
      expect(ofBoth).toEqual([])
      expect(seenLeft).not.toContain(right.mark)
      expect(seenRight).not.toContain(left.mark)

      expect(await tryForeignIds(left, right)).toEqual([])
      expect(await readLists(right)).toEqual(ofRight)
    }),
    { seed: 7070, numRuns: propertyRuns / 20, endOnFailure: true },
  )
})
