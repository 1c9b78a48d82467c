import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'

/** One row of every kind, all of one tenant. Swapping one of them for a stranger's is what a 404 is about. */
export interface Rows {
  keyId: string
  teamId: string
  userId: string
  budgetId: string
  requestId: string
  policyId: string
  guardrailId: string
  promptId: string
  versionId: string
  endpointId: string
  sinkId: string
  /** A delivery that failed, and whom it was for: of the tenant's one violation. */
  deliveryId: string
  deliveryEndpointId: string
  routeId: string
  managedId: string
  providerId: string
  credentialId: string
  /** MCP servers: with a value that whoever made these rows stored, and with no consent of anybody. */
  accountServerId: string
  consentServerId: string
  /** Open, so that members see it. */
  mcpServerId: string
  seq: string
  /** Of a call. */
  callId: string
  /** An export that is made in the background. */
  jobId: string
  /** Told apart from every other row of its kind: names are unique in a tenant. */
  unique: string
}

/**
 * Who may use a route. Of one that is open to members: whether it shows them the same as everyone (`shared`), or only what is
 * their own, so that another person's row is answered as one that does not exist.
 */
type RouteAccess = { access: 'member'; shows: 'shared' | 'own' } | { access: 'reader' | 'manager' }

/** A request that the route accepts, with every field that its body can have. */
export type RouteCase = RouteAccess & {
  route: string
  /** A POST that changes nothing: a dry run. */
  onlyReads?: true
  status: 200 | 201 | 204
  params?(rows: Rows): Record<string, string>
  query?: Record<string, string>
  body?(rows: Rows): Record<string, unknown>
  /** What a success writes into the audit log, oldest first; reads write nothing. */
  audit?: string[]
  /** An answer that has no end, unless the query asks for one. */
  staysOpen?: true
  /** Naming a user id that is new makes that member: it cannot be a wrong reference. */
  makesUsers?: true
}

/** In the document, but not in the table. */
export const excluded: Record<string, string> = {
  'GET /healthz': 'a service route: needs no key',
  'GET /readyz': 'a service route: needs no key',
  'GET /metrics': 'a service route: needs no key',
  'GET /openapi.json': 'a service route: needs no key',
  'GET /.well-known/tallystick/jwks.json': 'a service route: needs no key',
  'POST /v1/session': 'signing in: needs no key, and what it refuses it counts (sessions.test.ts)',
  'GET /v1/session': 'says to each caller who it is: no two get the same (sessions.test.ts)',
  'DELETE /v1/session': 'signing out: needs no key (sessions.test.ts)',
  'GET /v1/session/methods': 'needs no key (oidc.test.ts)',
  'GET /v1/session/oidc': 'for browsers that sign in: needs no key (oidc.test.ts)',
  'GET /v1/session/oidc/callback': 'as above',
  'DELETE /v1/sessions': 'the caller’s own sessions, for auditors too (sessions.test.ts)',
  'DELETE /v1/sessions/{id}': 'the caller’s own sessions, for auditors too (sessions.test.ts)',
  'POST /v1/chat/completions':
    'a model call: its body is the vendor’s, unknown fields pass, failures are in the vendor’s shape',
  'POST /v1/responses': 'a model call, as above',
  'GET /v1/responses': 'a WebSocket (responses-socket.test.ts)',
  'POST /v1/embeddings': 'a model call, as above',
  'POST /v1/messages': 'a model call, as above',
  'POST /v1/messages/count_tokens': 'a model call, as above',
  'POST /v1/completions': 'a model call, as above',
  'POST /v1/moderations': 'a model call, as above',
  'POST /v1/responses/compact': 'a model call, as above',
  'POST /v1/images/generations': 'a model call, as above',
  'POST /v1/images/edits': 'a model call, as above',
  'POST /v1/images/variations': 'a model call, as above',
  'POST /v1/audio/speech': 'a model call, as above',
  'POST /v1/audio/transcriptions': 'a model call, as above',
  'POST /v1/audio/translations': 'a model call, as above',
  'POST /v1/rerank': 'a model call, as above',
  'POST /v1/files': 'of the gateway: belongs to one key, in the shape of OpenAI (batches.test.ts)',
  'GET /v1/files': 'of the gateway, as above',
  'GET /v1/files/{id}': 'of the gateway, as above',
  'GET /v1/files/{id}/content': 'of the gateway, as above',
  'DELETE /v1/files/{id}': 'of the gateway, as above',
  'POST /v1/batches': 'of the gateway, as above',
  'GET /v1/batches': 'of the gateway, as above',
  'GET /v1/batches/{id}': 'of the gateway, as above',
  'POST /v1/batches/{id}/cancel': 'of the gateway, as above',
  'POST /v1/compliance/attestations': 'auditors may, and each makes another job (compliance-jobs.test.ts)',
  'POST /v1/compliance/exports': 'as above',
  'DELETE /v1/compliance/jobs/{id}': 'as above',
  'GET /v1/compliance/jobs/{id}/result': 'needs a job that is done (compliance-jobs.test.ts)',
  'POST /v1/mcp-servers/{id}/approve': 'needs a server that lists tools (mcp-servers.test.ts)',
  'POST /v1/mcp-servers/{id}/tools/{name}/approve': 'as above',
  'POST /v1/mcp-servers/{id}/tools/{name}/block': 'as above',
  'POST /mcp': 'tool calls: JSON-RPC (mcp-protocol.test.ts)',
  'GET /mcp': 'as above',
  'DELETE /mcp': 'as above',
  'POST /mcp/{server}': 'as above',
  'GET /mcp/{server}': 'as above',
  'DELETE /mcp/{server}': 'as above',
  'POST /mcp/tallystick': 'the management as tools: JSON-RPC (mcp-management.test.ts)',
  'GET /mcp/tallystick': 'as above',
  'DELETE /mcp/tallystick': 'as above',
  'GET /mcp/oauth/start': 'pages for browsers that give consent: need no key (mcp-accounts.test.ts)',
  'GET /mcp/oauth/callback': 'as above',
  'GET /mcp/oauth/client.json': 'as above',
  'GET /v1/models': 'of the gateway: answers vendor clients, which send parameters of their own',
  'GET /v1/models/{name}': 'of the gateway, as above; models belong to no tenant',
}

const page = { limit: '10' }
const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString()

const keyFields = ({ unique, userId, teamId }: Rows) => ({
  name: `Key ${unique}`,
  role: 'member',
  userId,
  teamId,
  rpmLimit: 60,
  tpmLimit: 200_000,
  allowedModels: ['mock/*'],
  allowedTools: ['files__*'],
  expiresAt: nextYear,
  metadata: { purpose: 'tests' },
})
const memberFields = ({ teamId }: Rows) => ({ name: 'Ann', email: 'ann@example.com', teamId })
const budgetFields = ({ unique }: Rows) => ({
  name: `Budget ${unique}`,
  amountUsd: 12.5,
  period: 'weekly',
  thresholdPct: 50,
  action: 'alert',
})
const policyFields = ({ unique, teamId }: Rows) => ({
  name: `Policy ${unique}`,
  description: 'Nothing secret leaves.',
  config: { words: ['nightfall'], caseSensitive: true },
  scope: { type: 'team', id: teamId },
  phase: 'both',
  action: 'flag',
  enabled: false,
})

const slugOf = ({ unique }: Pick<Rows, 'unique'>) => unique.replaceAll(' ', '-')

const providerFields = {
  baseUrl: 'http://127.0.0.1:9/v1',
  headers: { 'x-team': 'platform' },
  dialects: ['chat'],
  timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 5_000, hangUpGraceMs: 1_000 },
  limits: { maxStreamBytes: 1_048_576, maxAnswerBytes: 1_048_576 },
  options: {},
  auth: 'own',
  references: 'issued',
  pricesOf: 'openai',
  enabled: true,
}
const mcpServerFields = {
  url: 'http://127.0.0.1:9/mcp',
  headers: { 'x-team': 'platform' },
  auth: { type: 'none' },
  enabled: true,
  open: true,
  pinning: 'block',
  pricePerCallUsd: 0.01,
  rpmLimit: 60,
  timeoutMs: 1_000,
  maxResultBytes: 65_536,
  resources: ['file://*'],
  prompts: ['*'],
}
const credentialFields = { name: 'second', value: 'sk-a-second-one', weight: 2 }
const priceFields = {
  price: { inputUsdPerMTok: 1, outputUsdPerMTok: 2 },
  mode: 'chat',
  contextWindow: 1_000,
  maxOutputTokens: 100,
  outputField: 'max_tokens',
  tokenizer: 'bytes',
  effectiveFrom: nextYear,
}
const modelOf = (rows: Pick<Rows, 'unique'>) => ({ provider: 'mock', model: `priced-${slugOf(rows)}` })

// The id is a note of the program that applies files. The service does not look it up, so it may name anything.
const managedFields = {
  resourceId: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y',
  state: 'applied',
  specHashes: { budgetPoolUsd: '5f9c4ab08cac7457' },
  stateHashes: { budgetPoolUsd: '5f9c4ab08cac7457' },
}
const routeFields = (rows: Rows) => ({
  name: `route-${slugOf(rows)}`,
  strategy: 'weighted',
  targets: [{ model: 'mock/echo', weight: 2, dialect: 'chat' }],
  retry: { attempts: 1, on: ['429'] },
  timeoutMs: 1_000,
  stickyBy: 'user',
  cache: { ttlSeconds: 60, scope: 'key' },
  enabled: false,
})

/** Nobody listens there. */
const endpointFields = ({ unique }: Rows) => ({
  name: `Endpoint ${unique}`,
  url: 'http://127.0.0.1:9/',
  type: 'generic',
  envelope: 'cloudevents',
  events: ['budget.threshold_reached', 'policy.violation', 'anomaly.usage_spike', 'webhook.test'],
  enabled: false,
  maxAttempts: 3,
})

/** Nothing listens there. */
const sinkFields = ({ unique }: Rows) => ({
  name: `Sink ${unique}`,
  destination: {
    ...{ type: 's3', url: 'http://127.0.0.1:9/', region: 'eu-central-1', bucket: 'exports', prefix: 'a/b' },
    ...{ accessKeyId: 'AKIA', secretAccessKey: 'the secret' },
  },
  intervalSeconds: 60,
  enabled: false,
})

export const routesTable: RouteCase[] = [
  {
    route: 'GET /v1/keys',
    access: 'member',
    shows: 'own',
    status: 200,
    query: { ...page, status: 'active', userId: 'ann', teamId: 'team_1', q: 'ci' },
  },
  {
    route: 'POST /v1/keys',
    access: 'manager',
    status: 201,
    body: keyFields,
    audit: ['key.create'],
    makesUsers: true,
  },
  {
    route: 'GET /v1/keys/{id}',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ keyId }) => ({ id: keyId }),
  },
  {
    route: 'GET /v1/keys/{id}/standing',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ keyId }) => ({ id: keyId }),
  },
  {
    route: 'PATCH /v1/keys/{id}',
    access: 'manager',
    status: 200,
    params: ({ keyId }) => ({ id: keyId }),
    body: keyFields,
    audit: ['key.update'],
    makesUsers: true,
  },
  {
    route: 'DELETE /v1/keys/{id}',
    access: 'manager',
    status: 204,
    params: ({ keyId }) => ({ id: keyId }),
    audit: ['key.revoke'],
  },
  {
    route: 'PATCH /v1/keys/{id}/limits',
    access: 'manager',
    status: 200,
    params: ({ keyId }) => ({ id: keyId }),
    body: () => ({ rpmLimit: 5, tpmLimit: 500 }),
    audit: ['key.update'],
  },

  { route: 'GET /v1/prompts', access: 'member', shows: 'shared', status: 200 },
  {
    route: 'POST /v1/prompts',
    access: 'manager',
    status: 201,
    body: ({ unique }) => ({ name: `Prompt ${unique}`, description: 'Greets.', content: 'Greet {{name}}.' }),
    // Two things are made, and each has its own line.
    audit: ['prompt.create', 'prompt_version.create'],
  },
  {
    route: 'GET /v1/prompts/{id}',
    access: 'member',
    shows: 'shared',
    status: 200,
    params: ({ promptId }) => ({ id: promptId }),
  },
  {
    route: 'PATCH /v1/prompts/{id}',
    access: 'manager',
    status: 200,
    params: ({ promptId }) => ({ id: promptId }),
    body: ({ unique }) => ({ name: `Renamed ${unique}`, description: 'Greets warmly.' }),
    audit: ['prompt.update'],
  },
  {
    route: 'DELETE /v1/prompts/{id}',
    access: 'manager',
    status: 204,
    params: ({ promptId }) => ({ id: promptId }),
    query: { cascade: 'true' },
    audit: ['prompt.delete_label', 'prompt.delete'],
  },
  {
    route: 'GET /v1/prompts/{id}/versions',
    access: 'member',
    shows: 'shared',
    status: 200,
    params: ({ promptId }) => ({ id: promptId }),
    query: page,
  },
  {
    route: 'POST /v1/prompts/versions',
    access: 'manager',
    status: 201,
    body: ({ promptId }) => ({ promptId, content: 'Greet {{name}} again.' }),
    audit: ['prompt_version.create'],
  },
  {
    route: 'POST /v1/prompts/labels',
    access: 'manager',
    status: 204,
    body: ({ promptId, versionId }) => ({ promptId, versionId, label: 'staging' }),
    audit: ['prompt.set_label'],
  },
  {
    route: 'GET /v1/prompts/{id}/label/{label}',
    access: 'member',
    shows: 'shared',
    status: 200,
    params: ({ promptId }) => ({ id: promptId, label: 'production' }),
  },
  {
    route: 'DELETE /v1/prompts/{id}/label/{label}',
    access: 'manager',
    status: 204,
    params: ({ promptId }) => ({ id: promptId, label: 'production' }),
    audit: ['prompt.delete_label'],
  },

  {
    route: 'GET /v1/mcp-servers/{id}/credential',
    access: 'member',
    shows: 'shared',
    status: 200,
    params: ({ consentServerId }) => ({ id: consentServerId }),
  },
  {
    route: 'PUT /v1/mcp-servers/{id}/credential',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ accountServerId }) => ({ id: accountServerId }),
    body: () => ({ value: 'Bearer another one' }),
    audit: ['mcp_credential.set'],
  },
  {
    route: 'DELETE /v1/mcp-servers/{id}/credential',
    access: 'member',
    shows: 'own',
    status: 204,
    params: ({ accountServerId }) => ({ id: accountServerId }),
    audit: ['mcp_credential.delete'],
  },
  {
    route: 'POST /v1/mcp-servers/{id}/connect',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ consentServerId }) => ({ id: consentServerId }),
    audit: [],
  },

  { route: 'GET /v1/sessions', access: 'member', shows: 'own', status: 200, query: page },

  { route: 'GET /v1/policies/hits', access: 'reader', status: 200, query: { timeZone: 'UTC' } },
  { route: 'GET /v1/policies', access: 'reader', status: 200, query: { ...page, kind: 'keywords' } },
  {
    route: 'POST /v1/policies',
    access: 'manager',
    status: 201,
    body: (rows) => ({ ...policyFields(rows), kind: 'keywords' }),
    audit: ['policy.create'],
  },
  {
    route: 'POST /v1/policies/evaluate',
    access: 'member',
    shows: 'own',
    onlyReads: true,
    status: 200,
    body: ({ keyId }) => ({
      keyId,
      model: 'mock/echo',
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
      maxOutputTokens: 10,
      stream: false,
      tags: { project: 'alpha' },
      session: 'run 1',
      phase: 'input',
    }),
  },
  {
    route: 'POST /v1/policies/evaluate-draft',
    access: 'reader',
    onlyReads: true,
    status: 200,
    body: ({ keyId, policyId }) => ({
      keyId,
      model: 'mock/echo',
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
      maxOutputTokens: 10,
      stream: false,
      tags: { project: 'alpha' },
      session: 'run 1',
      phase: 'input',
      draft: {
        id: policyId,
        name: 'A draft',
        kind: 'keywords',
        config: { words: ['hello'] },
        phase: 'both',
        action: 'flag',
      },
      alone: true,
    }),
  },
  {
    route: 'GET /v1/policies/{id}',
    access: 'reader',
    status: 200,
    params: ({ policyId }) => ({ id: policyId }),
  },
  {
    route: 'PATCH /v1/policies/{id}',
    access: 'manager',
    status: 200,
    params: ({ policyId }) => ({ id: policyId }),
    body: policyFields,
    audit: ['policy.update'],
  },
  {
    route: 'POST /v1/policies/{id}/rotate-secret',
    access: 'manager',
    status: 200,
    params: ({ guardrailId }) => ({ id: guardrailId }),
    audit: ['policy.rotate_secret'],
  },
  {
    route: 'DELETE /v1/policies/{id}',
    access: 'manager',
    status: 204,
    params: ({ policyId }) => ({ id: policyId }),
    audit: ['policy.delete'],
  },

  { route: 'GET /v1/routes', access: 'reader', status: 200, query: page },
  {
    route: 'POST /v1/routes',
    access: 'manager',
    status: 201,
    body: routeFields,
    audit: ['route.create'],
  },
  {
    route: 'GET /v1/routes/{id}',
    access: 'reader',
    status: 200,
    params: ({ routeId }) => ({ id: routeId }),
  },
  {
    route: 'PATCH /v1/routes/{id}',
    access: 'manager',
    status: 200,
    params: ({ routeId }) => ({ id: routeId }),
    body: routeFields,
    audit: ['route.update'],
  },
  {
    route: 'DELETE /v1/routes/{id}',
    access: 'manager',
    status: 204,
    params: ({ routeId }) => ({ id: routeId }),
    audit: ['route.delete'],
  },

  {
    route: 'GET /v1/managed-resources',
    access: 'reader',
    status: 200,
    query: { ...page, set: 'default', kind: 'Team' },
  },
  {
    route: 'POST /v1/managed-resources',
    access: 'manager',
    status: 201,
    body: ({ unique }) => ({ kind: 'Budget', name: unique, set: 'default', ...managedFields }),
    audit: ['managed_resource.create'],
  },
  {
    route: 'GET /v1/managed-resources/{id}',
    access: 'reader',
    status: 200,
    params: ({ managedId }) => ({ id: managedId }),
  },
  {
    route: 'PATCH /v1/managed-resources/{id}',
    access: 'manager',
    status: 200,
    params: ({ managedId }) => ({ id: managedId }),
    body: () => ({ ifRevision: 1, set: 'default', ...managedFields }),
    audit: ['managed_resource.update'],
  },
  {
    route: 'DELETE /v1/managed-resources/{id}',
    access: 'manager',
    status: 204,
    params: ({ managedId }) => ({ id: managedId }),
    audit: ['managed_resource.delete'],
  },

  { route: 'GET /v1/providers', access: 'reader', status: 200, query: page },
  {
    route: 'POST /v1/providers',
    access: 'manager',
    status: 201,
    body: (rows) => ({
      ...providerFields,
      name: `provider-${slugOf(rows)}`,
      type: 'openai',
      credentials: [credentialFields],
    }),
    audit: ['provider.create'],
  },
  {
    route: 'GET /v1/providers/{id}',
    access: 'reader',
    status: 200,
    params: ({ providerId }) => ({ id: providerId }),
  },
  {
    route: 'PATCH /v1/providers/{id}',
    access: 'manager',
    status: 200,
    params: ({ providerId }) => ({ id: providerId }),
    body: () => providerFields,
    audit: ['provider.update'],
  },
  {
    route: 'POST /v1/providers/{id}/test',
    access: 'manager',
    status: 200,
    params: ({ providerId }) => ({ id: providerId }),
  },
  {
    route: 'POST /v1/providers/{id}/credentials',
    access: 'manager',
    status: 201,
    params: ({ providerId }) => ({ id: providerId }),
    body: () => credentialFields,
    audit: ['provider_credential.create'],
  },
  {
    route: 'DELETE /v1/providers/{id}/credentials/{cid}',
    access: 'manager',
    status: 204,
    params: ({ providerId, credentialId }) => ({ id: providerId, cid: credentialId }),
    audit: ['provider_credential.delete'],
  },
  {
    route: 'DELETE /v1/providers/{id}',
    access: 'manager',
    status: 204,
    params: ({ providerId }) => ({ id: providerId }),
    audit: ['provider.delete'],
  },

  { route: 'GET /v1/mcp-servers', access: 'member', shows: 'shared', status: 200, query: page },
  {
    route: 'POST /v1/mcp-servers',
    access: 'manager',
    status: 201,
    body: (rows) => ({ ...mcpServerFields, name: `mcp-${slugOf(rows)}`.slice(0, 32) }),
    audit: ['mcp_server.create'],
  },
  {
    route: 'GET /v1/mcp-servers/{id}',
    access: 'member',
    shows: 'shared',
    status: 200,
    params: ({ mcpServerId }) => ({ id: mcpServerId }),
  },
  {
    route: 'PATCH /v1/mcp-servers/{id}',
    access: 'manager',
    status: 200,
    params: ({ mcpServerId }) => ({ id: mcpServerId }),
    body: () => mcpServerFields,
    audit: ['mcp_server.update'],
  },
  {
    route: 'POST /v1/mcp-servers/{id}/refresh',
    access: 'manager',
    status: 200,
    params: ({ mcpServerId }) => ({ id: mcpServerId }),
  },
  {
    route: 'GET /v1/mcp-servers/{id}/tools',
    access: 'reader',
    status: 200,
    params: ({ mcpServerId }) => ({ id: mcpServerId }),
  },
  {
    route: 'DELETE /v1/mcp-servers/{id}',
    access: 'manager',
    status: 204,
    params: ({ mcpServerId }) => ({ id: mcpServerId }),
    audit: ['mcp_server.delete'],
  },

  {
    route: 'GET /v1/catalogue',
    access: 'reader',
    status: 200,
    query: { ...page, provider: 'mock', q: 'echo' },
  },
  {
    route: 'PUT /v1/catalogue/{provider}/{model}',
    access: 'manager',
    status: 200,
    params: modelOf,
    body: () => priceFields,
    audit: ['model_price.set'],
  },
  {
    route: 'DELETE /v1/catalogue/{provider}/{model}',
    access: 'manager',
    status: 204,
    params: modelOf,
    audit: ['model_price.delete'],
  },

  { route: 'GET /v1/budgets', access: 'member', shows: 'own', status: 200, query: page },
  {
    route: 'POST /v1/budgets',
    access: 'manager',
    status: 201,
    body: (rows) => ({ ...budgetFields(rows), scope: { type: 'team', id: rows.teamId } }),
    audit: ['budget.create'],
  },
  {
    route: 'GET /v1/budgets/{id}',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ budgetId }) => ({ id: budgetId }),
  },
  {
    route: 'PATCH /v1/budgets/{id}',
    access: 'manager',
    status: 200,
    params: ({ budgetId }) => ({ id: budgetId }),
    body: budgetFields,
    audit: ['budget.update'],
  },
  {
    route: 'DELETE /v1/budgets/{id}',
    access: 'manager',
    status: 204,
    params: ({ budgetId }) => ({ id: budgetId }),
    audit: ['budget.delete'],
  },
  {
    route: 'GET /v1/budgets/requests',
    access: 'member',
    shows: 'own',
    status: 200,
    query: { ...page, status: 'pending', userId: 'ann', budgetId: 'bud_1' },
  },
  {
    route: 'POST /v1/budgets/requests',
    access: 'member',
    shows: 'own',
    status: 201,
    body: ({ budgetId }) => ({ budgetId, amountUsd: 3, reason: 'The launch is on Friday.' }),
    audit: ['budget_request.create'],
  },
  {
    route: 'POST /v1/budgets/requests/{id}/approve',
    access: 'manager',
    status: 200,
    params: ({ requestId }) => ({ id: requestId }),
    body: () => ({ amountUsd: 1, note: 'For now.' }),
    audit: ['budget_request.approve'],
  },
  {
    route: 'POST /v1/budgets/requests/{id}/deny',
    access: 'manager',
    status: 200,
    params: ({ requestId }) => ({ id: requestId }),
    audit: ['budget_request.deny'],
  },

  { route: 'GET /v1/team/teams', access: 'member', shows: 'shared', status: 200 },
  {
    route: 'POST /v1/team/teams',
    access: 'manager',
    status: 201,
    body: ({ unique }) => ({ name: `Team ${unique}`, budgetPoolUsd: 100, allowedTools: ['files__*'] }),
    audit: ['team.create'],
  },
  {
    route: 'PATCH /v1/team/teams/{id}',
    access: 'manager',
    status: 200,
    params: ({ teamId }) => ({ id: teamId }),
    body: ({ unique }) => ({ name: `Renamed ${unique}`, budgetPoolUsd: 0, allowedTools: null }),
    audit: ['team.update'],
  },
  {
    route: 'DELETE /v1/team/teams/{id}',
    access: 'manager',
    status: 204,
    params: ({ teamId }) => ({ id: teamId }),
    query: { cascade: 'false' },
    audit: ['team.delete'],
  },
  {
    route: 'GET /v1/team/members',
    access: 'reader',
    status: 200,
    query: { ...page, teamId: 'team_1', role: 'member', status: 'active', q: 'ann' },
  },
  {
    route: 'POST /v1/team/members',
    access: 'manager',
    status: 201,
    body: (rows) => ({ ...memberFields(rows), userId: `new ${rows.unique}`, role: 'manager' }),
    audit: ['member.create'],
  },
  {
    route: 'GET /v1/team/members/{userId}',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ userId }) => ({ userId }),
  },
  {
    route: 'PATCH /v1/team/members/{userId}',
    access: 'manager',
    status: 200,
    params: ({ userId }) => ({ userId }),
    body: memberFields,
    audit: ['member.update'],
  },
  {
    route: 'DELETE /v1/team/members/{userId}',
    access: 'manager',
    status: 204,
    params: ({ userId }) => ({ userId }),
    query: { cascade: 'true' },
    audit: ['key.revoke', 'member.delete'],
  },
  {
    route: 'PATCH /v1/team/members/{userId}/role',
    access: 'manager',
    status: 200,
    params: ({ userId }) => ({ userId }),
    body: () => ({ role: 'manager' }),
    audit: ['member.change_role'],
  },

  {
    route: 'GET /v1/user-limits',
    access: 'member',
    shows: 'own',
    status: 200,
    query: { ...page, teamId: 'team_1', role: 'member', status: 'active', q: 'ann' },
  },
  {
    route: 'GET /v1/user-limits/{userId}',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ userId }) => ({ userId }),
  },
  {
    route: 'PATCH /v1/user-limits/{userId}',
    access: 'manager',
    status: 200,
    params: ({ userId }) => ({ userId }),
    body: () => ({
      allowedModels: ['mock/*'],
      allowedTools: ['files__*'],
      budgetCapUsd: 20,
      status: 'suspended',
    }),
    audit: ['user_limit.update'],
    makesUsers: true,
  },

  { route: 'GET /v1/sinks', access: 'reader', status: 200, query: page },
  {
    route: 'POST /v1/sinks',
    access: 'manager',
    status: 201,
    body: (rows) => ({ ...sinkFields(rows), data: 'calls', format: 'jsonl' }),
    audit: ['sink.create'],
  },
  {
    route: 'GET /v1/sinks/{id}',
    access: 'reader',
    status: 200,
    params: ({ sinkId }) => ({ id: sinkId }),
  },
  {
    route: 'PATCH /v1/sinks/{id}',
    access: 'manager',
    status: 200,
    params: ({ sinkId }) => ({ id: sinkId }),
    body: sinkFields,
    audit: ['sink.update'],
  },
  {
    route: 'DELETE /v1/sinks/{id}',
    access: 'manager',
    status: 204,
    params: ({ sinkId }) => ({ id: sinkId }),
    audit: ['sink.delete'],
  },
  {
    route: 'POST /v1/sinks/{id}/test',
    access: 'manager',
    status: 200,
    params: ({ sinkId }) => ({ id: sinkId }),
    audit: ['sink.test'],
  },

  { route: 'GET /v1/webhook-endpoints', access: 'reader', status: 200, query: page },
  {
    route: 'POST /v1/webhook-endpoints',
    access: 'manager',
    status: 201,
    body: endpointFields,
    audit: ['webhook_endpoint.create'],
  },
  {
    route: 'GET /v1/webhook-endpoints/{id}',
    access: 'reader',
    status: 200,
    params: ({ endpointId }) => ({ id: endpointId }),
  },
  {
    route: 'PATCH /v1/webhook-endpoints/{id}',
    access: 'manager',
    status: 200,
    params: ({ endpointId }) => ({ id: endpointId }),
    body: endpointFields,
    audit: ['webhook_endpoint.update'],
  },
  {
    route: 'DELETE /v1/webhook-endpoints/{id}',
    access: 'manager',
    status: 204,
    params: ({ endpointId }) => ({ id: endpointId }),
    audit: ['webhook_endpoint.delete'],
  },
  {
    route: 'POST /v1/webhook-endpoints/{id}/rotate-secret',
    access: 'manager',
    status: 200,
    params: ({ endpointId }) => ({ id: endpointId }),
    body: () => ({ overlapHours: 1 }),
    audit: ['webhook_endpoint.rotate_secret'],
  },
  {
    route: 'POST /v1/webhook-endpoints/{id}/test',
    access: 'manager',
    status: 200,
    params: ({ endpointId }) => ({ id: endpointId }),
    audit: ['webhook_endpoint.test'],
  },
  {
    route: 'GET /v1/webhook-endpoints/{id}/deliveries',
    access: 'reader',
    status: 200,
    params: ({ endpointId }) => ({ id: endpointId }),
    query: { ...page, status: 'dead' },
  },
  {
    route: 'GET /v1/webhook-endpoints/{id}/deliveries/{deliveryId}',
    access: 'reader',
    status: 200,
    params: ({ deliveryEndpointId, deliveryId }) => ({ id: deliveryEndpointId, deliveryId }),
  },
  {
    route: 'POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/retry',
    access: 'manager',
    status: 200,
    params: ({ deliveryEndpointId, deliveryId }) => ({ id: deliveryEndpointId, deliveryId }),
    audit: ['webhook_delivery.retry'],
  },

  {
    route: 'GET /v1/audit-log',
    access: 'reader',
    status: 200,
    query: {
      ...page,
      actorType: 'key',
      actorId: 'key_1',
      userId: 'ann',
      action: 'key.*',
      subjectType: 'key',
      subjectId: 'key_1',
      from: '2026-01-01',
      to: '2036-01-01T00:00:00Z',
    },
  },
  { route: 'GET /v1/compliance/receipts', access: 'member', shows: 'own', status: 200, query: page },
  {
    route: 'GET /v1/compliance/receipts/{seq}',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ seq }) => ({ seq }),
  },
  {
    route: 'GET /v1/compliance/receipts/{seq}/proof',
    access: 'member',
    shows: 'own',
    status: 200,
    params: ({ seq }) => ({ seq }),
  },
  {
    route: 'POST /v1/compliance/receipts/{seq}/adjust',
    access: 'manager',
    status: 200,
    params: ({ seq }) => ({ seq }),
    // Another amount each time: the same again is no correction.
    body: ({ unique }) => ({ amountUsd: Number(/\d+$/.exec(unique)) / 1_000, reason: 'the invoice' }),
    audit: ['receipt.adjust'],
  },
  { route: 'GET /v1/compliance/checkpoint', access: 'member', shows: 'shared', status: 200 },
  {
    route: 'GET /v1/compliance/consistency',
    access: 'member',
    shows: 'shared',
    status: 200,
    query: { from: '0', to: '1' },
  },
  {
    route: 'GET /v1/compliance/attestation',
    access: 'member',
    shows: 'shared',
    status: 200,
    query: { days: '7' },
  },
  { route: 'GET /v1/settings/content-capture', access: 'reader', status: 200 },
  {
    route: 'PUT /v1/settings/content-capture',
    access: 'manager',
    status: 200,
    body: () => ({ mode: 'off', retentionDays: 7 }),
    audit: ['content_capture.update'],
  },
  {
    route: 'GET /v1/calls',
    access: 'member',
    shows: 'own',
    status: 200,
    query: {
      ...page,
      from: '2026-01-01',
      to: '2036-01-01T00:00:00Z',
      keyId: 'key_1',
      userId: 'ann',
      teamId: 'team_1',
      provider: 'mock',
      model: 'mock/echo',
      outcome: 'ok',
      policyId: 'pol_1',
      session: 'nightly',
      route: 'smart',
      agent: 'codex',
      cache: 'hit',
      batch: 'batch_1',
      minCostUsd: '0.000000001',
      requestId: 'req_1',
      'tag.project': 'alpha',
    },
  },
  {
    route: 'GET /v1/calls/density',
    access: 'member',
    shows: 'own',
    status: 200,
    query: {
      buckets: '10',
      from: '2026-01-01',
      to: '2036-01-01T00:00:00Z',
      keyId: 'key_1',
      userId: 'ann',
      teamId: 'team_1',
      provider: 'mock',
      model: 'mock/echo',
      outcome: 'ok',
      policyId: 'pol_1',
      session: 'nightly',
      route: 'smart',
      agent: 'codex',
      cache: 'hit',
      batch: 'batch_1',
      minCostUsd: '0.000000001',
      requestId: 'req_1',
      'tag.project': 'alpha',
    },
  },
  {
    route: 'GET /v1/calls/{requestId}',
    access: 'member',
    shows: 'own',
    status: 200,
    query: { content: 'true' },
    params: ({ callId }) => ({ requestId: callId }),
  },
  {
    route: 'GET /v1/calls/{requestId}/content',
    access: 'reader',
    status: 200,
    params: ({ callId }) => ({ requestId: callId }),
  },
  { route: 'GET /v1/compliance/packs', access: 'member', shows: 'shared', status: 200 },
  {
    route: 'PUT /v1/compliance/packs/{framework}',
    access: 'manager',
    status: 200,
    params: () => ({ framework: 'soc2' }),
    body: () => ({ status: 'active' }),
    audit: ['pack.activate'],
  },
  { route: 'GET /v1/compliance/erasures', access: 'reader', status: 200, query: page },
  {
    route: 'POST /v1/compliance/erasures',
    access: 'manager',
    status: 201,
    body: ({ userId }) => ({ userId }),
    audit: ['erasure.create'],
  },
  { route: 'GET /v1/compliance/checkpoints', access: 'member', shows: 'shared', status: 200, query: page },
  { route: 'GET /v1/compliance/signing-keys', access: 'member', shows: 'shared', status: 200 },
  { route: 'GET /v1/compliance/anchors', access: 'member', shows: 'shared', status: 200, query: page },
  {
    route: 'GET /v1/compliance/export',
    access: 'reader',
    status: 200,
    query: { fromSeq: '1', toSeq: '1' },
  },
  { route: 'GET /v1/compliance/jobs', access: 'reader', status: 200, query: page },
  {
    route: 'GET /v1/compliance/jobs/{id}',
    access: 'reader',
    status: 200,
    params: ({ jobId }) => ({ id: jobId }),
  },
  {
    route: 'GET /v1/events/stream',
    access: 'member',
    shows: 'own',
    staysOpen: true,
    status: 200,
    query: { types: 'call', maxSeconds: '0' },
  },
  { route: 'GET /v1/attention', access: 'reader', status: 200 },
  { route: 'GET /v1/about', access: 'member', shows: 'shared', status: 200 },
  {
    route: 'GET /v1/usage/latency',
    access: 'member',
    shows: 'own',
    status: 200,
    query: { range: '24h', groupBy: 'team' },
  },
  {
    route: 'GET /v1/usage',
    access: 'member',
    shows: 'own',
    status: 200,
    query: { range: '24h', groupBy: 'team' },
  },
  {
    route: 'GET /v1/usage/forecast',
    access: 'member',
    shows: 'own',
    status: 200,
    query: { timeZone: 'UTC' },
  },
]

/** What `config` may be depends on the kind, so the document says it apart: the component, and a config with every field. */
export const policyConfigs: {
  kind: string
  schema: string
  config: Record<string, unknown>
  action?: string
}[] = [
  { kind: 'model_allowlist', schema: 'ModelListConfig', config: { models: ['mock/*'] } },
  { kind: 'model_denylist', schema: 'ModelListConfig', config: { models: ['mock/*'] } },
  {
    kind: 'keywords',
    schema: 'KeywordsConfig',
    config: { words: ['nightfall'], caseSensitive: true, restore: true },
    action: 'redact',
  },
  {
    kind: 'pattern',
    schema: 'PatternConfig',
    config: { patterns: [{ name: 'staff', regex: 'EMP-[0-9]{6}' }], restore: true },
    action: 'redact',
  },
  { kind: 'pii', schema: 'PiiConfig', config: { entities: ['email'], restore: true }, action: 'redact' },
  { kind: 'secrets', schema: 'SecretsConfig', config: { restore: true }, action: 'redact' },
  {
    kind: 'limits',
    schema: 'LimitsConfig',
    config: { maxInputTokens: 10, maxOutputTokens: 10, maxMessages: 10 },
  },
  { kind: 'tools', schema: 'ToolsConfig', config: { allow: ['read*'], deny: ['shell'] } },
  { kind: 'expression', schema: 'ExpressionConfig', config: { cel: 'request.stream' } },
  {
    kind: 'http',
    schema: 'HttpConfig',
    config: { url: 'http://127.0.0.1:9/', timeoutMs: 100, onError: 'allow' },
  },
]

async function findCall(api: Api): Promise<string> {
  const { data } = (await api.get('/v1/compliance/receipts?limit=200')).body
  return data.find(({ kind }: { kind: string }) => kind === 'model').id
}

/** Only an event makes a delivery: a call for a model that its key may not use. One for each tenant is enough. */
async function makeDelivery(api: Api): Promise<Pick<Rows, 'deliveryId' | 'deliveryEndpointId'>> {
  const endpoint = { name: 'Told of violations', url: 'http://127.0.0.1:9/', type: 'generic' }
  const { id } = (await api.post('/v1/webhook-endpoints', { ...endpoint, events: ['policy.violation'] })).body
  const { key } = (await api.post('/v1/keys', { name: 'Good for nothing', allowedModels: [] })).body
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }
  await api.post('/v1/chat/completions', call, { authorization: `Bearer ${key}` })
  const { body } = await api.get(`/v1/webhook-endpoints/${id}/deliveries`)
  return { deliveryId: body.data[0].id, deliveryEndpointId: id }
}

const deliveries = new Map<Api, ReturnType<typeof makeDelivery>>()

/** Made once for each tenant, which has few. Done, so that it is the same for whoever asks. */
async function makeJob(api: Api): Promise<string> {
  const { id } = (await api.post('/v1/compliance/exports')).body
  return await waitFor('the job to be done', async () => {
    const { body } = await api.get(`/v1/compliance/jobs/${id}`)
    return body.status === 'done' && id
  })
}
const jobs = new Map<Api, ReturnType<typeof makeJob>>()

/** Made once for each tenant, which has few. */
async function makeAccountServers(api: Api): Promise<Pick<Rows, 'accountServerId' | 'consentServerId'>> {
  const url = 'http://127.0.0.1:9/mcp'
  const auth = { type: 'header', header: 'x-account' }
  const account = await api.post('/v1/mcp-servers', { name: 'account', url, auth, open: true })
  const consent = await api.post('/v1/mcp-servers', {
    ...{ name: 'consent', url, open: true },
    auth: { type: 'oauth' },
  })
  return { accountServerId: account.body.id, consentServerId: consent.body.id }
}
const accountServers = new Map<Api, ReturnType<typeof makeAccountServers>>()
let made = 0

/** Fresh rows through the interface, so that what one route does to them is no other route's business. */
export async function makeRows(api: Api, tenant: string, seq: number): Promise<Rows> {
  const unique = `${tenant} ${++made}`
  const userId = `user of ${unique}`
  const delivery = deliveries.get(api) ?? makeDelivery(api)
  deliveries.set(api, delivery)
  const servers = accountServers.get(api) ?? makeAccountServers(api)
  accountServers.set(api, servers)
  const job = jobs.get(api) ?? makeJob(api)
  jobs.set(api, job)
  await api.put(`/v1/mcp-servers/${(await servers).accountServerId}/credential`, { value: 'the first one' })
  const [key, team, budget, policy, guardrail, prompt, endpoint, sink, route, provider, mcpServer, managed] =
    await Promise.all([
      api.post('/v1/keys', { name: `First ${unique}`, userId }),
      api.post('/v1/team/teams', { name: `First ${unique}`, budgetPoolUsd: 5 }),
      api.post('/v1/budgets', { name: `First ${unique}`, amountUsd: 5 }),
      api.post('/v1/policies', { name: `First ${unique}`, kind: 'keywords', config: { words: ['first'] } }),
      api.post('/v1/policies', {
        name: `Guardrail ${unique}`,
        kind: 'http',
        config: { url: 'http://127.0.0.1:9/' },
        enabled: false,
      }),
      api.post('/v1/prompts', { name: `First ${unique}` }),
      api.post('/v1/webhook-endpoints', {
        name: `First ${unique}`,
        url: 'http://127.0.0.1:9/',
        type: 'chat',
        events: ['webhook.test'],
      }),
      api.post('/v1/sinks', {
        name: `First ${unique}`,
        data: 'calls',
        destination: { type: 'http', url: 'http://127.0.0.1:9/' },
        enabled: false,
      }),
      api.post('/v1/routes', {
        name: `first-${slugOf({ unique })}`,
        targets: [{ model: 'mock/echo' }],
      }),
      api.post('/v1/providers', {
        name: `first-${slugOf({ unique })}`,
        type: 'openai',
        baseUrl: 'http://127.0.0.1:9/v1',
        credentials: [{ name: 'first', value: 'sk-the-first-one' }],
      }),
      api.post('/v1/mcp-servers', {
        name: `first-${slugOf({ unique })}`.slice(0, 32),
        url: 'http://127.0.0.1:9/mcp',
        open: true,
      }),
      api.post('/v1/managed-resources', { kind: 'Team', name: unique }),
      api.put(`/v1/catalogue/mock/${modelOf({ unique }).model}`, {
        price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 },
      }),
    ])
  const [request, version] = await Promise.all([
    api.post('/v1/budgets/requests', { budgetId: budget.body.id, amountUsd: 2, reason: 'Why not' }),
    api.post('/v1/prompts/versions', { promptId: prompt.body.id, content: 'Greet.' }),
  ])
  await api.post('/v1/prompts/labels', {
    promptId: prompt.body.id,
    label: 'production',
    versionId: version.body.id,
  })
  return {
    keyId: key.body.id,
    teamId: team.body.id,
    userId,
    budgetId: budget.body.id,
    requestId: request.body.id,
    policyId: policy.body.id,
    guardrailId: guardrail.body.id,
    promptId: prompt.body.id,
    versionId: version.body.id,
    endpointId: endpoint.body.id,
    sinkId: sink.body.id,
    routeId: route.body.id,
    managedId: managed.body.id,
    providerId: provider.body.id,
    credentialId: provider.body.credentials[0].id,
    mcpServerId: mcpServer.body.id,
    ...(await delivery),
    ...(await servers),
    seq: String(seq),
    callId: await findCall(api),
    jobId: await job,
    unique,
  }
}

/** A request as it goes over the wire. */
export interface Request {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
}

/** Auditors may use it. */
export const isReading = ({ route, onlyReads }: RouteCase): boolean =>
  onlyReads === true || route.startsWith('GET ')

export function requestOf({ route, params, query, body }: RouteCase, rows: Rows): Request {
  const [method = '', template = ''] = route.split(' ')
  const values = params?.(rows) ?? {}
  return {
    method,
    path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')),
    query: query ?? {},
    body: body?.(rows),
  }
}
