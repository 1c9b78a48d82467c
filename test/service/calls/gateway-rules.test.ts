import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  chatCostNanos,
  embeddingAnswer,
  messageAnswer,
  responseAnswer,
  responseMessage,
} from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// Who may call what, how often, and what is refused before it reaches a provider.

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      local: { type: 'openai', baseUrl: `${url}/local/v1`, dialects: ['chat'] },
      versioned: { type: 'openai', baseUrl: `${url}/deployments/x/?api-version=2026-01-01` },
    }),
    models: {
      fast: { provider: 'openai', model: 'gpt-4o-mini' },
      'gpt-4.1': { provider: 'openai', price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } },
      llama: { provider: 'local', model: 'llama-3.3-70b', price: 'free', maxOutputTokens: 2_000 },
      dated: { provider: 'versioned', model: 'gpt-4o-mini', price: 'free' },
      riddle: { provider: 'local', model: 'riddle-1' },
    },
  })
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
  gateway.upstream.answerWith(({ path }, response) => {
    if (path.endsWith('/embeddings')) sendJson(response, 200, embeddingAnswer([[1]], 'float'))
    else if (path.endsWith('/messages'))
      sendJson(response, 200, messageAnswer([{ type: 'text', text: 'Hi' }]))
    else if (path.endsWith('/responses')) sendJson(response, 200, responseAnswer(responseMessage('Hi')))
    else sendJson(response, 200, chatAnswer({ content: 'Hi' }))
  })
})

const messages = [{ role: 'user', content: 'Hello!' }]
const inputTokens = 8 // our estimate of "Hello!"
const chat = (body: object, key?: string) =>
  gateway.send(
    '/v1/chat/completions',
    { model: 'gpt-4o-mini', messages, ...body },
    key === undefined ? {} : { key },
  )
const seen = () => gateway.upstream.seen.at(-1)
const countReceipts = async () => (await gateway.service.database.query('select 1 from receipts')).length

async function expectError(
  response: Response,
  status: number,
  type: string,
): Promise<{ message: string; retry_after?: number }> {
  const { error } = JSON.parse(await response.text())
  expect({ status: response.status, error }).toMatchObject({ status, error: { type, code: status } })
  return error
}

test('the query of a base URL goes with the call, after the path of the dialect', async () => {
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Hi' })))
  expect((await chat({ model: 'dated' })).status).toBe(200)
  expect(seen()?.path).toBe('/deployments/x/chat/completions?api-version=2026-01-01')
})

describe('the key', () => {
  test.each([
    ['is missing', {}],
    ['is unknown', { authorization: 'Bearer tallystick_sk_0000000000000000000000000000000000000000' }],
    ['is something else', { 'x-api-key': 'sk-ant-123' }],
    ['comes by the wrong scheme', { authorization: 'Basic abc' }],
  ])('%s: 401, whatever the body is, before it is even read', async (_, headers) => {
    for (const body of ['{"model":', JSON.stringify({ model: 'gpt-4o-mini', messages })]) {
      const response = await fetch(`${gateway.service.address}/v1/chat/completions`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
      })
      await expectError(response, 401, 'unauthorized')
    }
    expect(gateway.upstream.seen).toHaveLength(0)
  })

  test('is taken from x-api-key as well as from Authorization, for every endpoint', async () => {
    const headers = { 'x-api-key': gateway.service.managerKey, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(gateway.service.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect((await post('/v1/chat/completions', { model: 'gpt-4o-mini', messages })).status).toBe(200)
    expect((await post('/v1/messages', { model: 'claude-sonnet-4-6', max_tokens: 5, messages })).status).toBe(
      200,
    )
    expect((await fetch(`${gateway.service.address}/v1/models`, { headers })).status).toBe(200)
  })

  test('is taken from X-Tallystick-Key alone where that is there, whatever else the request carries', async () => {
    const key = gateway.service.managerKey
    const other = 'tallystick_sk_0000000000000000000000000000000000000000'
    const send = (headers: Record<string, string>) =>
      fetch(`${gateway.service.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'gpt-4o-mini', messages }),
      })
    const own = { 'x-tallystick-key': key }
    for (const headers of [
      own,
      { ...own, authorization: 'Bearer sk-ant-oat01-own' },
      { ...own, authorization: `Bearer ${other}`, 'x-api-key': other },
    ])
      expect((await send(headers)).status).toBe(200)
    // What is the caller's own goes nowhere, unless the provider says so.
    for (const { headers } of gateway.upstream.seen) {
      expect(headers.authorization).toBe('Bearer sk-upstream')
      expect(JSON.stringify(headers)).not.toMatch(/tallystick_sk|sk-ant-oat01/)
    }
    for (const headers of [
      { 'x-tallystick-key': other, authorization: `Bearer ${key}` },
      { 'x-tallystick-key': '', authorization: `Bearer ${key}`, 'x-api-key': key },
    ])
      await expectError(await send(headers), 401, 'unauthorized')
    expect(gateway.upstream.seen).toHaveLength(3)
  })

  test('stops working at once when it is revoked', async () => {
    const { body } = await gateway.service.api.post('/v1/keys', { name: 'short-lived' })
    expect((await chat({}, body.key)).status).toBe(200)
    await gateway.service.api.delete(`/v1/keys/${body.id}`)
    await expectError(await chat({}, body.key), 401, 'unauthorized')
  })
})

describe('a body that cannot be governed is refused, and reaches nobody', () => {
  const deep = `${'['.repeat(600)}${']'.repeat(600)}`
  test.each([
    ['is cut off', '{"model":"gpt-4o-mini"'],
    ['is empty', ''],
    ['is no object', '["gpt-4o-mini"]'],
    ['names no model', '{"messages":[]}'],
    ['names a model that is no text', '{"model":7,"messages":[]}'],
    ['has no messages', '{"model":"gpt-4o-mini"}'],
    ['names the model twice', '{"model":"gpt-4o-mini","messages":[],"mod\\u0065l":"gpt-4o"}'],
    ['says stream twice', '{"stream":false,"model":"gpt-4o-mini","messages":[],"stream":true}'],
    ['has a stream that is neither true nor false', '{"model":"gpt-4o-mini","messages":[],"stream":"yes"}'],
    ['is nested beyond reason', `{"model":"gpt-4o-mini","messages":[],"tools":${deep}}`],
    ['wants half a token', '{"model":"gpt-4o-mini","messages":[],"max_tokens":0.5}'],
    ['wants less than nothing', '{"model":"gpt-4o-mini","messages":[],"max_completion_tokens":-1}'],
    ['wants more than there is', '{"model":"gpt-4o-mini","messages":[],"max_tokens":1e400}'],
    ['wants tokens in words', '{"model":"gpt-4o-mini","messages":[],"max_tokens":"100"}'],
    ['wants a million choices', '{"model":"gpt-4o-mini","messages":[],"n":1000000}'],
  ])('%s', async (_, body) => {
    const before = await countReceipts()
    await expectError(await gateway.send('/v1/chat/completions', body), 400, 'invalid_request')
    expect(gateway.upstream.seen).toHaveLength(0)
    expect(await countReceipts()).toBe(before)
  })

  test('is not UTF-8', async () => {
    const response = await fetch(`${gateway.service.address}/v1/chat/completions`, {
      method: 'POST',
      body: Buffer.from('{"model":"gpt-4o-mini","messages":["\xff"]}', 'latin1'),
      headers: { authorization: `Bearer ${gateway.service.managerKey}`, 'content-type': 'application/json' },
    })
    await expectError(response, 400, 'invalid_request')
  })

  test.each([
    ['/v1/messages', { model: 'claude-sonnet-4-6', messages }],
    ['/v1/messages', { model: 'claude-sonnet-4-6', messages, max_tokens: 1.5 }],
    ['/v1/responses', { model: 'gpt-4o-mini', input: 7 }],
    ['/v1/responses', { model: 'gpt-4o-mini', input: 'Hi', background: true }],
    ['/v1/embeddings', { model: 'text-embedding-3-small', input: null }],
    ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'Hi', stream: true }],
  ])('%s %j', async (path, body) => {
    await expectError(await gateway.send(path, body), 400, 'invalid_request')
    expect(gateway.upstream.seen).toHaveLength(0)
  })

  test('is too large', async () => {
    const response = await chat({ messages: [{ role: 'user', content: 'x'.repeat(33 * 1024 * 1024) }] })
    await expectError(response, 413, 'payload_too_large')
  })

  test('is not called JSON', async () => {
    await expectError(
      await gateway.send('/v1/chat/completions', '{}', { headers: { 'content-type': 'text/plain' } }),
      415,
      'unsupported_media_type',
    )
  })
})

describe('what need not change does not', () => {
  const odd =
    '\n{ "mod\\u0065l"\t: "gpt-4o-mini" ,"temperature":1.0, "seed":1e400,"x":[ {"a":-0},"\\u00e9\\ud83d"],\r\n"messages":[] ,"n":1}  \n'

  test('the provider sees the very bytes that the caller sent', async () => {
    expect((await gateway.send('/v1/chat/completions', odd)).status).toBe(200)
    expect(seen()?.raw.toString()).toBe(odd)
  })

  test('where a name has to change, every other byte stays', async () => {
    expect((await gateway.send('/v1/chat/completions', odd.replace('gpt-4o-mini', 'fast'))).status).toBe(200)
    expect(seen()?.raw.toString()).toBe(odd)
  })
})

describe('models', () => {
  test('are found under their catalogue name, as provider/model, and by alias', async () => {
    for (const model of ['gpt-4o-mini', 'openai/gpt-4o-mini', 'fast']) {
      const response = await chat({ model })
      expect(response.status).toBe(200)
      expect(seen()?.body.model).toBe('gpt-4o-mini')
      expect(await gateway.receiptOf(response)).toMatchObject({
        model,
        provider: 'openai',
        costNanos: chatCostNanos,
      })
    }
  })

  test('that are free cost nothing, and work under both their names', async () => {
    for (const model of ['llama', 'local/llama-3.3-70b']) {
      const response = await chat({ model })
      expect(response.headers.get('x-tallystick-cost-usd')).toBe('0')
      expect(seen()).toMatchObject({ path: '/local/v1/chat/completions', body: { model: 'llama-3.3-70b' } })
      expect(seen()?.headers.authorization).toBeUndefined()
      expect(await gateway.receiptOf(response)).toMatchObject({
        costNanos: 0,
        inputTokens: 1_000,
        outputTokens: 200,
      })
    }
  })

  test('have the price that the operator set, however they are named', async () => {
    for (const model of ['gpt-4.1', 'openai/gpt-4.1']) {
      // 1,000 in and 200 out at 1 USD per million; cached input at the same price, since no other was given.
      expect(await gateway.receiptOf(await chat({ model }))).toMatchObject({ costNanos: 1_200_000 })
    }
  })

  test.each([
    ['no-such-model', /not known/],
    ['riddle', /no price/],
    ['local/riddle-1', /no price/],
    ['openai/no-such-model', /no price/],
    ['gemini-2.5-pro', /not configured/],
  ])('%s is a 404 that says why', async (model, why) => {
    expect((await expectError(await chat({ model }), 404, 'model_not_found')).message).toMatch(why)
    expect(gateway.upstream.seen).toHaveLength(0)
  })

  test('that do not speak the dialect of the endpoint are refused', async () => {
    await expectError(
      await gateway.send('/v1/responses', { model: 'llama', input: 'Hi' }),
      400,
      'invalid_request',
    )
    await expectError(
      await chat({ model: 'text-embedding-3-small' }).then(() =>
        gateway.send('/v1/embeddings', { model: 'claude-sonnet-4-6', input: 'Hi' }),
      ),
      400,
      'invalid_request',
    )
  })
})

describe('allowlists', () => {
  const listFor = async (key: string) => {
    const { body } = await gateway.service.as(key).get('/v1/models')
    return body.data.map(({ id }: { id: string }) => id)
  }

  test.each([
    [['gpt-4o-mini'], ['gpt-4o-mini', 'openai/gpt-4o-mini', 'fast'], ['gpt-4o', 'llama']],
    [['fast'], ['fast', 'gpt-4o-mini'], ['gpt-4o']],
    [['gpt-4o*'], ['gpt-4o-mini', 'gpt-4o'], ['gpt-4.1', 'llama', 'claude-sonnet-4-6']],
    [['local/*'], ['llama'], ['gpt-4o-mini']],
    [['*'], ['gpt-4o-mini', 'llama'], []],
    [['gpt-4o-min', 'mini*'], [], ['gpt-4o-mini']],
    [[], [], ['gpt-4o-mini', 'llama']],
  ])('%j allows %j and not %j', async (allowedModels, allowed, refused) => {
    const key = await gateway.key({ allowedModels })
    const listed = await listFor(key)
    for (const model of allowed) {
      expect((await chat({ model }, key)).status).toBe(200)
      expect(listed).toContain(model)
    }
    for (const model of refused) {
      const path = model.startsWith('claude') ? '/v1/messages' : '/v1/chat/completions'
      const response = await gateway.send(path, { model, messages, max_tokens: 10 }, { key })
      await expectError(response, 403, 'model_not_allowed')
      expect(response.headers.get('x-tallystick-cost-usd')).toBe('0')
      const receipt = await gateway.receiptOf(response)
      expect(receipt).toMatchObject({
        outcome: 'blocked',
        status: 403,
        model,
        costNanos: 0,
        inputTokens: 0,
        outputTokens: 0,
      })
      expect(receipt.checks).toContainEqual({
        name: 'model_allowlist',
        applicable: true,
        result: 'fail',
        action: 'block',
      })
      expect(receipt).not.toHaveProperty('response')
      expect(listed).not.toContain(model)
    }
    expect(gateway.upstream.seen).toHaveLength(allowed.length)
  })

  test('of the key and of its owner must both allow a model', async () => {
    const key = await gateway.key({ userId: 'grace', allowedModels: ['gpt-4o-mini', 'llama'] })
    await gateway.service.database.query(
      "update members set allowed_models = '{gpt-4o*}' where user_id = 'grace'",
    )
    await waitFor('the change to be heard of', async () => !(await listFor(key)).includes('llama'))
    expect((await chat({}, key)).status).toBe(200)
    await expectError(await chat({ model: 'llama' }, key), 403, 'model_not_allowed')
    await expectError(await chat({ model: 'gpt-4o' }, key), 403, 'model_not_allowed')
  })

  test('hide one model read alone as they hide it in the list', async () => {
    const narrow = gateway.service.as(await gateway.key({ allowedModels: ['gpt-4o'] }))
    expect((await narrow.get('/v1/models/gpt-4o')).status).toBe(200)
    expect(await narrow.get('/v1/models/llama')).toMatchObject({
      status: 404,
      body: { error: { type: 'model_not_found' } },
    })
  })
})

describe('a suspended owner', () => {
  test('is refused with a receipt, on every replica that hears of it, and after the rate limit', async () => {
    const { body: made } = await gateway.service.api.post('/v1/keys', {
      name: 'theirs',
      userId: 'ada',
      rpmLimit: 2,
      tpmLimit: 5_000,
    })
    const { key } = made
    expect((await chat({ max_tokens: 10 }, key)).status).toBe(200)
    await gateway.service.database.query("update members set status = 'suspended' where user_id = 'ada'")
    await waitFor(
      'the change to be heard of',
      async () => (await gateway.service.as(key).get('/v1/models')).status === 403,
    )

    const refused = await chat({ max_tokens: 10 }, key)
    await expectError(refused, 403, 'user_suspended')
    const receipt = await gateway.receiptOf(refused)
    expect(receipt).toMatchObject({ outcome: 'blocked', status: 403, user: 'ada', costNanos: 0 })
    expect(receipt.checks).toContainEqual({
      name: 'user_status',
      applicable: true,
      result: 'fail',
      action: 'block',
    })

    // Both calls kept their place in the minute; a third does not get as far as the guard.
    const limited = await chat({ max_tokens: 10 }, key)
    await expectError(limited, 429, 'rate_limit_exceeded')
    // The first call used 1,200 tokens; the refused one gave its own back.
    expect(limited.headers.get('x-ratelimit-remaining-tokens')).toBe('3800')
  })
})

describe('rate limits', () => {
  test('are told in headers that are true, and hold', async () => {
    const key = await gateway.key({ rpmLimit: 2 })
    const startedMs = performance.now()
    const remaining: (string | null)[] = []
    for (let i = 0; i < 2; i++) {
      const response = await chat({}, key)
      expect(response.status).toBe(200)
      expect(response.headers.get('x-ratelimit-limit-requests')).toBe('2')
      remaining.push(response.headers.get('x-ratelimit-remaining-requests'))
      expect(response.headers.get('x-ratelimit-limit-tokens')).toBeNull()
    }
    expect(remaining).toEqual(['1', '0'])

    const before = await countReceipts()
    const refused = await chat({}, key)
    const tookSeconds = (performance.now() - startedMs) / 1_000
    const error = await expectError(refused, 429, 'rate_limit_exceeded')
    expect(error.message).toMatch(/2 requests per minute/)
    expect(error.retry_after).toBeGreaterThanOrEqual(Math.floor(60 - tookSeconds))
    expect(error.retry_after).toBeLessThanOrEqual(60)
    expect(refused.headers.get('retry-after')).toBe(String(error.retry_after))
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(refused.headers.get('x-ratelimit-reset-requests')).toMatch(/^[\d.]+s$/)
    expect(gateway.upstream.seen).toHaveLength(2)
    expect(await countReceipts()).toBe(before)
  })

  test('count tokens as reserved while a call runs, and as used when it has ended', async () => {
    const key = await gateway.key({ tpmLimit: 5_000 })
    const first = await chat({ max_tokens: 3_000 }, key)
    expect(first.headers.get('x-ratelimit-remaining-tokens')).toBe(String(5_000 - inputTokens - 3_000))
    const second = await chat({ max_tokens: 100 }, key)
    // The first call took 1,200 in the end.
    expect(second.headers.get('x-ratelimit-remaining-tokens')).toBe(String(5_000 - 1_200 - inputTokens - 100))
  })

  test.each([
    ['max_tokens', { max_tokens: 700 }, 700],
    ['max_completion_tokens', { max_completion_tokens: 700 }, 700],
    ['max_completion_tokens before max_tokens', { max_tokens: 10, max_completion_tokens: 700 }, 700],
    ['every choice', { max_tokens: 700, n: 3 }, 2_100],
    ['every choice once', { max_tokens: 700, n: null }, 700],
  ])('reserve %s', async (_, fields, reserved) => {
    const response = await chat(fields, await gateway.key({ tpmLimit: 5_000 }))
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe(String(5_000 - inputTokens - reserved))
    expect(seen()?.body).toMatchObject(fields)
  })

  test('lower a maximum that nobody declared to what a minute holds', async () => {
    const key = await gateway.key({ tpmLimit: 1_008 })
    await chat({ n: 2 }, key)
    expect(seen()?.body).toEqual({ model: 'gpt-4o-mini', messages, n: 2, max_completion_tokens: 500 })
    await gateway.send(
      '/v1/responses',
      { model: 'gpt-4o-mini', input: 'Hello!' },
      { key: await gateway.key({ tpmLimit: 1_005 }) },
    )
    expect(seen()?.body).toEqual({ model: 'gpt-4o-mini', input: 'Hello!', max_output_tokens: 1_000 })
  })

  test('forward the maximum that is reserved where the caller declares none', async () => {
    await chat({ model: 'llama' }, await gateway.key({ tpmLimit: 100_000 }))
    expect(seen()?.body).toEqual({ model: 'llama-3.3-70b', messages, max_tokens: 2_000 })
    await chat({ model: 'llama' }, await gateway.key())
    expect(seen()?.body).toEqual({ model: 'llama-3.3-70b', messages })
  })

  test.each<[string, object, number, string, string]>([
    ['a maximum', { max_tokens: 2_000 }, 2_008, 'max_tokens', 'maximum output to 992 tokens'],
    [
      'a maximum of several answers',
      { max_tokens: 1_000_000_000, n: 128 },
      128_000_000_008,
      'max_tokens',
      'to 7',
    ],
    ['an input', { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] }, 2_008, '', 'shorten it'],
  ])('refuse %s that can never fit with 400, and say what would', async (_, fields, amount, path, advice) => {
    const response = await chat(fields, await gateway.key({ tpmLimit: 1_000 }))
    const error = await expectError(response, 400, 'invalid_request')
    expect(error).toMatchObject({
      message: expect.stringContaining(`may use ${amount} tokens, and the limit is 1000 tokens per minute`),
      details: [{ path, message: expect.stringContaining(advice) }],
    })
    expect(error.retry_after).toBeUndefined()
    expect(response.headers.get('retry-after')).toBeNull()
    expect(gateway.upstream.seen).toEqual([])
  })

  test('of embeddings count the input alone', async () => {
    const key = await gateway.key({ tpmLimit: 1_000 })
    const response = await gateway.send(
      '/v1/embeddings',
      { model: 'text-embedding-3-small', input: ['one two', [1, 2, 3]] },
      { key },
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe('995')
  })

  test('of embeddings count every input, also where they are longer together than one may be', async () => {
    const input = Array.from({ length: 5 }, () => 'word '.repeat(2_000))
    const key = await gateway.key({ tpmLimit: 9_000 })
    const response = await gateway.send('/v1/embeddings', { model: 'text-embedding-3-small', input }, { key })
    await expectError(response, 400, 'invalid_request')
  })

  test('are kept by a call that a guard refuses, which gives its tokens back', async () => {
    const key = await gateway.key({ rpmLimit: 5, tpmLimit: 5_000, allowedModels: ['gpt-4o'] })
    for (const remaining of ['4', '3', '2']) {
      const refused = await chat({ max_tokens: 1_000 }, key)
      expect(refused.status).toBe(403)
      expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe(remaining)
      expect(refused.headers.get('x-ratelimit-remaining-tokens')).toBe(String(5_000 - inputTokens - 1_000))
    }
  })

  test('are not touched by a call that never got as far', async () => {
    const key = await gateway.key({ rpmLimit: 2 })
    await expectError(await chat({ model: 'no-such' }, key), 404, 'model_not_found')
    await expectError(await gateway.send('/v1/chat/completions', '{', { key }), 400, 'invalid_request')
    expect((await chat({}, key)).headers.get('x-ratelimit-remaining-requests')).toBe('1')
  })

  test('give the tokens of a failed call back', async () => {
    const key = await gateway.key({ tpmLimit: 5_000 })
    gateway.upstream.answerWith((_, response) => sendJson(response, 500, { error: {} }))
    expect((await chat({ max_tokens: 4_000 }, key)).status).toBe(500)
    expect((await chat({ max_tokens: 4_000 }, key)).status).toBe(500)
  })
})
