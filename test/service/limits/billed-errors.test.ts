import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// Some vendors bill a call that they answer with an error. Then it costs what was reserved for it, or what the error says.

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      azure: { type: 'azure-openai', baseUrl: url, apiKey: 'azure-key', pricesOf: 'openai' },
      xai: { type: 'xai', baseUrl: `${url}/v1`, apiKey: 'xai-key', pricesOf: 'openai' },
    }),
  })
})
afterAll(() => gateway.stop())

const messages = [{ role: 'user', content: 'Hello!' }]
const chat = { messages, max_completion_tokens: 1_000 }
const check = { name: 'billed_error', applicable: true, result: 'fail', action: 'flag' }

async function refuse(provider: string, status: number, error: object | string, fields: object = {}) {
  gateway.upstream.answerWith((_, response) =>
    typeof error === 'string'
      ? void response.writeHead(status, { 'content-type': 'text/plain' }).end(error)
      : sendJson(response, status, error),
  )
  const body = { ...chat, model: `${provider}/gpt-4o-mini`, ...fields }
  const response = await gateway.send('/v1/chat/completions', body)
  await response.text()
  expect(response.status).toBe(status)
  const receipt = await gateway.receiptOf(response)
  expect(receipt).toMatchObject({ outcome: 'upstream_error', status })
  return receipt
}

const filtered = {
  error: {
    message: 'The response was filtered',
    param: 'prompt',
    code: 'content_filter',
    innererror: { code: 'ResponsibleAIPolicyViolation' },
  },
}
const tooLong = { error: { message: 'Too long', code: 'context_length_exceeded' } }
const invalid = { error: { message: 'Unknown parameter', code: 'unknown_parameter' } }
const xaiRefusal = (error: string) => ({ code: 'permission-denied', error })

describe('an error that its vendor bills', () => {
  test.each<[string, string, number, object | string]>([
    ['a prompt that Azure filtered', 'azure', 400, filtered],
    ['an input that is too long for Azure', 'azure', 400, tooLong],
    ['a timeout of Azure', 'azure', 408, { error: { message: 'Timed out' } }],
    ['a timeout of Azure that is no JSON', 'azure', 408, 'Timed out'],
    [
      'what xAI finds to violate its guidelines',
      'xai',
      403,
      xaiRefusal('Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'),
    ],
  ])('costs what was reserved, and its receipt says why: %s', async (_, provider, status, error) => {
    for (const stream of [false, true]) {
      const receipt = await refuse(provider, status, error, { stream })
      expect(receipt).toMatchObject({ usage: 'reserved', outputTokens: 1_000 })
      expect(receipt.costNanos).toBeGreaterThan(1_000 * 600)
      expect(receipt.checks).toContainEqual(check)
    }
  })

  test('inside a stream costs what was reserved, though nothing came before it', async () => {
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(filtered)}\n\n`)
    })
    const body = { ...chat, model: 'azure/gpt-4o-mini', stream: true }
    const response = await gateway.send('/v1/chat/completions', body)
    await response.text()
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({ outcome: 'upstream_error', usage: 'reserved', outputTokens: 1_000 })
    expect(receipt.checks).toContainEqual(check)
  })

  test('costs that also where it was not read to its end', async () => {
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"error":', () => response.destroy())
    })
    const response = await gateway.send('/v1/chat/completions', { ...chat, model: 'azure/gpt-4o-mini' })
    await response.text()
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({ usage: 'reserved', outputTokens: 1_000 })
    expect(receipt.checks).toContainEqual(check)
  })
})

describe('any other error', () => {
  test.each<[string, string, number, object]>([
    ['a request that Azure finds wrong', 'azure', 400, invalid],
    ['a limit of Azure', 'azure', 429, { error: { message: 'Slow down', code: '429' } }],
    ['a failure of Azure', 'azure', 500, { error: { message: 'content_filter is down' } }],
    ['a filter of a vendor that does not bill it', 'openai', 400, filtered],
    ['a right that xAI denies', 'xai', 403, xaiRefusal('Access to the chat endpoint is denied')],
    ['no usage at all', 'openai', 500, { error: { message: 'x' }, usage: { prompt_tokens: 0 } }],
  ])('costs nothing: %s', async (_, provider, status, error) => {
    const receipt = await refuse(provider, status, error)
    expect(receipt).toMatchObject({ costNanos: 0, inputTokens: 0, outputTokens: 0 })
    expect(receipt.checks).not.toContainEqual(check)
  })
})

describe('an error that says what it used', () => {
  const input = 'Hello!'
  const openaiUsage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 }
  const shapes: [string, object, object][] = [
    ['/v1/chat/completions', { ...chat, model: 'gpt-4o-mini' }, { prompt_tokens: 9, completion_tokens: 4 }],
    ['/v1/responses', { model: 'gpt-4o-mini', input }, openaiUsage],
    [
      '/v1/messages',
      { model: 'claude-sonnet-4-6', messages, max_tokens: 100 },
      { input_tokens: 9, output_tokens: 4 },
    ],
    ['/v1/images/generations', { model: 'gpt-image-1', prompt: input }, openaiUsage],
  ]
  test.each(shapes)('costs that, at any vendor and place: %s', async (path, body, usage) => {
    const error = { type: 'invalid_request_error', message: 'Refused' }
    for (const sent of [{ error, usage }, { error: { ...error, usage } }]) {
      gateway.upstream.answerWith((_, response) => sendJson(response, 400, sent))
      const response = await gateway.send(path, body)
      await response.text()
      const receipt = await gateway.receiptOf(response)
      expect(receipt).toMatchObject({
        outcome: 'upstream_error',
        usage: 'provider',
        inputTokens: 9,
        outputTokens: 4,
      })
      expect(receipt.costNanos).toBeGreaterThan(0)
    }
  })

  test('but not how much it produced costs what was reserved', async () => {
    const receipt = await refuse('openai', 500, { error: { message: 'x' }, usage: { prompt_tokens: 9 } })
    expect(receipt).toMatchObject({ usage: 'reserved', outputTokens: 1_000 })
  })
})
