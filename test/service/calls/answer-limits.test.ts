import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEvents } from '../../harness/providers/upstream.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// What a provider sends has a largest size and a longest time. The caller is told which, and so is the record.

const maxStreamBytes = 64 * 1024
const maxAnswerBytes = 16 * 1024

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => {
      const limits = { maxStreamBytes, maxAnswerBytes }
      return {
        small: { type: 'openai', baseUrl: `${url}/v1`, apiKey: 'sk-1', pricesOf: 'openai', limits },
        smaller: { type: 'anthropic', baseUrl: url, apiKey: 'sk-2', pricesOf: 'anthropic', limits },
        brief: {
          ...{ type: 'openai', baseUrl: `${url}/v1`, apiKey: 'sk-3', pricesOf: 'openai' },
          timeouts: { totalMs: 1_000 },
        },
      }
    },
  })
})
afterAll(() => gateway.stop())

const words = 'word '.repeat(200)
const messages = [{ role: 'user', content: 'hi' }]
const chat = { model: 'small/gpt-4o', messages, stream: true, max_tokens: 100 }

const dialects = [
  {
    name: 'chat',
    path: '/v1/chat/completions',
    body: chat,
    event: { choices: [{ index: 0, delta: { content: words }, finish_reason: null }] },
    lastEvent: /data: \{"error":\{[^\n]*"message":"([^"]*)"[^\n]*\n\n(?:data: \[DONE\]\n\n)?$/,
  },
  {
    name: 'responses',
    path: '/v1/responses',
    body: { model: 'small/gpt-4o', input: 'hi', stream: true, max_output_tokens: 100 },
    event: { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: words },
    lastEvent: /event: error\ndata: [^\n]*"message":"([^"]*)"[^\n]*\n\n$/,
  },
  {
    name: 'messages',
    path: '/v1/messages',
    body: { model: 'smaller/claude-sonnet-4-5', messages, stream: true, max_tokens: 100 },
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
    lastEvent: /event: error\ndata: [^\n]*"message":"([^"]*)"[^\n]*\n\n$/,
  },
]

describe('a stream that is larger than its provider may send', () => {
  test.each(dialects)('ends with words, and the record says why: $name', async (dialect) => {
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      const timer = setInterval(() => {
        for (let at = 0; at < 8; at++) send(dialect.event)
      }, 1)
      response.on('close', () => clearInterval(timer))
    })
    const response = await gateway.send(dialect.path, dialect.body)
    const text = await response.text()
    const [, message] = dialect.lastEvent.exec(text) ?? []
    expect(message).toMatch(
      /^Provider small(er)? sent more than 65536 bytes, the limit of its streams: the answer ends here$/,
    )
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({ outcome: 'upstream_error', status: 502, usage: 'reserved' })
    expect(receipt.checks).toContainEqual({
      ...{ name: 'answer_size', applicable: true, result: 'fail', action: 'block' },
    })
    expect(receipt.outputTokens).toBeGreaterThanOrEqual(100)
    expect(text.length).toBeLessThan(2 * maxStreamBytes)
  })
})

test('an answer in one piece that is too large is refused, and the record says why', async () => {
  gateway.upstream.answerWith((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { content: 'x'.repeat(2 * maxAnswerBytes) } }] }))
  })
  const response = await gateway.send('/v1/chat/completions', { ...chat, stream: false })
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('more than 16384 bytes, the limit of its answers')
  const receipt = await gateway.receiptOf(response)
  expect(receipt.checks).toContainEqual(expect.objectContaining({ name: 'answer_size', result: 'fail' }))
})

test('a stream that takes longer than a call may ends with words, and the record says why', async () => {
  gateway.upstream.answerWith((_, response) => {
    const send = startEvents(response)
    const timer = setInterval(() => send(dialects[0]?.event ?? {}), 20)
    response.on('close', () => clearInterval(timer))
  })
  const response = await gateway.send('/v1/chat/completions', { ...chat, model: 'brief/gpt-4o' })
  expect(await response.text()).toContain('Provider brief took longer than the 1 s that a call may take')
  const receipt = await gateway.receiptOf(response)
  expect(receipt.checks).toContainEqual(
    expect.objectContaining({ name: 'answer_duration', result: 'fail', action: 'block' }),
  )
})

test('limits of a provider are set by the API, and shown with the defaults', async () => {
  const { body: created } = await gateway.service.api.post('/v1/providers', {
    ...{ name: 'bounded', type: 'openai', baseUrl: 'https://example.com/v1', pricesOf: 'openai' },
    limits: { maxStreamBytes: 1_048_576 },
  })
  expect(created.limits).toEqual({ maxStreamBytes: 1_048_576, maxAnswerBytes: 134_217_728 })
  const path = `/v1/providers/${created.id}`
  const { body: changed } = await gateway.service.api.patch(path, { limits: { maxAnswerBytes: 2_048 } })
  expect(changed.limits).toEqual({ maxStreamBytes: 536_870_912, maxAnswerBytes: 2_048 })
})
