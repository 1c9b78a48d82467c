import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEvents } from '../../harness/providers/upstream.js'
import { waitFor } from '../../harness/run/wait.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// Streams that end before their count has come: what nobody saw may have been produced all the same.

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      hasty: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        pricesOf: 'openai',
        timeouts: { totalMs: 4_000, hangUpGraceMs: 200 },
      },
    }),
  })
})
afterAll(() => gateway.stop())

const body = {
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens: 1_000,
  stream: true,
}
const chunk = (content: string, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'gpt-4o',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...more,
})

describe('a stream that is cut short', () => {
  test('while its caller does not read costs what was reserved: the rest of it was not seen', async () => {
    const pad = 'x'.repeat(64 * 1024)
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      for (let sent = 0; sent < 800; sent++) send(chunk(' word', { pad }))
      response.end('data: [DONE]\n\n')
    })
    const { hostname, port } = new URL(gateway.service.address)
    const key = await gateway.key()
    const caller = request({
      ...{ hostname, port, method: 'POST', path: '/v1/chat/completions' },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    caller.end(JSON.stringify({ ...body, model: 'hasty/gpt-4o' }))
    const [response] = await once(caller, 'response')
    response.pause()
    const receipt = await gateway.nextReceipt()
    expect(receipt).toMatchObject({ outcome: 'upstream_error', usage: 'reserved', outputTokens: 1_000 })
    caller.destroy()
  })

  test('after one of its choices has ended is not counted by what was said of that one', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      const ended = [{ index: 0, delta: {}, finish_reason: 'stop' }]
      send(chunk('Yes.', { usage }))
      send(chunk('', { choices: ended, usage }))
      send(
        chunk('', {
          choices: [{ index: 1, delta: { content: 'A much longer answer' }, finish_reason: null }],
        }),
      )
      response.write(': more is to come\n\n', () => response.destroy())
    })
    const response = await gateway.send('/v1/chat/completions', { ...body, n: 2 })
    await response.text().catch(() => '')
    const receipt = await waitFor('the receipt', () => gateway.receiptOf(response).catch(() => undefined))
    expect(receipt).toMatchObject({ usage: 'reserved', outputTokens: 2 * body.max_tokens })
  })

  test('after its only choice has ended is counted: nothing but its usage is missing', async () => {
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      send(chunk('Yes.'))
      send(chunk('', { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
      response.write(': usage is to come\n\n', () => response.destroy())
    })
    const response = await gateway.send('/v1/chat/completions', body)
    await response.text().catch(() => '')
    const receipt = await waitFor('the receipt', () => gateway.receiptOf(response).catch(() => undefined))
    expect(receipt).toMatchObject({ usage: 'counted', outputTokens: 2 + 8 })
  })

  test('with both choices ended has the count that came last', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 }
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      for (const index of [0, 1]) send(chunk('', { choices: [{ index, delta: {}, finish_reason: 'stop' }] }))
      send({ ...chunk(''), choices: [], usage })
      response.end()
    })
    const response = await gateway.send('/v1/chat/completions', { ...body, n: 2 })
    await response.text()
    expect(await gateway.receiptOf(response)).toMatchObject({
      outcome: 'ok',
      usage: 'provider',
      outputTokens: 7,
    })
  })
})
