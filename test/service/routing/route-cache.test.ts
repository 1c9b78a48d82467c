import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { deleteExpired } from '../../../packages/service/src/resources/response-cache/store.js'
import { sendJson, startEvents, startUpstream } from '../../harness/providers/upstream.js'
import { chatAnswer, chatChunk, messageAnswer } from '../../harness/providers/vendor-answers.js'
import { verifyRecord } from '../../harness/record/record.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'
import { addTenant } from '../../harness/service/tenant.js'
import { answerChat } from '../../harness/service/traffic.js'

let gateway: TestGateway
let made = 0

beforeAll(async () => {
  // It names answers that were made elsewhere.
  gateway = await startTestGateway({
    providers: (url) => ({
      openai: { type: 'openai', baseUrl: `${url}/v1`, apiKey: 'sk-upstream', references: 'any' },
    }),
  })
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
  gateway.upstream.answerWith(answerChat)
})

const path = '/v1/chat/completions'

/** Each route has a time of its own, by which its answers are told from those of others. */
const ttlOf = new Map<string, number>()

/** A route with a cache; its name is new, and so is what `ask` asks by it. */
async function makeRoute(fields: Record<string, unknown> = {}, scope = 'tenant') {
  const name = `kept-${++made}`
  const ttlSeconds = 3_600 + made
  ttlOf.set(name, ttlSeconds)
  const { status, body } = await gateway.service.api.post('/v1/routes', {
    name,
    targets: [{ model: 'gpt-4o-mini' }],
    cache: { ttlSeconds, scope },
    ...fields,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const asked = { model: name, messages: [{ role: 'user', content: `Question ${made}` }] }
  return { id: body.id, name, asked }
}

const countRows = async () =>
  (
    await gateway.service.database.query<{ count: number }>(
      'select count(*)::int as count from cached_answers',
    )
  )[0]?.count ?? 0

/** How many answers of a route are kept. Those of other routes may still be on their way. */
const countKept = async (route: string) =>
  (
    await gateway.service.database.query(
      'select from cached_answers where expires_at - created_at = make_interval(secs => $1)',
      [ttlOf.get(route)],
    )
  ).length

async function ask(
  body: object,
  options: { key?: string; path?: string; headers?: Record<string, string> } = {},
) {
  const response = await gateway.send(options.path ?? path, body, options)
  const text = await response.text()
  return { response, status: response.status, cache: response.headers.get('x-tallystick-cache'), text }
}

/** Asks for the first time, and waits until the answer is kept. */
async function askAndKeep(
  body: { model: string } & Record<string, unknown>,
  options: Parameters<typeof ask>[1] = {},
) {
  const before = await countKept(body.model)
  const first = await ask(body, options)
  expect(first).toMatchObject({ status: 200, cache: 'miss' })
  await waitFor('the answer to be kept', async () => (await countKept(body.model)) === before + 1)
  return first
}

test.each([
  ['a plain answer', {}],
  ['a stream', { stream: true }],
])('%s is given again, byte for byte, for nothing', async (_, fields) => {
  const { name, asked } = await makeRoute()
  const body = { ...asked, ...fields }
  const first = await askAndKeep(body)
  const again = await ask(body)
  expect(again).toMatchObject({ status: 200, cache: 'hit', text: first.text })
  expect(again.response.headers.get('content-type')).toBe(first.response.headers.get('content-type'))
  expect(gateway.upstream.seen).toHaveLength(1)

  const [missed, hit] = [await gateway.receiptOf(first.response), await gateway.receiptOf(again.response)]
  expect(missed).toMatchObject({ outcome: 'ok', route: name, inputTokens: 7, outputTokens: 3 })
  expect(missed).not.toHaveProperty('cache')
  expect(missed.costNanos).toBeGreaterThan(0)
  expect(hit).toMatchObject({
    outcome: 'ok',
    cache: 'hit',
    route: name,
    model: missed.model,
    inputTokens: 0,
    outputTokens: 0,
    costNanos: 0,
  })
  expect((await verifyRecord(gateway.service.database)).fault).toBeNull()
})

test('a route without a cache keeps nothing', async () => {
  const { asked } = await makeRoute({ cache: null })
  const before = await countRows()
  expect(await ask(asked)).toMatchObject({ status: 200, cache: null })
  expect(await ask(asked)).toMatchObject({ status: 200, cache: null })
  expect(gateway.upstream.seen).toHaveLength(2)
  expect(await countRows()).toBe(before)
})

describe('the same request', () => {
  test('is the same in another order, with other white space, and in another spelling of the same text', async () => {
    const { name, asked } = await makeRoute()
    await askAndKeep({ ...asked, temperature: 0.5, user: 'é' })
    const [message] = asked.messages
    const spelt = `{ "user": "\\u00e9", "temperature": 5e-1,\n "messages": [{"content":${JSON.stringify(message?.content)}, "role": "user"}], "model": "${name}" }`
    const response = await gateway.send(path, spelt)
    expect(response.headers.get('x-tallystick-cache')).toBe('hit')
    await response.text()
  })

  test.each([
    ['temperature', { temperature: 0.1 }],
    ['n', { n: 2 }],
    ['a null', { stop: null }],
    ['a stream', { stream: true }],
    ['the user', { user: 'somebody' }],
  ])('is another with another %s', async (_, fields) => {
    const { asked } = await makeRoute()
    await askAndKeep(asked)
    expect((await ask({ ...asked, ...fields })).cache).toBe('miss')
    expect(gateway.upstream.seen).toHaveLength(2)
  })

  test('is another with another header for the provider, or another query', async () => {
    const { asked } = await makeRoute()
    await askAndKeep(asked)
    expect((await ask(asked, { headers: { 'openai-beta': 'more=v1' } })).cache).toBe('miss')
    expect((await ask(asked, { path: `${path}?beta=true` })).cache).toBe('miss')
  })

  test('is another at another model of the route', async () => {
    const { id, asked } = await makeRoute()
    await askAndKeep(asked)
    const changed = await gateway.service.api.patch(`/v1/routes/${id}`, { targets: [{ model: 'gpt-4o' }] })
    expect(changed.status).toBe(200)
    expect((await ask(asked)).cache).toBe('miss')
    expect(gateway.upstream.seen.map(({ body }) => body.model)).toEqual(['gpt-4o-mini', 'gpt-4o'])
  })

  test('has what a stored prompt says in it, not its name', async () => {
    const { asked } = await makeRoute()
    const { body: prompt } = await gateway.service.api.post('/v1/prompts', {
      name: `P ${made}`,
      content: 'Be {{how}}',
    })
    const withPrompt = (how: string) => ({ ...asked, prompt: { id: prompt.id, variables: { how } } })
    await askAndKeep(withPrompt('brief'))
    expect((await ask(withPrompt('brief'))).cache).toBe('hit')
    expect((await ask(withPrompt('kind'))).cache).toBe('miss')
  })
})

describe('who shares an answer', () => {
  test.each([
    ['key', ['hit', 'miss', 'miss', 'miss']],
    ['team', ['hit', 'hit', 'miss', 'miss']],
    ['tenant', ['hit', 'hit', 'hit', 'hit']],
  ])('by %s', async (scope, expected) => {
    const { asked } = await makeRoute({}, scope)
    const teams = await Promise.all(
      ['a', 'b'].map(
        async (name) =>
          (await gateway.service.api.post('/v1/team/teams', { name: `${name} ${made}`, budgetPoolUsd: 100 }))
            .body.id,
      ),
    )
    const own = await gateway.key({ teamId: teams[0] })
    await askAndKeep(asked, { key: own })
    const others = [
      await gateway.key({ teamId: teams[0] }),
      await gateway.key({ teamId: teams[1] }),
      await gateway.key(),
    ]
    const found: (string | null)[] = []
    for (const key of [own, ...others]) found.push((await ask(asked, { key })).cache)
    expect(found).toEqual(expected)
  })
})

test('nothing is shared with another tenant, whatever its route is called', async () => {
  const { name, asked } = await makeRoute()
  const other = await addTenant(gateway.service, name)
  const route = { name, targets: [{ model: 'gpt-4o-mini' }], cache: { ttlSeconds: 3_600, scope: 'tenant' } }
  expect((await other.api.post('/v1/routes', route)).status).toBe(201)
  await askAndKeep(asked)
  expect((await ask(asked, { key: other.managerKey })).cache).toBe('miss')
  expect(gateway.upstream.seen).toHaveLength(2)
})

describe('a hit is governed as every call is', () => {
  test('it needs no money and no tokens, but a place among the requests of its minute', async () => {
    const { asked } = await makeRoute()
    const body = { ...asked, max_completion_tokens: 10 }
    await askAndKeep(body)
    const { body: poor } = await gateway.service.api.post('/v1/keys', {
      name: 'poor',
      rpmLimit: 2,
      tpmLimit: 1,
    })
    await gateway.service.api.post('/v1/budgets', {
      name: 'Nothing',
      scope: { type: 'key', id: poor.id },
      amountUsd: 0.000001,
      period: 'monthly',
    })
    expect(await ask(body, { key: poor.key })).toMatchObject({ status: 200, cache: 'hit' })
    expect(await ask(body, { key: poor.key })).toMatchObject({ status: 200, cache: 'hit' })
    expect((await ask(body, { key: poor.key })).status).toBe(429)
  })

  test('a key that may not use the model gets nothing', async () => {
    const { asked } = await makeRoute()
    await askAndKeep(asked)
    const narrow = await gateway.key({ allowedModels: ['mock/echo'] })
    expect((await ask(asked, { key: narrow })).status).toBe(403)
  })

  test('policies are part of what must be the same', async () => {
    const { asked } = await makeRoute()
    await askAndKeep(asked)
    await createKeyWithPolicies(gateway, [
      { kind: 'keywords', action: 'flag', config: { words: ['elsewhere'] } },
    ])
    expect((await ask(asked)).cache).toBe('miss')
  })

  test('a guardrail that changes its mind is asked again, about the answer from the cache too', async () => {
    let verdict: object = { violation: false }
    const guardrail = await startUpstream((_, response) => sendJson(response, 200, verdict))
    const { asked } = await makeRoute()
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'http', phase: 'output', action: 'block', config: { url: guardrail.url, timeoutMs: 10_000 } },
    ])
    const first = await askAndKeep(asked, { key })
    expect(first.status).toBe(200)
    verdict = { violation: true, reason: 'not any more' }
    const again = await ask(asked, { key })
    expect(again).toMatchObject({ status: 403, cache: 'hit' })
    expect(await gateway.receiptOf(again.response)).toMatchObject({
      outcome: 'blocked',
      cache: 'hit',
      costNanos: 0,
    })
    expect(gateway.upstream.seen).toHaveLength(1)
    await guardrail.close()
  })
})

describe('what is not kept', () => {
  const responses = { path: '/v1/responses' }

  test.each<[string, object, { path?: string }]>([
    ['a response that the provider keeps', { input: 'Hi' }, responses],
    [
      'one that goes on from another',
      { input: 'Hi', store: false, previous_response_id: 'resp_1' },
      responses,
    ],
    ['an answer that the caller has the provider keep', { store: true }, {}],
    [
      'one about a file that the provider keeps',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] },
      {},
    ],
    ['an answer with a hosted tool', { web_search_options: {} }, {}],
  ])('%s', async (_, fields, options) => {
    const { asked } = await makeRoute()
    const { messages, ...base } = asked
    const body = 'input' in fields ? { ...base, ...fields } : { ...base, messages, ...fields }
    expect((await ask(body, options)).cache).toBeNull()
    await ask(body, options)
    expect(gateway.upstream.seen).toHaveLength(2)
  })

  test.each<[string, Parameters<TestGateway['upstream']['answerWith']>[0]]>([
    ['an error', (_, response) => sendJson(response, 400, { error: { message: 'no' } })],
    [
      'a stream that broke off',
      (_, response) => {
        startEvents(response)(chatChunk({ content: 'half' }))
        response.destroy()
      },
    ],
    [
      'an answer of more than 1 MiB',
      (_, response) => sendJson(response, 200, chatAnswer({ content: 'x'.repeat(1024 * 1024) })),
    ],
  ])('%s', async (_, script) => {
    const { asked } = await makeRoute({ retry: { attempts: 0, on: [] } })
    const { asked: next } = await makeRoute()
    const body = { ...asked, stream: script.toString().includes('startEvents') }
    gateway.upstream.answerWith(script)
    expect((await ask(body)).cache).toBe('miss')
    gateway.upstream.answerWith(answerChat)
    // Answers are kept one after the other: when this one is, the other would be.
    await askAndKeep(next)
    expect((await ask(body)).cache).toBe('miss')
  })

  test('an answer that a policy changed', async () => {
    const { asked } = await makeRoute()
    const { asked: next } = await makeRoute()
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', phase: 'output', action: 'redact', config: { entities: ['email'] } },
    ])
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'Write to jane.roe@example.com' })),
    )
    const first = await ask(asked, { key })
    expect(first.text).not.toContain('jane.roe')
    expect(await gateway.receiptOf(first.response)).toMatchObject({ outcome: 'redacted' })
    gateway.upstream.answerWith(answerChat)
    await askAndKeep(next)
    expect((await ask(asked, { key })).cache).toBe('miss')
  })

  test('an answer that was shortened to what there was money for', async () => {
    const { asked } = await makeRoute()
    const { asked: next } = await makeRoute()
    const { body: poor } = await gateway.service.api.post('/v1/keys', { name: 'short of money' })
    await gateway.service.api.post('/v1/budgets', {
      name: 'Little',
      scope: { type: 'key', id: poor.id },
      amountUsd: 0.0005,
      period: 'monthly',
    })
    expect(await ask({ ...asked, max_completion_tokens: 10_000 }, { key: poor.key })).toMatchObject({
      status: 200,
      cache: 'miss',
    })
    expect(gateway.upstream.seen[0]?.body.max_completion_tokens).toBeLessThan(10_000)
    await askAndKeep(next)
    expect((await ask({ ...asked, max_completion_tokens: 10_000 })).cache).toBe('miss')
  })
})

describe('what is kept', () => {
  test('has no plain text', async () => {
    const { asked } = await makeRoute()
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'a private answer' })),
    )
    await askAndKeep({ ...asked, user: 'a private question' })
    const rows = await gateway.service.database.query<{ sealed: Buffer }>(
      'select sealed from cached_answers union select sealed from cache_keys',
    )
    for (const { sealed } of rows)
      expect(sealed.toString('latin1')).not.toMatch(/private|Counted|application/)
  })

  test('ends with its time, and when the time of its route is shortened', async () => {
    const { id, asked } = await makeRoute()
    await askAndKeep(asked)
    const age = (seconds: number) =>
      gateway.service.database.query(
        `update cached_answers set created_at = created_at - make_interval(secs => $1), expires_at = expires_at - make_interval(secs => $1)`,
        [seconds],
      )
    await age(1_000)
    expect((await ask(asked)).cache).toBe('hit')
    await gateway.service.api.patch(`/v1/routes/${id}`, { cache: { ttlSeconds: 600, scope: 'tenant' } })
    expect((await ask(asked)).cache).toBe('miss')
    await age(3_600)
    const { db, close } = openDatabase(gateway.service.database.url, () => undefined)
    while (await deleteExpired(db));
    await close()
    await waitFor('the answers to be deleted', async () => (await countRows()) <= 1)
  })

  test('goes with the data of the user whose call it was, for everybody', async () => {
    const { asked } = await makeRoute()
    const key = await gateway.key({ userId: 'erika' })
    await askAndKeep(asked, { key })
    expect((await ask(asked)).cache).toBe('hit')
    expect((await gateway.service.api.post('/v1/compliance/erasures', { userId: 'erika' })).body.status).toBe(
      'done',
    )
    expect((await ask(asked)).cache).toBe('miss')
  })

  test('is of no use in another row: it opens in its own place alone', async () => {
    const { asked } = await makeRoute()
    const { asked: other } = await makeRoute()
    await askAndKeep(asked)
    await askAndKeep(other)
    await gateway.service.database.query(
      'update cached_answers set sealed = (select sealed from cached_answers order by created_at desc limit 1)',
    )
    expect((await ask(asked)).cache).toBe('miss')
    expect((await ask(other)).cache).toBe('hit')
  })
})

test('other dialects are kept too', async () => {
  const { name } = await makeRoute({ targets: [{ model: 'claude-sonnet-4-6' }] })
  gateway.upstream.answerWith((_, response) =>
    sendJson(response, 200, messageAnswer([{ type: 'text', text: 'Kept' }])),
  )
  const body = { model: name, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
  const first = await askAndKeep(body, { path: '/v1/messages' })
  expect(await ask(body, { path: '/v1/messages' })).toMatchObject({ cache: 'hit', text: first.text })
})
