import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  chatChunk,
  chatCostNanos,
  chatModel,
  chatUsage,
  embeddingAnswer,
  openAiError,
  responseAnswer,
  responseEvents,
  responseMessage,
  responseToolCall,
  responseToolEvents,
  streamChat,
  streamNamed,
  weatherCall,
} from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import { collect, makeGate, shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// OpenAI's own client, told nothing but another base URL and another key.

let gateway: TestGateway
let client: OpenAI

beforeAll(async () => {
  gateway = await shareTestGateway()
  client = new OpenAI({
    baseURL: `${gateway.service.address}/v1`,
    apiKey: gateway.service.managerKey,
    maxRetries: 0,
  })
})
afterAll(() => gateway.stop())

const model = 'gpt-4o-mini'
const hello = [{ role: 'user' as const, content: 'Hello!' }]
const weatherTool = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    strict: true,
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
}
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const seen = () => gateway.upstream.seen.at(-1)

describe('chat completions', () => {
  test('a plain answer arrives as the provider gave it', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'Hi there.' }), { 'x-request-id': 'req_up' }),
    )
    const completion = await client.chat.completions.create({ model, messages: hello })
    expect(completion.choices[0]?.message.content).toBe('Hi there.')
    expect(completion.usage).toEqual(chatUsage)
    expect(completion._request_id).toBe('req_up')
    expect(seen()).toMatchObject({ path: '/v1/chat/completions', body: { model, messages: hello } })
    expect(seen()?.headers.authorization).toBe('Bearer sk-upstream')
    expect(await gateway.nextReceipt()).toMatchObject({
      outcome: 'ok',
      provider: 'openai',
      model,
      upstream: chatModel,
      inputTokens: 1_000,
      cachedTokens: 400,
      outputTokens: 200,
      costNanos: chatCostNanos,
      stream: false,
      status: 200,
    })
  })

  test('the raw response shows our headers beside the body', async () => {
    const { data, response } = await client.chat.completions.create({ model, messages: hello }).withResponse()
    expect(data.model).toBe(chatModel)
    const receipt = await gateway.receiptOf(response)
    expect(response.headers.get('x-tallystick-receipt')).toBe(String(receipt.seq))
    expect(response.headers.get('x-tallystick-cost-usd')).toBe('0.00024')
    expect(response.headers.get('x-tallystick-request-id')).toMatch(/^req_/)
    // After the price that applied, and the first call.
    expect(receipt).toMatchObject({ seq: 3, costNanos: chatCostNanos })
  })

  test('system prompts, images and sampling settings reach the provider untouched', async () => {
    const request = {
      model,
      temperature: 0.2,
      top_p: 0.9,
      seed: 7,
      user: 'u1',
      metadata: { a: 'b' },
      response_format: { type: 'json_object' as const },
      messages: [
        { role: 'developer' as const, content: 'Be brief.' },
        {
          role: 'user' as const,
          content: [
            { type: 'text' as const, text: 'What is this?' },
            { type: 'image_url' as const, image_url: { url: pixel, detail: 'low' as const } },
          ],
        },
      ],
    }
    await client.chat.completions.create(request)
    expect(seen()?.raw.toString()).toBe(JSON.stringify(request))
  })

  test('tool calls and their results make the round trip', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ tool_calls: [weatherCall] })),
    )
    const first = await client.chat.completions.create({ model, messages: hello, tools: [weatherTool] })
    const message = first.choices[0]?.message
    expect(message?.tool_calls).toEqual([weatherCall])
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')

    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'It is 15 °C.' })),
    )
    const second = await client.chat.completions.create({
      model,
      tools: [weatherTool],
      messages: [
        ...hello,
        ...(message ? [message] : []),
        { role: 'tool', tool_call_id: weatherCall.id, content: '15' },
      ],
    })
    expect(second.choices[0]?.message.content).toBe('It is 15 °C.')
    expect(seen()?.body.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_abc123', content: '15' })
  })

  test('runTools drives a whole tool loop', async () => {
    gateway.upstream.answerWith(({ body }, response) =>
      sendJson(
        response,
        200,
        body.messages.at(-1).role === 'tool'
          ? chatAnswer({ content: `It is ${body.messages.at(-1).content}.` })
          : chatAnswer({ tool_calls: [weatherCall] }),
      ),
    )
    const runner = client.chat.completions.runTools({
      model,
      messages: hello,
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Weather',
            parameters: { type: 'object', properties: {} },
            parse: JSON.parse,
            function: ({ city }: { city: string }) => `sunny in ${city}`,
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('It is sunny in Paris.')
  })

  test('several choices arrive, and are paid for once as the provider counted them', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'A' }, { content: 'B' }, { content: 'C' })),
    )
    const { data, response } = await client.chat.completions
      .create({ model, messages: hello, n: 3, max_completion_tokens: 5 })
      .withResponse()
    expect(data.choices.map(({ message }) => message.content)).toEqual(['A', 'B', 'C'])
    expect(await gateway.receiptOf(response)).toMatchObject({ outputTokens: 200, costNanos: chatCostNanos })
  })

  test('parse reads a structured answer', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: '{"answer":42}' })),
    )
    const format = {
      type: 'json_schema' as const,
      json_schema: { name: 'a', strict: true, schema: { type: 'object' } },
    }
    const completion = await client.chat.completions.parse({
      model,
      messages: hello,
      response_format: format,
    })
    expect(completion.choices[0]?.message.content).toBe('{"answer":42}')
    expect(seen()?.body.response_format).toEqual(format)
  })

  test('a stream is read event by event, without the usage chunk that nobody asked for', async () => {
    gateway.upstream.answerWith((_, response) =>
      streamChat(response, [{ content: 'Hel' }, { content: 'lo' }]),
    )
    const stream = await client.chat.completions.create({ model, messages: hello, stream: true })
    const chunks = await collect(stream)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello')
    expect(chunks.every((chunk) => chunk.choices.length === 1 && !chunk.usage)).toBe(true)
    expect(seen()?.body).toEqual({
      model,
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    })
    await gateway.nextReceipt()
  })

  test('a stream whose usage was asked for ends with it', async () => {
    gateway.upstream.answerWith((_, response) => streamChat(response, [{ content: 'Hello' }]))
    const stream = await client.chat.completions.create({
      model,
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await collect(stream)
    expect(chunks.at(-1)?.usage).toEqual(chatUsage)
  })

  test('streamed tool calls are put together from their deltas', async () => {
    gateway.upstream.answerWith((_, response) =>
      streamChat(
        response,
        [
          {
            tool_calls: [
              {
                index: 0,
                id: weatherCall.id,
                type: 'function',
                function: { name: 'get_weather', arguments: '' },
              },
            ],
          },
          { tool_calls: [{ index: 0, function: { arguments: '{"city":"Paris",' } }] },
          { tool_calls: [{ index: 0, function: { arguments: '"unit":"celsius"}' } }] },
        ],
        { finish: 'tool_calls' },
      ),
    )
    const stream = client.chat.completions.stream({ model, messages: hello, tools: [weatherTool] })
    const completion = await stream.finalChatCompletion()
    expect(completion.choices[0]?.message.tool_calls?.[0]).toMatchObject(weatherCall)
  })

  test('the stream helper tells deltas, the final text and the total usage', async () => {
    gateway.upstream.answerWith((_, response) =>
      streamChat(response, [{ content: 'One ' }, { content: 'two' }]),
    )
    const stream = client.chat.completions.stream({
      model,
      messages: hello,
      stream_options: { include_usage: true },
    })
    const deltas: string[] = []
    stream.on('content', (delta) => deltas.push(delta))
    expect(await stream.finalContent()).toBe('One two')
    expect(deltas).toEqual(['One ', 'two'])
    expect(await stream.totalUsage()).toMatchObject({ prompt_tokens: 1_000, completion_tokens: 200 })
  })

  test('a stream the client aborts ends the provider call after a while and is receipted as such', async () => {
    const before = gateway.upstream.aborted
    const { database, tenantId } = gateway.service
    const last = (await database.query('select 1 from receipts where tenant_id = $1', [tenantId])).length
    gateway.upstream.answerWith(
      (_, response) => void startEvents(response)(chatChunk({ content: 'Once upon' })),
    )
    const stream = await client.chat.completions.create({ model, messages: hello, stream: true })
    for await (const chunk of stream) {
      expect(chunk.choices[0]?.delta.content).toBe('Once upon')
      stream.controller.abort()
    }
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
    const receipt = await waitFor('the receipt', async () => {
      const rows = await database.query<{ canonical: string }>(
        "select canonical from receipts where tenant_id = $1 and seq > $2 and canonical::json ->> 'outcome' is not null",
        [tenantId, last],
      )
      return rows[0] && JSON.parse(rows[0].canonical)
    })
    expect(receipt).toMatchObject({ outcome: 'aborted', status: 499, usage: 'reserved' })
  })

  test('a plain call can be aborted by a signal, and costs what the provider bills', async () => {
    const answer = chatAnswer({ content: 'In time.' })
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, answer))
    const before = await client.chat.completions.create({ model, messages: hello }).withResponse()
    await gateway.receiptOf(before.response)
    const arrived = makeGate()
    const left = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      arrived.open()
      await left.passed
      sendJson(response, 200, answer)
    })
    const controller = new AbortController()
    const call = client.chat.completions.create({ model, messages: hello }, { signal: controller.signal })
    await arrived.passed
    controller.abort()
    await expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    await gateway.noticeHangUp()
    left.open()
    expect(await gateway.nextReceipt()).toMatchObject({
      outcome: 'aborted',
      status: 499,
      usage: 'provider',
      costNanos: chatCostNanos,
    })
  })
})

describe('responses', () => {
  test('a plain response arrives with its text', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, responseAnswer(responseMessage('Bonjour.'))),
    )
    const { data, response } = await client.responses
      .create({ model, instructions: 'Be French.', input: 'Hello' })
      .withResponse()
    expect(data.output_text).toBe('Bonjour.')
    expect(seen()).toMatchObject({
      path: '/v1/responses',
      body: { instructions: 'Be French.', input: 'Hello' },
    })
    expect(await gateway.receiptOf(response)).toMatchObject({
      inputTokens: 1_000,
      cachedTokens: 400,
      outputTokens: 200,
      costNanos: chatCostNanos,
    })
  })

  test('images, tools and earlier outputs go through', async () => {
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, responseAnswer(responseToolCall)))
    const response = await client.responses.create({
      model,
      tools: [{ type: 'function', name: 'get_weather', parameters: { type: 'object' }, strict: false }],
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Here?' },
            { type: 'input_image', image_url: pixel, detail: 'auto' },
          ],
        },
        { type: 'function_call_output', call_id: 'call_1', output: '15' },
      ],
    })
    expect(response.output[0]).toMatchObject({ type: 'function_call', name: 'get_weather' })
    expect(seen()?.body.input[0].content[1].image_url).toBe(pixel)
  })

  test('a streamed response is read event by event', async () => {
    gateway.upstream.answerWith((_, response) => streamNamed(response, responseEvents('Hel', 'lo')))
    const stream = await client.responses.create({ model, input: 'Hi', stream: true })
    const events = await collect(stream)
    expect(events).toEqual(responseEvents('Hel', 'lo'))
  })

  test('the stream helper gives the final response', async () => {
    gateway.upstream.answerWith((_, response) => streamNamed(response, responseEvents('One ', 'two')))
    const final = await client.responses.stream({ model, input: 'Count' }).finalResponse()
    expect(final.output_text).toBe('One two')
    expect(final.usage?.output_tokens).toBe(200)
  })

  test('streamed function calls are put together', async () => {
    gateway.upstream.answerWith((_, response) => streamNamed(response, responseToolEvents))
    const final = await client.responses.stream({ model, input: 'Weather?' }).finalResponse()
    expect(final.output[0]).toMatchObject({ name: 'get_weather', arguments: responseToolCall.arguments })
  })

  test('work in the background, which nobody could account for, is refused', async () => {
    await expect(client.responses.create({ model, input: 'Hi', background: true })).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    )
  })
})

describe('embeddings', () => {
  const vectors = [
    [0.5, -0.25, 1],
    [0, 0.125, -1],
  ]

  test("the client's own base64 encoding is decoded to the same numbers", async () => {
    gateway.upstream.answerWith(({ body }, response) =>
      sendJson(response, 200, embeddingAnswer(vectors, body.encoding_format)),
    )
    const { data, response } = await client.embeddings
      .create({ model: 'text-embedding-3-small', input: ['a', 'b'] })
      .withResponse()
    expect(data.data.map(({ embedding }) => embedding)).toEqual(vectors)
    expect(seen()?.body.encoding_format).toBe('base64')
    // 500 tokens at 0.02 USD per million are 10 millionths of a dollar.
    expect(await gateway.receiptOf(response)).toMatchObject({
      inputTokens: 500,
      outputTokens: 0,
      costNanos: 10_000,
    })
  })

  test('plain numbers, dimensions and token input go through', async () => {
    const answer = await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: [[1, 2, 3]],
      encoding_format: 'float',
      dimensions: 3,
    })
    expect(answer.data[0]?.embedding).toEqual(vectors[0])
    expect(seen()?.body).toMatchObject({ input: [[1, 2, 3]], dimensions: 3 })
  })
})

describe('models', () => {
  test('are listed', async () => {
    const models = await collect(client.models.list())
    expect(models.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['gpt-4o-mini', 'openai/gpt-4o-mini', 'mock/echo']),
    )
  })

  test('are read one by one, also under names with a slash', async () => {
    expect(await client.models.retrieve('openai/gpt-4o-mini')).toMatchObject({
      id: 'openai/gpt-4o-mini',
      object: 'model',
      owned_by: 'openai',
      endpoints: expect.arrayContaining(['/v1/chat/completions', '/v1/responses']),
    })
    await expect(client.models.retrieve('no-such')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })
})

describe('errors', () => {
  test.each([
    [
      400,
      OpenAI.BadRequestError,
      openAiError('invalid_request_error', "Invalid type for 'messages'", 'invalid_type'),
    ],
    [
      403,
      OpenAI.PermissionDeniedError,
      openAiError('invalid_request_error', 'Country not supported', 'unsupported_country'),
    ],
    [
      404,
      OpenAI.NotFoundError,
      openAiError('invalid_request_error', 'The model does not exist', 'model_not_found'),
    ],
    [422, OpenAI.UnprocessableEntityError, openAiError('invalid_request_error', 'Unprocessable')],
    [
      429,
      OpenAI.RateLimitError,
      openAiError('insufficient_quota', 'You exceeded your current quota', 'insufficient_quota'),
    ],
    [500, OpenAI.InternalServerError, openAiError('server_error', 'The server had an error')],
    [503, OpenAI.InternalServerError, openAiError('server_error', 'Overloaded')],
  ])(
    "the provider's %i reaches the client as its own type, plain and streamed",
    async (status, type, body) => {
      gateway.upstream.answerWith((_, response) =>
        sendJson(response, status, body, { 'retry-after': '7', 'x-request-id': 'req_up' }),
      )
      for (const stream of [false, true]) {
        const fault: unknown = await client.chat.completions
          .create({ model, messages: hello, stream })
          .catch((error) => error)
        expect(fault).toBeInstanceOf(type)
        expect(fault).toMatchObject({ status, requestID: 'req_up', error: body.error, code: body.error.code })
      }
    },
  )

  test('that the provider refuses our key is a typed error, and tells nothing of the key', async () => {
    const refusal = openAiError(
      'invalid_request_error',
      'Incorrect API key provided: sk-…7f3a',
      'invalid_api_key',
    )
    gateway.upstream.answerWith((_, response) => sendJson(response, 401, refusal))
    const fault: unknown = await client.chat.completions
      .create({ model, messages: hello })
      .catch((error) => error)
    expect(fault).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(fault).toMatchObject({ message: expect.stringMatching(/refused this service's own key/) })
    expect(String(fault)).not.toContain('7f3a')
  })

  test('the client retries where the provider asks it to', async () => {
    let calls = 0
    gateway.upstream.answerWith((_, response) => {
      if (++calls === 1)
        sendJson(response, 429, openAiError('rate_limit', 'Slow down'), { 'retry-after-ms': '1' })
      else sendJson(response, 200, chatAnswer({ content: 'Now.' }))
    })
    const answer = await client.chat.completions.create({ model, messages: hello }, { maxRetries: 1 })
    expect(answer.choices[0]?.message.content).toBe('Now.')
  })

  test('our own refusals are typed errors too', async () => {
    const anonymous = new OpenAI({
      baseURL: `${gateway.service.address}/v1`,
      apiKey: 'sk-not-ours',
      maxRetries: 0,
    })
    await expect(anonymous.chat.completions.create({ model, messages: hello })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    )
    await expect(client.chat.completions.create({ model: 'no-such', messages: hello })).rejects.toMatchObject(
      { status: 404, type: 'model_not_found' },
    )
    const narrow = client.withOptions({
      apiKey: await gateway.key({ allowedModels: ['gpt-4o'], rpmLimit: 1 }),
    })
    await expect(narrow.chat.completions.create({ model, messages: hello })).rejects.toBeInstanceOf(
      OpenAI.PermissionDeniedError,
    )
    await expect(narrow.chat.completions.create({ model: 'gpt-4o', messages: hello })).rejects.toBeInstanceOf(
      OpenAI.RateLimitError,
    )
  })

  test('an error that the provider sends inside a stream is thrown by the client', async () => {
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      send(chatChunk({ content: 'Hel' }))
      send({ error: { type: 'server_error', message: 'The server had an error', code: null, param: null } })
      response.end()
    })
    const stream = await client.chat.completions.create({ model, messages: hello, stream: true })
    await expect(collect(stream)).rejects.toMatchObject({
      message: expect.stringContaining('The server had an error'),
      type: 'server_error',
    })
  })

  test('a stream that breaks in the middle is an error to the client, not a short answer', async () => {
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      send(chatChunk({ content: 'Hel' }))
      await new Promise((resolve) => response.write('data: {"half":', resolve))
      response.destroy()
    })
    const chat = await client.chat.completions.create({ model, messages: hello, stream: true })
    await expect(collect(chat)).rejects.toMatchObject({ type: 'upstream_error' })

    gateway.upstream.answerWith((_, response) =>
      streamNamed(response, responseEvents('Hel', 'lo').slice(0, 5)),
    )
    await expect(client.responses.stream({ model, input: 'Hi' }).finalResponse()).rejects.toMatchObject({
      type: 'upstream_error',
    })
  })
})
