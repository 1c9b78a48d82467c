import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { anthropicError, chatAnswer, chatChunk, openAiError } from '../../harness/providers/vendor-answers.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    // Servers of one's own have keys that look like nothing in particular.
    providers: (url) => ({
      house: {
        ...{ type: 'vllm', baseUrl: `${url}/house`, apiKey: 'hunter2-of-the-house', pricesOf: 'openai' },
        headers: { 'x-gate': 'open-sesame-7' },
      },
    }),
  })
})
afterAll(() => gateway.stop())

const chat = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }
const path = '/v1/chat/completions'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
const errorOf = async (response: Response): Promise<any> => JSON.parse(await response.text()).error

async function keyWith(fields: Record<string, unknown> = {}) {
  const { body } = await gateway.service.api.post('/v1/keys', { name: 'Key', ...fields })
  return { id: String(body.id), value: String(body.key) }
}

async function spentBudget(scope: { type: string; id: string }) {
  const { body } = await gateway.service.api.post('/v1/budgets', {
    name: `Budget of ${scope.id}`,
    scope,
    amountUsd: 0.000001,
  })
  return body
}

describe('a call over its budget', () => {
  test('is told which budget', async () => {
    const key = await keyWith()
    const budget = await spentBudget({ type: 'key', id: key.id })
    const response = await gateway.send(path, chat, { key: key.value })
    expect(response.status).toBe(402)
    const error = await errorOf(response)
    expect(error).toMatchObject({
      type: 'budget_exceeded',
      budget: { id: budget.id, name: budget.name, scope: { type: 'key', id: key.id } },
    })
    expect(error.message).toContain(`"${budget.name}" (${budget.id})`)
  })

  test('is told of the pool of its team and the cap of its user', async () => {
    const { body: team } = await gateway.service.api.post('/v1/team/teams', {
      name: 'Poor',
      budgetPoolUsd: 0,
    })
    const ofTeam = await gateway.send(path, chat, { key: (await keyWith({ teamId: team.id })).value })
    expect((await errorOf(ofTeam)).budget).toEqual({
      id: null,
      name: 'The pool of team "Poor"',
      scope: { type: 'team', id: team.id },
    })
    const { value } = await keyWith({ userId: 'poor-user' })
    await gateway.service.api.patch('/v1/user-limits/poor-user', { budgetCapUsd: 0 })
    const ofUser = await gateway.send(path, chat, { key: value })
    expect((await errorOf(ofUser)).budget).toEqual({
      id: null,
      name: 'The cap of user "poor-user"',
      scope: { type: 'user', id: 'poor-user' },
    })
  })

  test('of a model that it may never use is told that first', async () => {
    const listed = await keyWith({ allowedModels: ['gpt-4o'] })
    await spentBudget({ type: 'key', id: listed.id })
    const response = await gateway.send(path, chat, { key: listed.value })
    expect([response.status, (await errorOf(response)).type]).toEqual([403, 'model_not_allowed'])
  })

  test('of a model that a policy forbids is told that first, and the receipt has the check', async () => {
    const { key, keyId } = await createKeyWithPolicies(gateway, [
      { kind: 'model_denylist', config: { models: ['gpt-4o*'] } },
    ])
    await spentBudget({ type: 'key', id: keyId })
    const response = await gateway.send(path, chat, { key })
    expect([response.status, (await errorOf(response)).type]).toEqual([403, 'model_not_allowed'])
    const { checks } = await gateway.receiptOf(response)
    expect(checks).toContainEqual(expect.objectContaining({ name: 'model_denylist', result: 'fail' }))
    expect(checks).toContainEqual(expect.objectContaining({ name: 'budget', result: 'fail' }))
  })
})

test('a dry run does not say that a budget which it did not ask has room', async () => {
  const key = await keyWith({ rpmLimit: 5 })
  await spentBudget({ type: 'key', id: key.id })
  const { body } = await gateway.service.api.post('/v1/policies/evaluate', { keyId: key.id, ...chat })
  expect(body.checks).toContainEqual({ name: 'budget', applicable: true, result: 'skip' })
  expect(body.checks).toContainEqual({ name: 'rate_limit', applicable: true, result: 'skip' })
})

test('a body that is too large is told the limit', async () => {
  const key = await gateway.key()
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': 33 * 1024 * 1024,
  }
  const sent = request(`${gateway.service.address}${path}`, { method: 'POST', headers })
  sent.flushHeaders()
  const [large] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of large) chunks.push(chunk)
  sent.on('error', () => undefined).destroy()
  expect(large.statusCode).toBe(413)
  expect(Buffer.concat(chunks).toString()).toContain('larger than 32 MiB')
  const managed = await gateway.service.api.post('/v1/prompts', { name: 'x'.repeat(1_100_000) })
  expect([managed.status, managed.body.error.message]).toEqual([413, expect.stringContaining('1 MiB')])
})

describe('an error of the provider', () => {
  test('about our own key does not show any of it', async () => {
    const key = await gateway.key()
    const message = 'Incorrect API key provided: sk-proj-****7f3a. Your organization is org-9kAb3xYz12.'
    gateway.upstream.answerWith((_, response) => {
      sendJson(response, 401, openAiError('invalid_request_error', message, 'invalid_api_key'))
    })
    const response = await gateway.send(path, chat, { key })
    expect(response.status).toBe(401)
    expect(await response.text()).toMatch(
      /^(?!.*(7f3a|org-|Incorrect)).*openai refused this service's own key/s,
    )

    gateway.upstream.answerWith((_, response) => {
      sendJson(response, 401, anthropicError('authentication_error', 'invalid x-api-key sk-ant-7f3a'))
    })
    const body = { model: 'claude-sonnet-4-6', max_tokens: 9, messages: chat.messages }
    const other = await gateway.send('/v1/messages', body, { key })
    expect(await other.text()).toMatch(/^\{"type":"error"(?!.*7f3a).*refused this service's own key/s)
  })

  test('about a rate keeps its words, without the account', async () => {
    const key = await gateway.key()
    const message = 'Rate limit reached for gpt-4o-mini in organization org-9kAb3xYz12 on tokens per min.'
    gateway.upstream.answerWith((_, response) => {
      sendJson(response, 429, openAiError('tokens', message, 'rate_limit_exceeded'))
    })
    const response = await gateway.send(path, chat, { key })
    expect(response.status).toBe(429)
    expect((await errorOf(response)).message).toBe(
      'Rate limit reached for gpt-4o-mini in [hidden] on tokens per min.',
    )
  })

  test.each([400, 403, 404, 429, 500])('does not repeat what it was sent as proof: %s', async (status) => {
    gateway.upstream.answerWith(({ headers }, response) => {
      const sent = `${headers.authorization} ${headers['x-gate']}`
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': sent })
      response.end(JSON.stringify(openAiError('bad_request', `Cannot read ${sent}`)))
    })
    const response = await gateway.send(path, { ...chat, model: 'house/gpt-4o-mini' })
    expect(response.status).toBe(status)
    expect((await errorOf(response)).message).toBe('Cannot read Bearer [hidden] [hidden]')
    expect(JSON.stringify([...response.headers])).not.toMatch(/hunter2|sesame/)
  })

  test('is judged as an answer is', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' },
    ])
    gateway.upstream.answerWith((_, response) => {
      sendJson(response, 400, openAiError('invalid_request_error', 'You asked about nightfall'))
    })
    const response = await gateway.send(path, chat, { key })
    expect([response.status, (await errorOf(response)).type]).toEqual([403, 'policy_violation'])

    gateway.upstream.answerWith((_, response) => void response.writeHead(502).end('<p>nightfall</p>'))
    const page = await gateway.send(path, chat, { key })
    expect(page.status).toBe(502)
    expect(await page.text()).not.toContain('nightfall')
  })
})

test('an answer that is said to be compressed and is not reaches its caller as what it is', async () => {
  const { key: judged } = await createKeyWithPolicies(gateway, [
    { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' },
  ])
  gateway.upstream.answerWith((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(JSON.stringify(chatAnswer({ content: 'plain' })))
  })
  for (const key of [await gateway.key(), judged]) {
    const response = await gateway.send(path, chat, { key })
    expect(await response.text()).toContain('plain')
  }
})

describe('a caller that may no longer call', () => {
  const endings = [
    ['whose key is revoked', (id: string) => gateway.service.api.delete(`/v1/keys/${id}`), 'unauthorized'],
    [
      'whose user is suspended',
      (_: string, userId: string) =>
        gateway.service.api.patch(`/v1/user-limits/${userId}`, { status: 'suspended' }),
      'user_suspended',
    ],
  ] as const

  test.each(endings)('%s gets no more of its streams', async (_what, end, type) => {
    const userId = `streamer-${type}`
    const key = await keyWith({ userId })
    let goesOn = true
    gateway.upstream.answerWith(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.on('close', () => {
        goesOn = false
      })
      while (goesOn) {
        response.write(`data: ${JSON.stringify(chatChunk({ content: 'more ' }))}\n\n`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    const response = await gateway.send(path, { ...chat, stream: true }, { key: key.value })
    const reader = response.body?.getReader()
    await reader?.read()
    expect([200, 204]).toContain((await end(key.id, userId)).status)
    // The stream would never end otherwise.
    let rest = ''
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      rest += Buffer.from(next.value).toString()
    expect(rest).toContain(`"type":"${type}"`)
    let receipt = await gateway.nextReceipt()
    while (receipt.key !== key.id) receipt = await gateway.nextReceipt()
    expect(receipt).toMatchObject({ outcome: 'aborted' })
  })

  test('does not see a plain answer that comes after that, and it is paid', async () => {
    const key = await keyWith()
    let answer = () => undefined as unknown
    const asked = new Promise<void>((resolve) => {
      gateway.upstream.answerWith(({ body }, response) => {
        if (body.stream === true) {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(`data: ${JSON.stringify(chatChunk({ content: 'more ' }))}\n\n`)
          return
        }
        answer = () => sendJson(response, 200, chatAnswer({ content: 'a secret' }))
        resolve()
      })
    })
    const sent = gateway.send(path, chat, { key: key.value })
    const stream = await gateway.send(path, { ...chat, stream: true }, { key: key.value })
    await asked
    await gateway.service.api.delete(`/v1/keys/${key.id}`)
    // When its stream has ended, what it has under way was looked at.
    expect(await stream.text()).toContain('unauthorized')
    answer()
    const response = await sent
    expect(response.status).toBe(401)
    expect(await response.text()).not.toContain('a secret')
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'aborted', usage: 'provider' })
  })
})
