import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import {
  anthropicError,
  chatAnswer,
  chatChunk,
  chatModel,
  messageAnswer,
  openAiError,
  responseAnswer,
} from '../../harness/providers/vendor-answers.js'
import { verifyRecord } from '../../harness/record/record.js'
import {
  commitmentTo,
  makeGate,
  readPieces,
  startTestGateway,
  type TestGateway,
} from '../../harness/service/gateway.js'

// What stands in a receipt, against what really happened.

let gateway: TestGateway
let keyId: string
let key: string

beforeAll(async () => {
  gateway = await startTestGateway()
  const { body } = await gateway.service.api.post('/v1/keys', {
    name: 'counted',
    userId: 'ada',
    rpmLimit: 1_000,
  })
  keyId = body.id
  key = body.key
})
afterAll(() => gateway.stop())

const messages = [{ role: 'user', content: 'Hello!' }]

describe('a receipt', () => {
  test('says who called what, what it took, and which checks ran', async () => {
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Hi' })))
    const startedAt = Date.now()
    const response = await gateway.send(
      '/v1/chat/completions',
      { model: 'openai/gpt-4o-mini', messages },
      { key },
    )
    await response.text()
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({
      v: 2,
      kind: 'model',
      key: keyId,
      user: 'ada',
      provider: 'openai',
      model: 'openai/gpt-4o-mini',
      upstream: chatModel,
      stream: false,
      id: response.headers.get('x-tallystick-request-id'),
      inputTokens: 1_000,
      outputTokens: 200,
      cachedTokens: 400,
      costNanos: 240_000,
      counts: { input: 1_000, output: 200, cached: 400, reasoning: 64 },
      usage: 'provider',
      price: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 200,
      outcome: 'ok',
      checks: [
        { name: 'rate_limit', applicable: true, result: 'pass' },
        { name: 'budget', applicable: false, result: 'skip' },
        { name: 'user_status', applicable: true, result: 'pass' },
        { name: 'model_allowlist', applicable: false, result: 'skip' },
      ],
    })
    expect(receipt).not.toHaveProperty('team')
    expect(Date.parse(receipt.ts)).toBeGreaterThanOrEqual(startedAt)
    expect(Date.parse(receipt.ts)).toBeLessThanOrEqual(Date.now())
    expect(response.headers.get('x-tallystick-receipt')).toBe(String(receipt.seq))
  })

  test('is bound to the very bytes of request and answer', async () => {
    const body = `{"model" : "openai/gpt-4o-mini","messages":[],"x":"${'é'.repeat(10)}"}`
    const answer = ` ${JSON.stringify({ ...chatAnswer({ content: 'größer' }), odd: 1 }).replace('"odd":1', '"odd":1.0')}\n`
    gateway.upstream.answerWith(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
    )
    const response = await gateway.send('/v1/chat/completions', body)
    expect(await response.text()).toBe(answer)
    const receipt = await gateway.receiptOf(response)
    expect(receipt.request).toBe(commitmentTo(receipt, body))
    expect(receipt.response).toBe(commitmentTo(receipt, answer))
    expect(receipt.commitmentKey).toHaveLength(32)
    expect(JSON.stringify(receipt)).not.toContain('größer')
  })

  test("commits to a provider's error as well, which costs nothing", async () => {
    for (const [path, error] of [
      ['/v1/chat/completions', openAiError('invalid_request_error', 'No')],
      ['/v1/messages', anthropicError('invalid_request_error', 'No')],
    ] as const) {
      gateway.upstream.answerWith((_, response) => sendJson(response, 400, error))
      const model = path === '/v1/messages' ? 'claude-sonnet-4-6' : 'gpt-4o-mini'
      const response = await gateway.send(path, { model, max_tokens: 5, messages })
      const text = await response.text()
      expect(text).toBe(JSON.stringify(error))
      const receipt = await gateway.receiptOf(response)
      expect(receipt).toMatchObject({
        outcome: 'upstream_error',
        status: 400,
        inputTokens: 0,
        outputTokens: 0,
        costNanos: 0,
        response: commitmentTo(receipt, text),
      })
    }
  })

  test('tells how long the call and its first byte took', async () => {
    const arrived = makeGate()
    const answered = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      arrived.open()
      await answered.passed
      startEvents(response)(chatChunk({ content: 'Hi' }))
    })
    const sentMs = performance.now()
    const sending = gateway.send('/v1/chat/completions', { model: 'gpt-4o-mini', stream: true, messages })
    await arrived.passed
    // The provider takes its time, twice: before the first event and before the last.
    await passMs(60)
    answered.open()
    const response = await sending
    const pieces = readPieces(response)
    await pieces.until((text) => text.includes('Hi'))
    const firstSeenMs = performance.now() - sentMs
    await passMs(60)
    await pieces.cancel()
    const receipt = await gateway.nextReceipt()
    expect(receipt.firstTokenMs).toBeGreaterThanOrEqual(30)
    expect(receipt.firstTokenMs).toBeLessThanOrEqual(firstSeenMs + 1)
    expect(receipt.latencyMs).toBeGreaterThanOrEqual((receipt.firstTokenMs ?? 0) + 50)
    expect(receipt.latencyMs).toBeLessThanOrEqual(performance.now() - sentMs + 1)
  })

  const passMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
})

describe('what a call costs', () => {
  test.each([
    // USD per million: 0.15 in, 0.075 cached, 0.60 out.
    ['gpt-4o-mini', '/v1/chat/completions', { prompt_tokens: 1, completion_tokens: 0 }, 150],
    ['gpt-4o-mini', '/v1/chat/completions', { prompt_tokens: 100, completion_tokens: 100 }, 75_000],
    [
      'gpt-4o-mini',
      '/v1/chat/completions',
      { prompt_tokens: 100, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 100 } },
      7_500,
    ],
    // More cached than there was input cannot be.
    [
      'gpt-4o-mini',
      '/v1/chat/completions',
      { prompt_tokens: 100, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 900 } },
      7_500,
    ],
    [
      'gpt-4o-mini',
      '/v1/responses',
      { input_tokens: 100, output_tokens: 100, input_tokens_details: { cached_tokens: 40 } },
      72_000,
    ],
    // USD per million: 3 in, 0.30 read, 3.75 written, 15 out.
    ['claude-sonnet-4-6', '/v1/messages', { input_tokens: 100, output_tokens: 10 }, 450_000],
    [
      'claude-sonnet-4-6',
      '/v1/messages',
      { input_tokens: 0, cache_read_input_tokens: 1_000, output_tokens: 0 },
      300_000,
    ],
    [
      'claude-sonnet-4-6',
      '/v1/messages',
      { input_tokens: 0, cache_creation_input_tokens: 1_000, output_tokens: 0 },
      3_750_000,
    ],
  ])('%s on %s with %j: %i nano-dollars', async (model, path, usage, nanos) => {
    const answer =
      path === '/v1/messages'
        ? messageAnswer([])
        : path === '/v1/responses'
          ? responseAnswer()
          : chatAnswer({ content: '' })
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, { ...answer, usage }))
    const response = await gateway.send(path, {
      model,
      max_tokens: 5,
      ...(path === '/v1/responses' ? { input: 'Hi', max_tokens: undefined } : { messages }),
    })
    await response.text()
    const usd = (nanos / 1e9).toFixed(9).replace(/0+$/, '')
    expect(response.headers.get('x-tallystick-cost-usd')).toBe(usd)
    expect(await gateway.receiptOf(response)).toMatchObject({ costNanos: nanos })
  })

  test('is counted for tool calls too, where the provider keeps silent', async () => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
    }
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, { ...chatAnswer({ tool_calls: [call] }), usage: undefined }),
    )
    const response = await gateway.send('/v1/chat/completions', { model: 'gpt-4o-mini', messages })
    await response.text()
    // get_weather is two tokens, its arguments five, its id three; and what stands around the answer.
    expect(await gateway.receiptOf(response)).toMatchObject({ usage: 'counted', outputTokens: 2 + 5 + 3 + 8 })
  })

  test('is in the record once for each call, and the record verifies', async () => {
    const { receipts, fault } = await verifyRecord(gateway.service.database)
    expect(fault).toBeNull()
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(receipts.length)
  })
})
