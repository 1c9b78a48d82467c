import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Script, sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// The input of a large call is reserved by its bytes where there is ample room, and counted everywhere else.

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const words = 1_500
const text = 'tally '.repeat(words)
const body = { model: 'gpt-4o-mini', max_tokens: 100, messages: [{ role: 'user', content: text }] }
const answer = chatAnswer({ content: 'Hi' })
const silent: Script = (_, response) => sendJson(response, 200, { ...answer, usage: undefined })
const reporting: Script = (_, response) =>
  sendJson(response, 200, { ...answer, usage: { prompt_tokens: words, completion_tokens: 5 } })

const call = (key: string, fields: object = {}) =>
  gateway.send('/v1/chat/completions', { ...body, ...fields }, { key })
const remaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining-tokens'))

test('a large call whose provider reports no usage costs its tokens, not its bytes', async () => {
  gateway.upstream.answerWith(silent)
  const response = await call(await gateway.key())
  expect(response.status).toBe(200)
  const { usage, inputTokens = 0 } = await gateway.receiptOf(response)
  expect(usage).toBe('counted')
  expect(inputTokens).toBeGreaterThanOrEqual(words)
  expect(inputTokens).toBeLessThan(words + 100)
})

test('a large call whose provider breaks off costs its counted tokens, and the output that was reserved', async () => {
  gateway.upstream.answerWith((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"id"')
    setTimeout(() => response.destroy(), 20)
  })
  const response = await call(await gateway.key())
  expect(response.status).toBe(502)
  const { usage, inputTokens = 0, outputTokens } = await gateway.receiptOf(response)
  expect([usage, outputTokens]).toEqual(['reserved', 100])
  expect(inputTokens).toBeGreaterThanOrEqual(words)
  expect(inputTokens).toBeLessThan(words + 100)
})

test('with ample room its bytes are reserved while it runs, and its tokens stay taken', async () => {
  gateway.upstream.answerWith(reporting)
  const limit = 1_000_000
  const key = await gateway.key({ tpmLimit: limit })
  expect(limit - remaining(await call(key))).toBeGreaterThan(text.length)
  const small = await call(key, { messages: [{ role: 'user', content: 'Hi' }] })
  const taken = limit - remaining(small)
  expect(taken).toBeGreaterThan(words + 5)
  expect(taken).toBeLessThan(words + 200)
})

test('it is admitted where its tokens fit and its bytes do not', async () => {
  gateway.upstream.answerWith(reporting)
  const key = await gateway.key({ tpmLimit: 2_000 })
  const first = await call(key)
  expect(first.status).toBe(200)
  expect(remaining(first)).toBeGreaterThan(0)
  expect((await call(key)).status).toBe(429)
})

test('a call that can never fit is refused with its number of counted tokens', async () => {
  const response = await call(await gateway.key({ tpmLimit: 1_000 }))
  expect(response.status).toBe(400)
  expect(await response.text()).toMatch(/This call may use 16\d\d tokens, and the limit is 1000 /)
})

test('30 at once cannot overspend a budget that fits ten', async () => {
  gateway.upstream.answerWith(reporting)
  const key = await gateway.key()
  // Each costs 228 µ$ and may cost 10 more: 1,520 tokens at $0.15 and 100 at $0.60 for a million.
  const { body: listed } = await gateway.service.api.get('/v1/keys')
  const { id } = listed.data[0]
  const budget = { name: 'ten', scope: { type: 'key', id }, amountUsd: 0.003, action: 'block' }
  expect((await gateway.service.api.post('/v1/budgets', budget)).status).toBe(201)
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(key)))
  const paid = answers.filter(({ status }) => status === 200)
  expect(paid.length).toBeGreaterThan(8)
  const receipts = await Promise.all(paid.map((each) => gateway.receiptOf(each)))
  const spentNanos = receipts.reduce((sum, { costNanos = 0 }) => sum + costNanos, 0)
  expect(spentNanos).toBeLessThanOrEqual(3_000_000)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(30 - paid.length)
})
