import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// Counting the tokens of a message: free, but governed like the message itself.

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    providers: (url) => ({
      plain: { type: 'anthropic', baseUrl: `${url}/plain`, dialects: ['messages'], pricesOf: 'anthropic' },
    }),
  })
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, { input_tokens: 4_321 }))
})

const clientWith = (apiKey: string) =>
  new Anthropic({ baseURL: gateway.service.address, apiKey, maxRetries: 0 })
const model = 'claude-sonnet-4-6'
const asking = (content: string) => ({ model, messages: [{ role: 'user' as const, content }] })

test('the vendor counts, the receipt has no cost, and the bytes are the caller’s own', async () => {
  const client = clientWith(gateway.service.managerKey)
  const request = {
    ...asking('Hello!'),
    system: 'Be brief.',
    tools: [{ name: 'f', input_schema: { type: 'object' as const } }],
  }
  expect(await client.messages.countTokens(request)).toEqual({ input_tokens: 4_321 })
  const [seen] = gateway.upstream.seen
  expect(seen?.path).toBe('/v1/messages/count_tokens')
  expect(seen?.raw.toString()).toBe(JSON.stringify(request))
  expect(seen?.headers['x-api-key']).toBe('sk-ant-upstream')
  expect(await gateway.nextReceipt()).toMatchObject({
    outcome: 'ok',
    provider: 'anthropic',
    model,
    costNanos: 0,
    inputTokens: 0,
    outputTokens: 0,
  })
})

test('a provider without the endpoint is not asked: the tokens are counted here', async () => {
  const response = await gateway.send('/v1/messages/count_tokens', {
    ...asking('one two three four five'),
    model: `plain/${model}`,
  })
  const { input_tokens } = (await response.json()) as { input_tokens: number }
  expect(response.status).toBe(200)
  expect(input_tokens).toBeGreaterThan(5)
  expect(input_tokens).toBeLessThan(30)
  expect(gateway.upstream.seen).toEqual([])
  expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok', provider: 'plain', costNanos: 0 })
})

test('it counts as a request, and takes neither tokens nor money', async () => {
  const { body: team } = await gateway.service.api.post('/v1/team/teams', { name: 'poor', budgetPoolUsd: 0 })
  const key = await gateway.key({ rpmLimit: 2, tpmLimit: 1, teamId: team.id })
  const client = clientWith(key)
  await client.messages.countTokens(asking('word '.repeat(1_000)))
  await client.messages.countTokens(asking('again'))
  await expect(client.messages.countTokens(asking('and again'))).rejects.toMatchObject({ status: 429 })
  expect(gateway.upstream.seen).toHaveLength(2)
})

test('policies judge it as they judge a message', async () => {
  const { api } = gateway.service
  const { body: policy } = await api.post('/v1/policies', {
    name: 'no cards',
    kind: 'pii',
    config: { entities: ['credit_card'] },
    phase: 'input',
    action: 'block',
  })
  const client = clientWith(gateway.service.managerKey)
  await expect(client.messages.countTokens(asking('4111 1111 1111 1111'))).rejects.toMatchObject({
    status: 403,
  })
  expect(gateway.upstream.seen).toEqual([])
  await api.patch(`/v1/policies/${policy.id}`, { action: 'redact' })
  await client.messages.countTokens(asking('My card: 4111 1111 1111 1111.'))
  expect(JSON.stringify(gateway.upstream.seen[0]?.body)).not.toContain('4111')
})

test('a model of a provider without messages is refused, with words', async () => {
  const response = await gateway.send('/v1/messages/count_tokens', { ...asking('Hello'), model: 'gpt-4o' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('does not support this endpoint')
})
