import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import {
  anthropicError,
  chatAnswer,
  messageAnswer,
  messageEvents,
  messageModel,
  openAiError,
  textBlock,
} from '../../harness/providers/vendor-answers.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// What coding agents need: nothing of a call may change on its way, or the provider's cache misses and features are lost.

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      versioned: { type: 'openai', baseUrl: `${url}/x?api-version=2026-01-01` },
      subscribed: { type: 'anthropic', baseUrl: `${url}/sub`, auth: 'caller' },
    }),
    models: {
      dated: { provider: 'versioned', model: 'gpt-4o-mini', price: 'free' },
      'own-claude': { provider: 'subscribed', model: messageModel, price: 'free' },
    },
  })
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
  gateway.upstream.answerWith(({ path }, response) => {
    if (path.includes('/messages')) sendJson(response, 200, messageAnswer([{ type: 'text', text: 'Hi' }]))
    else sendJson(response, 200, chatAnswer({ content: 'Hi' }))
  })
})

const seen = () => gateway.upstream.seen.at(-1)
const turns = [{ role: 'user', content: 'Hello!' }]
const message = { model: messageModel, max_tokens: 50, messages: turns }
const chat = { model: 'gpt-4o-mini', messages: turns }

async function expectRefused(response: Response, status: number, type: string, words: RegExp): Promise<void> {
  const { error } = JSON.parse(await response.text())
  expect({ status: response.status, type: error.type }).toEqual({ status, type })
  expect(error.message).toMatch(words)
  expect(gateway.upstream.seen).toHaveLength(0)
}

describe('headers of the vendors', () => {
  const open = {
    'anthropic-beta': 'claude-code-20250219,effort-2025-11-24',
    'anthropic-version': '2023-06-01',
    'anthropic-dangerous-direct-browser-access': 'true',
    'anthropic-something-new': 'on',
    'openai-beta': 'responses=experimental',
    'openai-something-new': 'on',
  }

  test.each([
    ['/v1/messages', message],
    ['/v1/chat/completions', chat],
  ])('reach the provider of %s, also those that nobody knows yet', async (path, body) => {
    expect((await gateway.send(path, body, { headers: open })).status).toBe(200)
    expect(seen()?.headers).toMatchObject(open)
  })

  test('do not where they name an account, and what clients say of themselves stays here', async () => {
    const kept = {
      'openai-organization': 'org-1',
      'openai-project': 'proj_1',
      'anthropic-workspace-id': 'wrkspc_1',
      'anthropic-organization-id': '0b1f',
      'anthropic-user-profile-id': 'up_1',
      'anthropic-api-key': 'sk-ant-1',
      anthropic_beta: 'x',
      'user-agent': 'claude-cli/2.1.325 (external, sdk-cli)',
      'x-app': 'cli',
      'x-stainless-lang': 'js',
      'x-claude-code-session-id': '29866420-7d96-4dc6-ad54-0da128c24f6a',
      'x-codex-turn-metadata': '{}',
      cookie: 'a=b',
    }
    for (const [path, body] of [
      ['/v1/messages', message],
      ['/v1/chat/completions', chat],
    ] as const)
      expect((await gateway.send(path, body, { headers: kept })).status).toBe(200)
    for (const { headers } of gateway.upstream.seen)
      for (const [name, value] of Object.entries(kept)) expect(headers[name]).not.toBe(value)
  })

  test('do not where a client put its virtual key into one', async () => {
    const key = await gateway.key()
    const names = ['accept', 'anthropic-beta', 'anthropic-version', 'openai-beta', 'openai-new', 'tracestate']
    for (const name of names) {
      const headers = { [name]: name === 'tracestate' ? `a=${key}` : key }
      expect((await gateway.send('/v1/chat/completions', chat, { headers })).status).toBe(200)
    }
    expect(gateway.upstream.seen).toHaveLength(names.length)
    expect(JSON.stringify(gateway.upstream.seen.map(({ headers }) => headers))).not.toContain(key)
  })

  test.each([
    ['in a value', { 'openai-note': 'of Bluebird' }],
    ['in a name', { 'openai-bluebird': 'x' }],
  ])('are judged: what must not go out is not sent %s', async (_, headers) => {
    const policies = [{ kind: 'keywords', config: { words: ['bluebird'] }, action: 'redact' }]
    const { key } = await createKeyWithPolicies(gateway, policies)
    const response = await gateway.send('/v1/chat/completions', chat, { key, headers })
    await expectRefused(response, 403, 'policy_violation', /./)
  })
})

describe('the query', () => {
  test('goes to the provider as it is', async () => {
    for (const query of ['beta=true', 'beta=true&client_version=0.166.0&a=b%20c+d']) {
      expect((await gateway.send(`/v1/messages?${query}`, message)).status).toBe(200)
      expect(seen()?.path).toBe(`/v1/messages?${query}`)
    }
    expect((await gateway.send('/v1/chat/completions?', chat)).status).toBe(200)
    expect(seen()?.path).toBe('/v1/chat/completions')
  })

  test.each(['api-version=1999', 'api%2Dversion=1999', 'API-Version=1999'])(
    'does not replace what the base URL says: %s',
    async (query) => {
      const response = await gateway.send(`/v1/chat/completions?${query}&b=2`, { ...chat, model: 'dated' })
      expect(response.status).toBe(200)
      expect(seen()?.path).toBe('/x/chat/completions?api-version=2026-01-01&b=2')
    },
  )

  test.each([
    ['key=AIza1', /^key: .*headers/],
    ['api_key=sk-1', /^api_key: /],
    ['%61pi-key=sk-1', /headers/],
    ['access_token=x', /^access_token: /],
    ['X-Amz-Signature=x', /headers/],
    ['a=tallystick_sk_x', /virtual key/],
    ['$httpHeaders=authorization:x', /not a valid part of a URL/],
    ['%24httpHeaders=x', /characters that are not forwarded/],
    ['a=1;key=2', /not a valid part of a URL/],
    ['a=%zz', /not a valid part of a URL/],
    ['model=gpt-4o', /^model: belongs into the body/],
    ['Max_Tokens=5', /^Max_Tokens: belongs into the body/],
    ['base_url=http://x', /^base_url: belongs into the body/],
    [`a=${'b'.repeat(2_048)}`, /longer than/],
  ])('is refused with %s in it', async (query, words) => {
    const response = await gateway.send(`/v1/chat/completions?${query}`, chat)
    await expectRefused(response, 400, 'invalid_request', words)
  })

  test.each(['note=of%20%42luebird', 'bluebird=x'])('is judged: %s is not sent', async (query) => {
    for (const action of ['block', 'redact']) {
      const policies = [{ kind: 'keywords', config: { words: ['bluebird'] }, action }]
      const { key } = await createKeyWithPolicies(gateway, policies)
      const response = await gateway.send(`/v1/chat/completions?${query}`, chat, { key })
      await expectRefused(response, 403, 'policy_violation', /./)
    }
  })
})

describe('the body', () => {
  /** Written by hand, as no serializer would: order, spaces, escapes and numbers must stay. */
  const system = (text: string) => `[
    {"type":"text","text":"You are \\u0043laude Code.  caf\\u00e9 ☕ \\/ \\"quoted\\""},
    {"cache_control" : {"type":"ephemeral","ttl":"1h"},"text":${JSON.stringify(text)},"type":"text"} ]`
  const body = (text: string) =>
    `{ "max_tokens":50 ,"tools":[{"name":"Bash","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}],
  "system":${system(text)},
  "metadata":{"user_id":"a"},"temperature":1.0, "model":"${messageModel}",
  "messages":[{"role":"user","content":[{"type":"text","text":"Hello","cache_control":{"type":"ephemeral"}}]}]}`

  test('arrives byte for byte, its system text and cache marks with it', async () => {
    const sent = body('Be brief.')
    expect((await gateway.send('/v1/messages?beta=true', sent)).status).toBe(200)
    expect(seen()?.raw.toString()).toBe(sent)
  })

  test('changes under a policy that redacts in nothing but the text that was found', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
    ])
    const response = await gateway.send('/v1/messages', body('Ask jane@example.com.'), { key })
    expect(response.status).toBe(200)
    expect(seen()?.raw.toString()).toBe(body('Ask [EMAIL_1].'))
  })
})

describe('the answer', () => {
  test('of a stream has its pings and every other byte', async () => {
    const events = messageEvents([textBlock('Hel', 'lo')])
    const text = events
      .flatMap((event) => [event, { type: 'ping' }])
      .slice(0, -1)
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(': a comment\n\n')
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_up' }).end(text)
    })
    const response = await gateway.send('/v1/messages', { ...message, stream: true })
    expect(await response.text()).toBe(text)
    expect(response.headers.get('request-id')).toBe('req_up')
  })

  test.each([
    ['/v1/messages', message, 429, anthropicError('rate_limit_error', 'Slow down')],
    ['/v1/messages', { ...message, stream: true }, 529, anthropicError('overloaded_error', 'Overloaded')],
    ['/v1/chat/completions', chat, 400, openAiError('invalid_request_error', 'max_tokens is too large')],
    ['/v1/chat/completions', chat, 500, openAiError('server_error', 'The server had an error')],
  ])(
    'of %s that is an error has the provider’s bytes, and says when to try again',
    async (path, body, status, error) => {
      const text = JSON.stringify(error, null, 1)
      const headers = {
        'content-type': 'application/json',
        'retry-after': '7',
        'retry-after-ms': '7000',
        'x-should-retry': 'false',
        'request-id': 'req_up',
        'x-request-id': 'req_up',
      }
      gateway.upstream.answerWith((_, response) => void response.writeHead(status, headers).end(text))
      const response = await gateway.send(path, body)
      expect(response.status).toBe(status)
      expect(await response.text()).toBe(text)
      expect(Object.fromEntries(response.headers)).toMatchObject(headers)
    },
  )
})

describe('a subscription', () => {
  const own = 'Bearer sk-ant-oat01-of-the-caller'
  const send = (headers: Record<string, string>) =>
    fetch(`${gateway.service.address}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...message, model: 'own-claude' }),
    })

  test('of the caller pays where the provider says so, and is written down nowhere', async () => {
    const response = await send({ 'x-tallystick-key': gateway.service.managerKey, authorization: own })
    expect(response.status).toBe(200)
    expect(seen()?.headers.authorization).toBe(own)
    expect(JSON.stringify(seen()?.headers)).not.toMatch(/tallystick_sk|sk-ant-upstream/)
    const { commitmentKey: _, ...receipt } = await gateway.receiptOf(response)
    expect(JSON.stringify(receipt)).not.toContain('sk-ant-oat01')
  })

  test('is asked for where it is missing: the virtual key never takes its place', async () => {
    const key = gateway.service.managerKey
    const headers = [
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
      { 'x-tallystick-key': key },
      { 'x-tallystick-key': key, authorization: `Bearer ${key}` },
    ]
    for (const each of headers)
      await expectRefused(await send(each as Record<string, string>), 401, 'unauthorized', /X-Tallystick-Key/)
  })
})
