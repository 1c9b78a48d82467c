import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// A conversation in a shorter form: `POST /v1/responses/compact`.

const path = '/v1/responses/compact'
const model = 'gpt-4o-mini'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look:' }] }
const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VhbGVk' }
const compacted = {
  id: 'resp_1',
  object: 'response.compaction',
  created_at: 1_760_000_000,
  output: [user, compaction],
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 30,
    output_tokens_details: { reasoning_tokens: 10 },
    total_tokens: 130,
  },
}

test('the mock provider keeps what the user said and seals the rest', async () => {
  const response = await gateway.send(path, { model: 'mock/echo', input: 'Hello, tally!' })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    object: 'response.compaction',
    output: [{ role: 'user', content: 'Hello, tally!' }, { type: 'compaction' }],
    usage: { input_tokens: 2, output_tokens: 2 },
  })
})

test('a provider gets the caller’s bytes, and its count is in the receipt', async () => {
  gateway.upstream.seen.length = 0
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, compacted))
  const request = { model, instructions: 'Be kind.', input: [user, compaction] }
  const response = await gateway.send(path, request)
  expect(await response.json()).toEqual(compacted)
  const [seen] = gateway.upstream.seen
  expect(seen?.path).toBe(path)
  expect(seen?.raw.toString()).toBe(JSON.stringify(request))
  expect(await gateway.receiptOf(response)).toMatchObject({
    outcome: 'ok',
    inputTokens: 100,
    cachedTokens: 40,
    outputTokens: 30,
  })
})

test('it cannot be streamed, nor go on from an answer that was issued to nobody here', async () => {
  gateway.upstream.seen.length = 0
  const streamed = await gateway.send(path, { model, input: 'Hi', stream: true })
  expect(streamed.status).toBe(400)
  const named = await gateway.send(path, { model, previous_response_id: 'resp_of_another' })
  expect(named.status).toBe(404)
  expect(gateway.upstream.seen).toEqual([])
})

test('a budget that does not pay for the longest answer of the model refuses it', async () => {
  gateway.upstream.seen.length = 0
  const { api } = gateway.service
  const { body: made } = await api.post('/v1/keys', { name: 'compactor' })
  const scope = { type: 'key', id: made.id }
  await api.post('/v1/budgets', { name: 'small', scope, amountUsd: 0.005, period: 'total' })
  const response = await gateway.send(path, { model, input: 'Hi' }, { key: made.key })
  expect(response.status).toBe(402)
  expect(gateway.upstream.seen).toEqual([])
})
