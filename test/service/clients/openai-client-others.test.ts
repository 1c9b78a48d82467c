import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import { collect, startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// What OpenAI's own client has beside conversations: older completions, moderations and images. And rankings, which it has not.

let gateway: TestGateway
let client: OpenAI

beforeAll(async () => {
  gateway = await startTestGateway({
    models: {
      ranker: {
        provider: 'openai',
        model: 'ranker-1',
        mode: 'rerank',
        price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, feesUsd: { search: 0.002 } },
      },
      'token-ranker': {
        provider: 'openai',
        mode: 'rerank',
        price: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 },
      },
      'house-painter': {
        provider: 'openai',
        mode: 'image',
        price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 },
      },
      painter: { provider: 'openai', model: 'dall-e-3' },
    },
  })
  client = new OpenAI({
    baseURL: `${gateway.service.address}/v1`,
    apiKey: gateway.service.managerKey,
    maxRetries: 0,
  })
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
})

const seen = () => gateway.upstream.seen.at(-1)
const answerWith = (body: unknown) =>
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, body))

const completion = (text: string, finish_reason: string | null = 'stop') => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1_760_000_000,
  model: 'gpt-3.5-turbo-instruct:20230824',
  choices: [{ index: 0, text, logprobs: null, finish_reason }],
})
const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }

describe('older completions', () => {
  const model = 'gpt-3.5-turbo-instruct'

  test('arrive as they are, and cost what the provider counts', async () => {
    answerWith({ ...completion(' there was'), usage })
    const request = { model, prompt: 'Once upon a time', max_tokens: 20 }
    const { data, response } = await client.completions.create(request).withResponse()
    expect(data.choices[0]?.text).toBe(' there was')
    expect(seen()?.path).toBe('/v1/completions')
    expect(seen()?.raw.toString()).toBe(JSON.stringify(request))
    expect(await gateway.receiptOf(response)).toMatchObject({
      outcome: 'ok',
      inputTokens: 10,
      outputTokens: 20,
      // 10 at 1.50 and 20 at 2 USD per million.
      costNanos: 55_000,
    })
  })

  test('are streamed, with the usage that only the receipt shows', async () => {
    gateway.upstream.answerWith(({ body }, response) => {
      const write = startEvents(response)
      write(completion('one ', null))
      write(completion('two'))
      if (body.stream_options?.include_usage) write({ ...completion(''), choices: [], usage })
      write('[DONE]')
      response.end()
    })
    const chunks = await collect(
      await client.completions.create({ model, prompt: 'Count', max_tokens: 20, stream: true }),
    )
    expect(chunks.map(({ choices }) => choices[0]?.text)).toEqual(['one ', 'two'])
    expect(await gateway.nextReceipt()).toMatchObject({ stream: true, costNanos: 55_000, usage: 'provider' })
  })

  test('are judged while they are streamed', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, phase: 'output', action: 'redact' },
    ])
    gateway.upstream.answerWith((_, response) => {
      const write = startEvents(response)
      for (const piece of ['Write to ann', '@example', '.com or not']) write(completion(piece, null))
      write(completion('', 'stop'))
      write('[DONE]')
      response.end()
    })
    const governed = new OpenAI({ baseURL: `${gateway.service.address}/v1`, apiKey: key, maxRetries: 0 })
    const chunks = await collect(
      await governed.completions.create({ model, prompt: 'Whom?', max_tokens: 20, stream: true }),
    )
    const text = chunks.map(({ choices }) => choices[0]?.text ?? '').join('')
    expect(text).toMatch(/^Write to .+ or not$/)
    expect(text).not.toContain('@example')
  })

  test('of token numbers are refused where someone must look at the text', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'secrets', phase: 'input', action: 'block' },
    ])
    const response = await gateway.send('/v1/completions', { model, prompt: [1, 2, 3] }, { key })
    expect(response.status).toBe(403)
    expect(gateway.upstream.seen).toEqual([])
  })

  test.each([
    ['no prompt', {}],
    ['a prompt that names a stored one', { prompt: { id: 'prompt_1' } }],
    ['a prompt in a prompt', { prompt: [['a']] }],
    ['a maximum of chats', { prompt: 'a', max_completion_tokens: 5 }],
    ['too many answers', { prompt: 'a', best_of: 1_000 }],
    ['a switch that is a number', { prompt: 'a', echo: 1 }],
    ['a switch that is a text', { prompt: 'a', echo: 'true' }],
  ])('with %s are refused', async (_, members) => {
    const response = await gateway.send('/v1/completions', { model, ...members })
    expect(response.status).toBe(400)
    expect(gateway.upstream.seen).toEqual([])
  })
})

describe('moderations', () => {
  const verdict = { id: 'modr-1', model: 'omni-moderation', results: [{ flagged: false, categories: {} }] }

  test('are free, and OpenAI’s own model is asked where none is named', async () => {
    answerWith(verdict)
    const { data, response } = await client.moderations.create({ input: 'Hello' }).withResponse()
    expect(data.results[0]?.flagged).toBe(false)
    expect(seen()?.body).toEqual({ input: 'Hello', model: 'omni-moderation-latest' })
    expect(await gateway.receiptOf(response)).toMatchObject({
      model: 'omni-moderation-latest',
      outcome: 'ok',
      costNanos: 0,
    })
  })

  test('do not take a key further than its models', async () => {
    const key = await gateway.key({ allowedModels: ['gpt-4o'] })
    const response = await gateway.send('/v1/moderations', { input: 'Hello' }, { key })
    expect(response.status).toBe(403)
    expect(gateway.upstream.seen).toEqual([])
  })
})

describe('images', () => {
  const picture = { created: 1_760_000_000, data: [{ b64_json: 'iVBORw0KGgo=', revised_prompt: 'A stick' }] }

  test('cost what their size and quality cost, however often they were asked for', async () => {
    answerWith(picture)
    const { data, response } = await client.images
      .generate({ model: 'painter', prompt: 'A tally stick', quality: 'hd', size: '1792x1024' })
      .withResponse()
    expect(data.data?.[0]?.b64_json).toBe('iVBORw0KGgo=')
    expect(seen()?.body).toMatchObject({ model: 'dall-e-3', prompt: 'A tally stick' })
    expect(await gateway.receiptOf(response)).toMatchObject({
      costNanos: 120_000_000,
      counts: { tools: { 'image.hd.1792x1024': 1 } },
      usage: 'provider',
    })
  })

  test('of a size without a price cost as much as the most expensive', async () => {
    answerWith(picture)
    const response = await gateway.send('/v1/images/generations', {
      model: 'dall-e-3',
      prompt: 'A tally stick',
      size: '4096x4096',
    })
    expect(await gateway.receiptOf(response)).toMatchObject({ costNanos: 120_000_000 })
  })

  test('are not streamed, and say so', async () => {
    const response = await gateway.send('/v1/images/generations', {
      model: 'gpt-image-1',
      prompt: 'A tally stick',
      stream: true,
      partial_images: 2,
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('is not supported for images')
  })

  test('of a model without a price for images are not made', async () => {
    for (const model of ['gpt-4o', 'text-embedding-3-small', 'tts-1']) {
      const response = await gateway.send('/v1/images/generations', { model, prompt: 'A tally stick' })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: { type: 'model_not_found' } })
    }
    const chat = await gateway.send('/v1/chat/completions', {
      model: 'dall-e-3',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(chat.status).toBe(404)
    expect(gateway.upstream.seen).toEqual([])
  })

  test('are refused where a budget does not pay for all of them', async () => {
    const { api } = gateway.service
    const { body: made } = await api.post('/v1/keys', { name: 'painter' })
    const scope = { type: 'key', id: made.id }
    await api.post('/v1/budgets', { name: 'paint', scope, amountUsd: 1, period: 'total' })
    const body = { model: 'dall-e-3', prompt: 'A tally stick', n: 30 }
    const response = await gateway.send('/v1/images/generations', body, { key: made.key })
    expect(response.status).toBe(402)
    const unbounded = { model: 'house-painter', prompt: 'A tally stick' }
    const other = await gateway.send('/v1/images/generations', unbounded, { key: made.key })
    expect(other.status).toBe(400)
    expect(await other.text()).toContain('the maximum number of tokens per image is unknown')
    expect(gateway.upstream.seen).toEqual([])
  })
})

describe('rankings', () => {
  const ranked = { results: [{ index: 0, relevance_score: 0.9 }] }
  const request = { query: 'Which one?', documents: ['one', 'two'] }

  test('cost what the provider says that it searched', async () => {
    answerWith({ ...ranked, meta: { billed_units: { search_units: 3 } } })
    const response = await gateway.send('/v1/rerank', { model: 'ranker', ...request })
    expect(await response.json()).toMatchObject(ranked)
    expect(seen()).toMatchObject({ path: '/v1/rerank', body: { model: 'ranker-1' } })
    expect(await gateway.receiptOf(response)).toMatchObject({
      costNanos: 6_000_000,
      counts: { tools: { search: 3 } },
      usage: 'provider',
    })
  })

  test('cost what was reserved, where the provider does not say', async () => {
    answerWith(ranked)
    const response = await gateway.send('/v1/rerank', { model: 'ranker', ...request })
    expect(await gateway.receiptOf(response)).toMatchObject({ costNanos: 2_000_000, usage: 'reserved' })
  })

  test('by tokens cost what the provider counts', async () => {
    answerWith({ ...ranked, usage: { total_tokens: 1_000 } })
    const response = await gateway.send('/v1/rerank', { model: 'token-ranker', ...request })
    expect(await gateway.receiptOf(response)).toMatchObject({ inputTokens: 1_000, costNanos: 1_000_000 })
  })
})
