import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())

const call = (more: object) =>
  gateway.send('/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }], ...more })

describe('calls that ask for more than any model can say', () => {
  test('cost what the model can say at most, when their provider breaks off', async () => {
    const { api } = gateway.service
    gateway.upstream.answerWith((_, response) => void response.destroy())
    for (let i = 0; i < 3; i++) {
      const response = await call({ model: 'gpt-4', max_tokens: 1_000_000_000, n: 128 })
      expect(response.status).toBe(502)
      // 128 answers as long as the context window of 8,192 tokens, at 60 USD per million.
      expect(await gateway.receiptOf(response)).toMatchObject({
        usage: 'reserved',
        outputTokens: 128 * 8_192,
      })
    }
    const budget = { name: 'All', scope: { type: 'tenant' }, amountUsd: 1_000, period: 'total' }
    expect((await api.post('/v1/budgets', budget)).status).toBe(201)
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'x' })))
    expect((await call({ model: 'gpt-4o-mini', max_tokens: 5 })).status).toBe(200)
  })
})
