import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import {
  anthropicError,
  messageAnswer,
  messageCostNanos,
  messageEvents,
  messageModel,
  messageUsage,
  streamNamed,
  textBlock,
  toolBlock,
} from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import { collect, makeGate, shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// Anthropic's own client, told nothing but another base URL and another key.

let gateway: TestGateway
let client: Anthropic

beforeAll(async () => {
  gateway = await shareTestGateway()
  client = new Anthropic({
    baseURL: gateway.service.address,
    apiKey: gateway.service.managerKey,
    maxRetries: 0,
  })
})
afterAll(() => gateway.stop())

const model = 'claude-sonnet-4-6'
const hello = [{ role: 'user' as const, content: 'Hello!' }]
const basic = { model, max_tokens: 1_024, messages: hello }
const weatherTool = {
  name: 'get_weather',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
}
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const seen = () => gateway.upstream.seen.at(-1)
const answerText = (text: string) =>
  gateway.upstream.answerWith((_, response) =>
    sendJson(response, 200, messageAnswer([{ type: 'text', text }]), { 'request-id': 'req_up' }),
  )
const streamText = (...pieces: string[]) =>
  gateway.upstream.answerWith((_, response) => streamNamed(response, messageEvents([textBlock(...pieces)])))

describe('messages', () => {
  test('a plain answer arrives as the provider gave it', async () => {
    answerText('Hi there.')
    const message = await client.messages.create(basic)
    expect(message.content).toEqual([{ type: 'text', text: 'Hi there.' }])
    expect(message.usage).toEqual(messageUsage)
    expect(message._request_id).toBe('req_up')
    expect(seen()).toMatchObject({ path: '/v1/messages', body: basic })
    expect(await gateway.nextReceipt()).toMatchObject({
      outcome: 'ok',
      provider: 'anthropic',
      model,
      upstream: messageModel,
      inputTokens: 1_000,
      cachedTokens: 300,
      outputTokens: 100,
      costNanos: messageCostNanos,
      stream: false,
      status: 200,
    })
  })

  test("the caller's key stays here, the provider's own goes out, and so do version and betas", async () => {
    const headers = { 'anthropic-beta': 'files-api-2025-04-14', 'anthropic-version': '2023-06-01' }
    await client.messages.create(basic, { headers })
    expect(seen()?.headers).toMatchObject({ 'x-api-key': 'sk-ant-upstream', ...headers })
    expect(JSON.stringify(seen()?.headers)).not.toContain(gateway.service.managerKey)
  })

  test('a key sent as a bearer token works as well', async () => {
    const bearer = new Anthropic({
      baseURL: gateway.service.address,
      apiKey: null,
      authToken: gateway.service.managerKey,
      maxRetries: 0,
    })
    expect((await bearer.messages.create(basic)).content).toHaveLength(1)
    expect(seen()?.headers.authorization).toBeUndefined()
  })

  test('the raw response shows our headers beside the body', async () => {
    const { data, response } = await client.messages.create(basic).withResponse()
    expect(data.model).toBe(messageModel)
    expect(response.headers.get('x-tallystick-cost-usd')).toBe('0.00384')
    const receipt = await gateway.receiptOf(response)
    expect(response.headers.get('x-tallystick-receipt')).toBe(String(receipt.seq))
  })

  test('system prompts, cache marks, images, documents and thinking reach the provider untouched', async () => {
    const request: Anthropic.MessageCreateParamsNonStreaming = {
      model,
      max_tokens: 4_096,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      metadata: { user_id: 'u1' },
      stop_sequences: ['END'],
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A page.' } },
          ],
        },
      ],
    }
    await client.messages.create(request)
    expect(seen()?.raw.toString()).toBe(JSON.stringify(request))
  })

  test('tool use and its result make the round trip', async () => {
    const use = { type: 'tool_use' as const, id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } }
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, messageAnswer([use], 'tool_use')))
    const first = await client.messages.create({ ...basic, tools: [weatherTool] })
    expect(first).toMatchObject({ stop_reason: 'tool_use', content: [use] })

    answerText('It is 15 °C.')
    const second = await client.messages.create({
      ...basic,
      tools: [weatherTool],
      messages: [
        ...hello,
        { role: 'assistant', content: [use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '15' }] },
      ],
    })
    expect(second.content[0]).toMatchObject({ text: 'It is 15 °C.' })
  })

  test('the beta interface works too', async () => {
    answerText('Beta.')
    const message = await client.beta.messages.create({ ...basic, betas: ['output-128k-2025-02-19'] })
    expect(message.content[0]).toMatchObject({ text: 'Beta.' })
    expect(seen()?.headers['anthropic-beta']).toBe('output-128k-2025-02-19')
  })

  test('a refusal that costs nothing but input is recorded as what it is', async () => {
    const refusal = { ...messageAnswer([], 'refusal'), usage: { input_tokens: 10, output_tokens: 0 } }
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, refusal))
    const { data, response } = await client.messages.create(basic).withResponse()
    expect(data.stop_reason).toBe('refusal')
    expect(await gateway.receiptOf(response)).toMatchObject({
      inputTokens: 10,
      outputTokens: 0,
      cachedTokens: 0,
      costNanos: 30_000,
    })
  })

  test('a plain call can be aborted by a signal, and costs what the provider bills', async () => {
    const arrived = makeGate()
    const left = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      arrived.open()
      await left.passed
      sendJson(response, 200, messageAnswer([{ type: 'text', text: 'Too late.' }]))
    })
    const controller = new AbortController()
    const call = client.messages.create(basic, { signal: controller.signal })
    await arrived.passed
    controller.abort()
    await expect(call).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    await gateway.noticeHangUp()
    left.open()
    expect(await gateway.nextReceipt()).toMatchObject({
      outcome: 'aborted',
      status: 499,
      usage: 'provider',
      costNanos: messageCostNanos,
    })
  })
})

describe('streams', () => {
  test('are read event by event, and receipted with the last', async () => {
    streamText('Hel', 'lo')
    const { data: stream, response } = await client.messages.create({ ...basic, stream: true }).withResponse()
    const events = await collect(stream)
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(await gateway.receiptOf(response)).toMatchObject({
      stream: true,
      inputTokens: 1_000,
      cachedTokens: 300,
      outputTokens: 100,
      costNanos: messageCostNanos,
      upstream: messageModel,
    })
    expect(seen()?.raw.toString()).toBe(JSON.stringify({ ...basic, stream: true }))
  })

  test('give their final message', async () => {
    streamText('One ', 'two')
    const message = await client.messages.stream(basic).finalMessage()
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'One two' }],
      stop_reason: 'end_turn',
      usage: { output_tokens: 100 },
    })
  })

  test('give their final text, and tell each delta', async () => {
    streamText('One ', 'two')
    const deltas: string[] = []
    const stream = client.messages.stream(basic).on('text', (delta) => deltas.push(delta))
    expect(await stream.finalText()).toBe('One two')
    expect(deltas).toEqual(['One ', 'two'])
  })

  test('put tool input together from its deltas', async () => {
    gateway.upstream.answerWith((_, response) =>
      streamNamed(response, messageEvents([textBlock('Let me look.'), toolBlock], 'tool_use')),
    )
    const message = await client.messages.stream({ ...basic, tools: [weatherTool] }).finalMessage()
    expect(message.content[1]).toMatchObject({
      type: 'tool_use',
      name: 'get_weather',
      input: { city: 'Paris' },
    })
  })

  test('carry thinking and its signature', async () => {
    const thinking = {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: 'Hmm.' },
        { type: 'signature_delta', signature: 'EqQBCgIYAg==' },
      ],
    }
    gateway.upstream.answerWith((_, response) =>
      streamNamed(response, messageEvents([thinking, textBlock('So.')])),
    )
    const message = await client.messages.stream(basic).finalMessage()
    expect(message.content[0]).toMatchObject({
      type: 'thinking',
      thinking: 'Hmm.',
      signature: 'EqQBCgIYAg==',
    })
  })

  test('through the beta interface are the same', async () => {
    streamText('Beta.')
    expect(await client.beta.messages.stream({ ...basic, betas: [] }).finalText()).toBe('Beta.')
  })

  test('that the client leaves early end the provider call and cost what was reserved', async () => {
    const before = gateway.upstream.aborted
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      for (const event of messageEvents([textBlock('Once upon')]).slice(0, 4)) send(event, event.type)
    })
    const { data: stream, response } = await client.messages.create({ ...basic, stream: true }).withResponse()
    for await (const event of stream) if (event.type === 'content_block_delta') break
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
    const receipt = await waitFor('the receipt', () => gateway.receiptOf(response).catch(() => null))
    expect(receipt).toMatchObject({
      outcome: 'aborted',
      status: 499,
      usage: 'reserved',
      outputTokens: basic.max_tokens,
    })
  })

  test('abort() on the helper ends them too', async () => {
    const before = gateway.upstream.aborted
    const stream = client.messages.stream(basic)
    stream.on('text', () => stream.abort())
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
  })
})

describe('models', () => {
  test('are listed', async () => {
    const models = await collect(client.models.list())
    expect(models.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6']),
    )
    expect(
      models.every(({ type, created_at }) => type === 'model' && !Number.isNaN(Date.parse(created_at))),
    ).toBe(true)
  })

  test('come in pages of the size that was asked for, in both directions', async () => {
    const all = (await collect(client.models.list())).map(({ id }) => id)
    const pages = await client.models.list({ limit: 2 })
    expect(pages).toMatchObject({ has_more: true, first_id: all[0], last_id: all[1] })
    expect((await collect(pages)).map(({ id }) => id)).toEqual(all)
    const [first] = all
    expect(
      (await collect(client.models.list({ limit: 3, after_id: first ?? '' }))).map(({ id }) => id),
    ).toEqual(all.slice(1))
    const before = await client.models.list({ limit: 2, before_id: all.at(-1) ?? '' })
    expect(before.data.map(({ id }) => id)).toEqual(all.slice(-3, -1))
    expect(before.has_more).toBe(true)
    expect((await collect(before)).map(({ id }) => id).sort()).toEqual(all.slice(0, -1).sort())
    for (const query of [{ limit: 0 }, { limit: 1_001 }, { after_id: 'no-such' }, { before_id: 'no-such' }])
      await expect(client.models.list(query)).rejects.toBeInstanceOf(Anthropic.BadRequestError)
  })

  test('are listed in the shape of the client that asks', async () => {
    const { address, managerKey } = gateway.service
    const read = async (headers: Record<string, string>, query = '') => {
      const answer = await fetch(`${address}/v1/models${query}`, { headers })
      return JSON.parse(await answer.text())
    }
    const bearer = { authorization: `Bearer ${managerKey}` }
    const openAi = await read(bearer, '?limit=1')
    expect(Object.keys(openAi)).toEqual(['object', 'data'])
    expect(openAi.data.length).toBeGreaterThan(1)
    expect(Object.keys(openAi.data[0])).toEqual(['id', 'object', 'created', 'owned_by', 'endpoints'])
    for (const headers of [
      { ...bearer, 'anthropic-version': '2023-06-01' },
      { 'x-api-key': managerKey },
      { 'x-tallystick-key': managerKey, 'anthropic-version': '2023-06-01' },
    ]) {
      const anthropic = await read(headers)
      expect(Object.keys(anthropic)).toEqual(['data', 'has_more', 'first_id', 'last_id'])
      expect(Object.keys(anthropic.data[0])).toEqual(['id', 'type', 'display_name', 'created_at'])
      expect(anthropic.data.map(({ id }: { id: string }) => id)).toEqual(
        openAi.data.map(({ id }: { id: string }) => id),
      )
    }
  })

  test('are read one by one', async () => {
    expect(await client.models.retrieve('claude-sonnet-4-6')).toMatchObject({
      id: 'claude-sonnet-4-6',
      type: 'model',
      display_name: 'claude-sonnet-4-6',
    })
    await expect(client.models.retrieve('no-such')).rejects.toBeInstanceOf(Anthropic.NotFoundError)
  })
})

describe('errors', () => {
  test.each([
    [400, Anthropic.BadRequestError, anthropicError('invalid_request_error', 'max_tokens: too large')],
    [403, Anthropic.PermissionDeniedError, anthropicError('permission_error', 'Not for you')],
    [404, Anthropic.NotFoundError, anthropicError('not_found_error', 'model: no-such')],
    [413, Anthropic.APIError, anthropicError('request_too_large', 'Request exceeds the maximum size')],
    [
      429,
      Anthropic.RateLimitError,
      anthropicError('rate_limit_error', 'Number of request tokens has exceeded'),
    ],
    [500, Anthropic.InternalServerError, anthropicError('api_error', 'Internal server error')],
    [529, Anthropic.InternalServerError, anthropicError('overloaded_error', 'Overloaded')],
  ])(
    "the provider's %i reaches the client as its own type, plain and streamed",
    async (status, type, body) => {
      gateway.upstream.answerWith((_, response) =>
        sendJson(response, status, body, { 'request-id': 'req_up', 'retry-after': '7' }),
      )
      for (const stream of [false, true]) {
        const fault: unknown = await client.messages.create({ ...basic, stream }).catch((error) => error)
        expect(fault).toBeInstanceOf(type)
        expect(fault).toMatchObject({ status, requestID: 'req_up', error: body })
      }
    },
  )

  test('that the provider refuses our key is a typed error, and tells nothing of the key', async () => {
    const refusal = anthropicError('authentication_error', 'invalid x-api-key sk-ant-…7f3a')
    gateway.upstream.answerWith((_, response) => sendJson(response, 401, refusal))
    const fault: unknown = await client.messages.create(basic).catch((error) => error)
    expect(fault).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(fault).toMatchObject({ message: expect.stringMatching(/refused this service's own key/) })
    expect(String(fault)).not.toContain('7f3a')
  })

  test('our own refusals are typed errors in the shape that the client knows', async () => {
    const anonymous = new Anthropic({
      baseURL: gateway.service.address,
      apiKey: 'sk-ant-not-ours',
      maxRetries: 0,
    })
    await expect(anonymous.messages.create(basic)).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
    await expect(client.messages.create({ ...basic, model: 'no-such' })).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'model_not_found', code: 404 } },
    })
    const narrow = client.withOptions({ apiKey: await gateway.key({ allowedModels: [], rpmLimit: 1 }) })
    await expect(narrow.messages.create(basic)).rejects.toBeInstanceOf(Anthropic.PermissionDeniedError)
    await expect(narrow.messages.create(basic)).rejects.toBeInstanceOf(Anthropic.RateLimitError)
  })

  test('the client retries an overloaded provider', async () => {
    let calls = 0
    gateway.upstream.answerWith((_, response) => {
      if (++calls === 1)
        sendJson(response, 529, anthropicError('overloaded_error', 'Overloaded'), { 'retry-after-ms': '1' })
      else sendJson(response, 200, messageAnswer([{ type: 'text', text: 'Now.' }]))
    })
    expect((await client.messages.create(basic, { maxRetries: 1 })).content[0]).toMatchObject({
      text: 'Now.',
    })
  })

  test('an error that the provider sends inside a stream is thrown by the client', async () => {
    gateway.upstream.answerWith((_, response) =>
      streamNamed(response, [
        ...messageEvents([textBlock('Hel')]).slice(0, 4),
        anthropicError('overloaded_error', 'Overloaded'),
      ]),
    )
    await expect(client.messages.stream(basic).finalMessage()).rejects.toMatchObject({
      error: { error: { type: 'overloaded_error' } },
    })
  })

  test('a stream that breaks in the middle is an error to the client, not a short answer', async () => {
    gateway.upstream.answerWith((_, response) =>
      streamNamed(response, messageEvents([textBlock('Hel', 'lo')]).slice(0, 4)),
    )
    await expect(client.messages.stream(basic).finalMessage()).rejects.toMatchObject({
      error: { error: { type: 'upstream_error' } },
    })
  })
})
