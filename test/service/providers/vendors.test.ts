import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeMessage } from '../../harness/providers/aws-event-stream.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// The whole way: gateway, vendor, receipt. What each vendor gets is tested beside the vendors.

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      aws: {
        type: 'bedrock',
        baseUrl: url,
        options: { region: 'eu-central-1' },
        credentials: [{ name: 'keys', value: '{"accessKeyId":"AKIA","secretAccessKey":"shh"}' }],
      },
      two: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        credentials: [
          { name: 'revoked', value: 'sk-revoked' },
          { name: 'good', value: 'sk-good' },
        ],
      },
    }),
    models: {
      claude: {
        provider: 'aws',
        model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
        tokenizer: 'claude',
        price: { inputUsdPerMTok: 3, outputUsdPerMTok: 15 },
      },
      shared: { provider: 'two', model: 'gpt', price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } },
    },
  })
})
afterAll(() => gateway.stop())

const ask = { model: 'claude', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }

describe('Claude at Bedrock', () => {
  test('streams to a client of messages, and its usage is in the receipt', async () => {
    const events = [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'claude',
          content: [],
          usage: { input_tokens: 11, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi there' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ]
    gateway.upstream.answerWith((_, response) => {
      response.setHeader('content-type', 'application/vnd.amazon.eventstream')
      for (const event of events) {
        const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
        const headers = {
          ':event-type': 'chunk',
          ':content-type': 'application/json',
          ':message-type': 'event',
        }
        response.write(encodeMessage(headers, Buffer.from(JSON.stringify({ bytes }))))
      }
      response.end()
    })
    const response = await gateway.send('/v1/messages', { ...ask, stream: true })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(text.match(/^event: (.*)$/gm)).toEqual(events.map(({ type }) => `event: ${type}`))
    expect(text).toContain('Hi there')
    expect(await gateway.nextReceipt()).toMatchObject({
      outcome: 'ok',
      provider: 'aws',
      inputTokens: 11,
      outputTokens: 7,
      usage: 'provider',
    })
  })

  test('tells an exception of the stream as an error of messages', async () => {
    gateway.upstream.answerWith((_, response) => {
      response.setHeader('content-type', 'application/vnd.amazon.eventstream')
      const headers = { ':message-type': 'exception', ':exception-type': 'throttlingException' }
      response.end(encodeMessage(headers, Buffer.from('{"message":"Too many tokens"}')))
    })
    const response = await gateway.send('/v1/messages', { ...ask, stream: true })
    expect(await response.text()).toContain('"type":"rate_limit_error"')
    expect(await gateway.nextReceipt()).toMatchObject({ outcome: 'upstream_error' })
  })
})

test('a revoked key is tried once, and costs no caller its answer', async () => {
  gateway.upstream.answerWith((request, response) => {
    const isRevoked = request.headers.authorization === 'Bearer sk-revoked'
    response.writeHead(isRevoked ? 401 : 200, { 'content-type': 'application/json' })
    response.end(
      isRevoked
        ? '{"error":{"message":"Incorrect API key provided: sk-rev***ked"}}'
        : '{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}',
    )
  })
  const body = { model: 'shared', messages: [{ role: 'user', content: 'Hello' }] }
  gateway.upstream.seen.length = 0
  for (let i = 0; i < 6; i++) {
    const response = await gateway.send('/v1/chat/completions', body)
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 })
  }
  const tried = gateway.upstream.seen.map(({ headers }) => headers.authorization)
  expect(tried.filter((value) => value === 'Bearer sk-revoked')).toHaveLength(1)
  expect(tried.filter((value) => value === 'Bearer sk-good')).toHaveLength(6)
})
