import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addMcpServer, initialize, postRpc, rpc } from '../harness/mcp/mcp-gateway.js'
import { type OfficialMcpServer, startOfficialMcpServer } from '../harness/mcp/mcp-server.js'
import {
  type Finding,
  findInDatabase,
  findInFiles,
  findInRedis,
  type Location,
} from '../harness/policies/find-text.js'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { BatchProvider } from '../harness/providers/batch-provider.js'
import { sendJson } from '../harness/providers/upstream.js'
import { chatAnswer, streamChat } from '../harness/providers/vendor-answers.js'
import { createEndpoint, waitForDelivery } from '../harness/reporting/webhooks.js'
import { waitFor } from '../harness/run/wait.js'
import type { Api } from '../harness/service/api.js'
import { startTestGateway, type TestGateway } from '../harness/service/gateway.js'

// A person whose every field holds a text of its own. After the erasure, what is left of them is what the guide names.

let gateway: TestGateway
let redis: RedisServer | null
let tools: OfficialMcpServer

beforeAll(async () => {
  redis = hasRedis ? await startRedis() : null
  gateway = await startTestGateway({ env: redis === null ? {} : { REDIS_URL: redis.url } })
  tools = await startOfficialMcpServer({
    era: 'legacy',
    build: (server) =>
      server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
        content: [{ type: 'text', text: `${text} ${canaries.toolResult}` }],
      })),
  })
  const batches = new BatchProvider()
  gateway.upstream.answerWith((request, response) => {
    if (request.path === '/hook') response.writeHead(204).end()
    else if (!request.path.endsWith('/chat/completions')) batches.script(request, response)
    else if (request.body.stream) streamChat(response, [{ content: canaries.answer }])
    else sendJson(response, 200, chatAnswer({ content: canaries.answer }))
  })
})
afterAll(async () => {
  await gateway.stop()
  await tools.close()
  await redis?.close()
})

const userId = 'canary-user-id'
const canaries = {
  firstName: 'canary-first-name',
  name: 'canary-name',
  email: 'canary-email@example.com',
  firstKeyName: 'canary-first-key-name',
  keyName: 'canary-key-name',
  metadata: 'canary-metadata',
  tag: 'canary-tag',
  session: 'canary-session',
  agent: 'canary-agent',
  prompt: 'canary-prompt',
  repeated: 'canary-repeated-prompt',
  cached: 'canary-cached-prompt',
  blocked: 'canary-blocked-prompt',
  idempotencyKey: 'canary-idempotency-key',
  batchFile: 'canary-batch-file',
  batchLine: 'canary-batch-line',
  batchPrompt: 'canary-batch-prompt',
  reason: 'canary-reason',
  note: 'canary-note',
  credential: 'canary-credential',
  answer: 'canary-answer',
  toolArgument: 'canary-tool-argument',
  toolResult: 'canary-tool-result',
}
type Canary = keyof typeof canaries
const names = Object.keys(canaries) as Canary[]

/** What the caller says of its calls is part of the receipts, which cannot change, and of what is counted from them. */
const labels: Location[] = [
  'calls.session',
  'calls.tags',
  'compliance_job_parts.content',
  'open_calls.draft',
  'receipts.canonical',
  'redis',
  'folded_spend_days.scope_id',
  'folded_usage_hours.tags',
  'usage_days.tags',
  'usage_deltas.session',
  'usage_deltas.tags',
  'export',
]
const remaining: Partial<Record<Canary, Location[]>> = { metadata: labels, tag: labels, session: labels }

const model = 'gpt-4o-mini'
const chat = (content: string, fields: object = {}) => ({
  model,
  max_completion_tokens: 9,
  messages: [{ role: 'user', content }],
  ...fields,
})

/** Leaves a canary in everything that takes a text of a person. */
async function live(api: Api): Promise<void> {
  await api.put('/v1/settings/content-capture', { mode: 'full', retentionDays: 30 })
  await api.post('/v1/team/members', { userId, name: canaries.firstName, email: canaries.email })
  await api.patch(`/v1/team/members/${userId}`, { name: canaries.name })
  const made = await api.post('/v1/keys', {
    ...{ name: canaries.firstKeyName, userId, metadata: { project: canaries.metadata } },
  })
  expect(made.status).toBe(201)
  const { id: keyId, key } = made.body
  await api.patch(`/v1/keys/${keyId}`, { name: canaries.keyName })
  await signIn(key)
  await askForMoney(api, key)
  await setCredential(api, key)
  await call(api, key)
  await callTool(api, key)
  await runBatch(key)
  const job = await api.post('/v1/compliance/exports')
  expect(job.status).toBe(202)
  await waitFor('the export', async () => {
    const { body } = await api.get(`/v1/compliance/jobs/${job.body.id}`)
    return body.status === 'done'
  })
}

async function signIn(key: string): Promise<void> {
  const answer = await fetch(`${gateway.service.address}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': canaries.agent },
    body: JSON.stringify({ key }),
  })
  expect(answer.status).toBe(201)
}

async function askForMoney(api: Api, key: string): Promise<void> {
  const budget = await api.post('/v1/budgets', {
    ...{ name: 'theirs', scope: { type: 'user', id: userId }, amountUsd: 5, period: 'monthly' },
  })
  const perSession = { name: 'runs', scope: { type: 'session', id: '*' }, amountUsd: 5, period: 'total' }
  expect((await api.post('/v1/budgets', perSession)).status).toBe(201)
  const perTag = { name: 'projects', scope: { type: 'tag', id: 'env=*' }, amountUsd: 5, period: 'total' }
  expect((await api.post('/v1/budgets', perTag)).status).toBe(201)
  const asked = await gateway.service.as(key).post('/v1/budgets/requests', {
    ...{ budgetId: budget.body.id, amountUsd: 3, reason: canaries.reason },
  })
  expect(asked.status).toBe(201)
  const approved = await api.post(`/v1/budgets/requests/${asked.body.id}/approve`, { note: canaries.note })
  expect(approved.status).toBe(200)
}

async function setCredential(api: Api, key: string): Promise<void> {
  const server = await api.post('/v1/mcp-servers', {
    ...{ name: 'own', url: `${gateway.upstream.url}/mcp`, open: true },
    auth: { type: 'header', header: 'x-own' },
  })
  const set = await gateway.service
    .as(key)
    .put(`/v1/mcp-servers/${server.body.id}/credential`, { value: canaries.credential })
  expect(set.status).toBe(200)
}

async function call(api: Api, key: string): Promise<void> {
  await api.post('/v1/policies', {
    ...{ name: 'no', kind: 'keywords', action: 'block', phase: 'input', config: { words: ['forbidden'] } },
  })
  await api.post('/v1/routes', {
    ...{ name: 'kept', strategy: 'priority', targets: [{ model: `openai/${model}` }] },
    cache: { ttlSeconds: 600, scope: 'key' },
  })
  const send = async (body: object, headers: Record<string, string> = {}) => {
    const labels = { 'x-tallystick-session': canaries.session, 'x-tallystick-tags': `env=${canaries.tag}` }
    const response = await gateway.send('/v1/chat/completions', body, {
      key,
      headers: { ...labels, ...headers },
    })
    await response.text()
    return response.status
  }
  expect(await send(chat(canaries.prompt))).toBe(200)
  expect(await send(chat(canaries.prompt, { stream: true }))).toBe(200)
  expect(await send(chat(canaries.repeated), { 'idempotency-key': canaries.idempotencyKey })).toBe(200)
  expect(await send({ ...chat(canaries.cached), model: 'kept' })).toBe(200)
  const endpoint = await createEndpoint(api, { url: `${gateway.upstream.url}/hook` })
  expect(await send(chat(`forbidden ${canaries.blocked}`))).toBe(403)
  await waitForDelivery(api, endpoint.id, 'delivered')
}

async function callTool(api: Api, key: string): Promise<void> {
  await addMcpServer(api, tools, { name: 'words' })
  const url = `${gateway.service.address}/mcp/words`
  const headers = { ...(await initialize(url, key)), 'x-tallystick-session': canaries.session }
  const params = { name: 'echo', arguments: { text: canaries.toolArgument } }
  const { text } = await postRpc(url, key, rpc(1, 'tools/call', params), headers)
  expect(text).toContain(canaries.toolResult)
}

async function runBatch(key: string): Promise<void> {
  const client = new OpenAI({ apiKey: key, baseURL: `${gateway.service.address}/v1`, maxRetries: 0 })
  const line = {
    ...{ custom_id: canaries.batchLine, method: 'POST', url: '/v1/chat/completions' },
    body: chat(canaries.batchPrompt),
  }
  const file = await toFile(Buffer.from(JSON.stringify(line)), `${canaries.batchFile}.jsonl`)
  const { id } = await client.files.create({ file, purpose: 'batch' })
  await client.batches.create({
    ...{ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' },
  })
}

/** Every place that holds a canary. */
async function findCanaries(): Promise<Record<Canary, Location[]>> {
  const { database, dataDir, api } = gateway.service
  const texts = Object.values(canaries)
  const exported: string = (await api.get('/v1/compliance/export')).body
  const found: Finding[] = [
    ...(await findInDatabase(database, texts)),
    ...(await findInFiles(dataDir, texts)),
    ...(redis === null ? [] : await findInRedis(redis.client, texts)),
    ...texts.filter((text) => exported.includes(text)).map((text): Finding => [text, 'export']),
  ]
  const placesOf = (canary: Canary) =>
    found.filter(([text]) => text === canaries[canary]).map(([, place]) => place)
  return Object.fromEntries(names.map((canary) => [canary, placesOf(canary)])) as Record<Canary, Location[]>
}

/** How many rows of a person have content, which is sealed. */
async function countSealed(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, where] of Object.entries({
    call_content: 'user_id = $1',
    cached_answers: 'user_id = $1',
    idempotent_calls: 'user_id = $1 and sealed is not null',
    batch_files: 'user_id = $1',
    batches: 'user_id = $1 and length(sealed) > 0',
    mcp_credentials: `subject = 'user:' || $1`,
    receipts: `canonical::json ->> 'user' = $1 and commitment_key is not null`,
  })) {
    const [row] = await gateway.service.database.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${where}`,
      [userId],
    )
    counts[table] = row?.count ?? 0
  }
  return counts
}

test('after an erasure nothing is left of a person but their id and what receipts say', async () => {
  const { api } = gateway.service
  await live(api)
  await waitFor('the content and the answers that are kept', async () =>
    Object.values(await countSealed()).every((count) => count > 0),
  )
  const inPlain: Canary[] = [
    'firstName',
    'name',
    'email',
    'firstKeyName',
    'keyName',
    'metadata',
    'agent',
    'reason',
  ]
  const before = await findCanaries()
  for (const canary of inPlain) expect([canary, before[canary]]).not.toEqual([canary, []])

  expect((await api.post('/v1/compliance/erasures', { userId })).status).toBe(201)

  expect(Object.values(await countSealed()).every((count) => count === 0)).toBe(true)
  const after = await findCanaries()
  for (const canary of names)
    after[canary] = after[canary].filter((place) => !(remaining[canary] ?? []).includes(place))
  expect(after).toEqual(Object.fromEntries(names.map((canary) => [canary, []])))
})
