import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  chatChunk,
  chatCostNanos,
  chatModel,
  chatUsageChunk,
  embeddingAnswer,
  messageAnswer,
  messageEvents,
  responseEvents,
  streamChat,
  textBlock,
} from '../../harness/providers/vendor-answers.js'
import { verifyRecord } from '../../harness/record/record.js'
import { waitFor } from '../../harness/run/wait.js'
import {
  commitmentTo,
  makeGate,
  type Receipt,
  readPieces,
  startTestGateway,
  type TestGateway,
} from '../../harness/service/gateway.js'

// Everything that can go wrong with a provider or a caller. Whatever it is: a clear answer, one receipt, and of a limit only what the
// provider may bill: nothing where the call cannot have reached it, all that was reserved where nobody knows.

let gateway: TestGateway
let silent: Server
const silentSockets = new Set<Socket>()

beforeAll(async () => {
  silent = createServer((socket) => silentSockets.add(socket.on('error', () => undefined)))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  gateway = await startTestGateway({
    providers: (url) => ({
      hasty: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        pricesOf: 'openai',
        timeouts: { firstByteMs: 300 },
      },
      // Time enough to begin, on a slow machine too.
      stalling: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        pricesOf: 'openai',
        timeouts: { firstByteMs: 60_000, idleMs: 300 },
      },
      // Longer than this process may stand still before the first drop.
      dripping: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        pricesOf: 'openai',
        timeouts: { firstByteMs: 60_000, idleMs: 60_000, totalMs: 12_000 },
      },
      // A slow machine may take long to read on to the end of a stream.
      patient: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        pricesOf: 'openai',
        timeouts: { hangUpGraceMs: 120_000 },
      },
      // Accepts connections and never shakes hands.
      mute: {
        type: 'openai',
        baseUrl: `https://127.0.0.1:${port}/v1`,
        pricesOf: 'openai',
        timeouts: { connectMs: 100 },
      },
      // Nobody listens on the port that is reserved for this.
      gone: { type: 'openai', baseUrl: 'http://127.0.0.1:1/v1', pricesOf: 'openai' },
    }),
  })
})
afterAll(async () => {
  await gateway.stop()
  for (const socket of silentSockets) socket.destroy()
  silent.close()
})

let key: string
beforeEach(async () => {
  key = await gateway.key({ tpmLimit: 100_000 })
})

const messages = [{ role: 'user', content: 'Hello!' }]
const plain = { model: 'gpt-4o-mini', max_tokens: 1_000, messages }
const streamed = { ...plain, stream: true }
// We estimate 8 tokens of input, where the provider would count 8 or 9; never more than this.
const boundOfHello = 58
// Of an answer of three words: those, and what stands around them.
const boundOfThree = 3 + 8

const call = (body: object, options: { signal?: AbortSignal } = {}) =>
  gateway.send('/v1/chat/completions', body, { key, ...options })

/** What the key has left of its 100,000 tokens in this minute: what calls took by then is all that is missing. */
async function tokensTaken(): Promise<number> {
  gateway.upstream.answerWith((_, response) =>
    sendJson(response, 200, {
      ...chatAnswer({ content: 'x' }),
      usage: { prompt_tokens: 0, completion_tokens: 0 },
    }),
  )
  const response = await call({ ...plain, max_tokens: 1 })
  await response.text()
  await gateway.receiptOf(response)
  return 100_000 - Number(response.headers.get('x-ratelimit-remaining-tokens')) - 9
}

async function expectRefusal(response: Response, status: number, type: string): Promise<Receipt> {
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { type, code: status } })
  const receipt = await gateway.receiptOf(response)
  expect(receipt).toMatchObject({ outcome: 'upstream_error', status })
  return receipt
}

/** A refusal of a call that the provider cannot have got. */
async function expectUnsent(response: Response, status: number, type: string): Promise<void> {
  const receipt = await expectRefusal(response, status, type)
  expect(receipt).toMatchObject({ inputTokens: 0, outputTokens: 0, costNanos: 0 })
  expect(await tokensTaken()).toBe(0)
}

/** A refusal of a call that the provider may have worked on. */
async function expectUnseen(response: Response, status: number, type: string): Promise<void> {
  await expectReserved(await expectRefusal(response, status, type))
}

/** Nobody saw what the provider made of it: what was reserved counts. */
async function expectReserved(receipt: Receipt): Promise<void> {
  const { inputTokens = 0, outputTokens, costNanos, usage } = receipt
  expect({ usage, outputTokens }).toEqual({ usage: 'reserved', outputTokens: 1_000 })
  expect(inputTokens).toBe(boundOfHello)
  expect(costNanos).toBe(inputTokens * 150 + 1_000 * 600)
  expect(await tokensTaken()).toBe(inputTokens + 1_000)
}

/** The stream that a caller sees when it breaks after `said`: that, and one error event which its client understands. */
async function expectBroken(response: Response, said: string, type: string, status: number): Promise<void> {
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text.startsWith(said)).toBe(true)
  const [, data] = /data: (.*)\n\n$/.exec(text.slice(said.length)) ?? []
  expect(JSON.parse(data ?? '')).toMatchObject({ error: { type, code: status } })
  const receipt = await gateway.receiptOf(response)
  expect(receipt).toMatchObject({ outcome: 'upstream_error', status, response: commitmentTo(receipt, text) })
  // The provider may have produced more than came.
  expect(receipt.usage).toBe('reserved')
}

describe('a provider that cannot be reached', () => {
  test('is a 502 when it refuses the connection', async () => {
    await expectUnsent(await call({ ...plain, model: 'gone/gpt-4o-mini' }), 502, 'upstream_error')
  })

  test('is a 502 for a stream too, as an ordinary error', async () => {
    await expectUnsent(await call({ ...streamed, model: 'gone/gpt-4o-mini' }), 502, 'upstream_error')
  })

  test('is a 504 when the connection is not made in time', async () => {
    await expectUnsent(await call({ ...plain, model: 'mute/gpt-4o-mini' }), 504, 'upstream_timeout')
  })

  test('is a 502 when it hangs up without an answer', async () => {
    gateway.upstream.answerWith((_, response) => void response.destroy())
    await expectUnseen(await call(plain), 502, 'upstream_error')
  })

  test('is a 502 when it hangs up in the middle of a plain answer', async () => {
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"id":', () => response.destroy())
    })
    await expectUnseen(await call(plain), 502, 'upstream_error')
  })

  test('has its own error shape for callers that speak messages', async () => {
    gateway.upstream.answerWith((_, response) => void response.destroy())
    const response = await gateway.send('/v1/messages', { ...plain, model: 'claude-sonnet-4-6' })
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'upstream_error', code: 502 },
    })
  })
})

describe('a provider that is too slow', () => {
  test('is a 504 when it does not begin to answer', async () => {
    gateway.upstream.answerWith(() => undefined)
    await expectUnseen(await call({ ...plain, model: 'hasty/gpt-4o-mini' }), 504, 'upstream_timeout')
  })

  test('is a 504 when it falls silent in the middle of a plain answer', async () => {
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"id":')
    })
    await expectUnseen(await call({ ...plain, model: 'stalling/gpt-4o-mini' }), 504, 'upstream_timeout')
  })

  test('ends a stream with an error event when it falls silent', async () => {
    gateway.upstream.answerWith((_, response) => startEvents(response)(chatChunk({ content: 'Hi' })))
    await expectBroken(
      await call({ ...streamed, model: 'stalling/gpt-4o-mini' }),
      `data: ${JSON.stringify(chatChunk({ content: 'Hi' }))}\n\n`,
      'upstream_timeout',
      504,
    )
  })

  test('is cut off at the total deadline, however busily it drips', async () => {
    let timer: NodeJS.Timeout | undefined
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const drip = () => response.write(': still thinking\n\n')
      drip()
      timer = setInterval(drip, 100)
    })
    const before = gateway.upstream.aborted
    const response = await call({ ...streamed, model: 'dripping/gpt-4o-mini' })
    await expectBroken(response, ': still thinking\n\n', 'upstream_timeout', 504)
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
    clearInterval(timer)
  })
})

describe('a stream that breaks in the middle', () => {
  const named = (events: { type: string }[]) =>
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const chatText = `data: ${JSON.stringify(chatChunk({ content: 'Hi' }))}\n\n`
  const kinds = {
    chat: { path: '/v1/chat/completions', body: streamed, said: chatText },
    responses: {
      path: '/v1/responses',
      body: { model: 'gpt-4o-mini', input: 'Hello!', stream: true },
      said: named(responseEvents('Hi').slice(0, 5)),
    },
    messages: {
      path: '/v1/messages',
      body: { ...streamed, model: 'claude-sonnet-4-6' },
      said: named(messageEvents([textBlock('Hi')]).slice(0, 4)),
    },
  }
  const half = 'data: {"half": '

  test.each(Object.entries(kinds))('%s: by a broken connection', async (_, { path, body, said }) => {
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(said + half, () => response.destroy())
    })
    await expectBroken(await gateway.send(path, body), said, 'upstream_error', 502)
  })

  test.each(Object.entries(kinds))('%s: by an early end', async (_, { path, body, said }) => {
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(said + half)
    })
    await expectBroken(await gateway.send(path, body), said, 'upstream_error', 502)
  })

  test('by an error of the provider shows that error, no second one, and costs what was reserved', async () => {
    const error =
      'data: {"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}}\n\n'
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(chatText + error)
    })
    const response = await call(streamed)
    expect(await response.text()).toBe(chatText + error)
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({ outcome: 'upstream_error', status: 502 })
    await expectReserved(receipt)
  })

  test('by an error that says what was used costs that', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }
    const errors = [
      { error: { message: 'The server had an error' }, usage },
      { error: { message: 'The server had an error', usage } },
    ]
    for (const error of errors) {
      gateway.upstream.answerWith((_, response) => {
        const text = `${chatText}data: ${JSON.stringify(error)}\n\n`
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
      })
      const response = await call(streamed)
      await response.text()
      expect(await gateway.receiptOf(response)).toMatchObject({
        outcome: 'upstream_error',
        usage: 'provider',
        inputTokens: 9,
        outputTokens: 4,
      })
    }
  })

  test('by an error as its first event has not begun, and costs nothing', async () => {
    gateway.upstream.answerWith((_, response) => {
      const text = ': wait\n\ndata: {"error":{"message":"Overloaded"}}\n\n'
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
    })
    const response = await call(streamed)
    await response.text()
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'upstream_error', costNanos: 0 })
    expect(await tokensTaken()).toBe(0)
  })

  test('after its last event has come is complete all the same', async () => {
    gateway.upstream.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`${chatText}data: [DONE]\n\n`, () => response.destroy())
    })
    const response = await call(streamed)
    expect(await response.text()).toBe(`${chatText}data: [DONE]\n\n`)
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok', status: 200 })
  })
})

describe('a caller that hangs up', () => {
  /** Hangs up once the call is at the provider, which then ends it. */
  async function hangUp(body: object, end: (response: ServerResponse) => void): Promise<Receipt> {
    const arrived = makeGate()
    const left = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      arrived.open()
      await left.passed
      end(response)
    })
    const controller = new AbortController()
    const answer = call(body, { signal: controller.signal }).catch((error) => error.name)
    await arrived.passed
    controller.abort()
    expect(await answer).toBe('AbortError')
    await gateway.noticeHangUp()
    left.open()
    const receipt = await gateway.nextReceipt()
    expect(receipt).toMatchObject({ outcome: 'aborted', status: 499, stream: 'stream' in body })
    return receipt
  }

  test('on a plain call pays what the provider bills: the answer is read to its end', async () => {
    const receipt = await hangUp(plain, (response) =>
      sendJson(response, 200, chatAnswer({ content: 'Nobody hears it.' })),
    )
    expect(receipt).toMatchObject({
      usage: 'provider',
      inputTokens: 1_000,
      outputTokens: 200,
      cachedTokens: 400,
      costNanos: chatCostNanos,
    })
    expect(receipt.response).toBeUndefined()
    expect(await tokensTaken()).toBe(1_200)
  })

  test('before a stream has begun pays what the provider bills: the stream is read to its usage', async () => {
    const body = { ...streamed, model: 'patient/gpt-4o-mini' }
    const receipt = await hangUp(body, (response) => streamChat(response, [{ content: 'Hi' }]))
    expect(receipt).toMatchObject({ usage: 'provider', costNanos: chatCostNanos })
    expect(await tokensTaken()).toBe(1_200)
  })

  test('on a plain call that then breaks off pays what was reserved', async () => {
    await expectReserved(await hangUp(plain, (response) => response.destroy()))
  })

  test('pays nothing for a call that the provider refused', async () => {
    const receipt = await hangUp(plain, (response) => sendJson(response, 429, { error: { message: 'no' } }))
    expect(receipt).toMatchObject({ inputTokens: 0, outputTokens: 0, costNanos: 0 })
    expect(await tokensTaken()).toBe(0)
  })

  test('on a stream that goes on is read on for a while, broken off, and pays what was reserved', async () => {
    const before = gateway.upstream.aborted
    const said = `data: ${JSON.stringify(chatChunk({ content: 'one two three' }))}\n\n`
    gateway.upstream.answerWith((_, response) =>
      startEvents(response)(chatChunk({ content: 'one two three' })),
    )
    const response = await call(streamed)
    const pieces = readPieces(response)
    await pieces.until((text) => text === said)
    await pieces.cancel()
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
    const receipt = await waitFor('the receipt', () => gateway.receiptOf(response).catch(() => null))
    expect(receipt).toMatchObject({
      outcome: 'aborted',
      status: 499,
      stream: true,
      upstream: chatModel,
      response: commitmentTo(receipt, said),
    })
    await expectReserved(receipt)
  })
})

describe('a provider that lies', () => {
  const plainLies: [string, (response: ServerResponse) => void][] = [
    [
      'with garbage instead of JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": nope'),
    ],
    [
      'with bytes that are no text',
      (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0xff, 0xfe, 0, 1])),
    ],
    [
      'with JSON that is no object',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[1,2,3]'),
    ],
    ['with nothing at all', (response) => response.writeHead(200).end()],
    [
      'with a web page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    ],
    ['with a stream that nobody asked for', (response) => streamChat(response, [{ content: 'Hi' }])],
    ['with a redirect', (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['with a status that does not exist', (response) => response.writeHead(799, 'What').end('{}')],
    [
      'with a compressed answer',
      (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('1f8b0800', 'hex')),
    ],
  ]
  test.each(plainLies)('%s gets its answer refused', async (_, answer) => {
    gateway.upstream.answerWith((_, response) => answer(response))
    await expectUnseen(await call(plain), 502, 'upstream_error')
  })

  test('about its content type is understood all the same', async () => {
    const body = JSON.stringify(chatAnswer({ content: 'Hi' }))
    gateway.upstream.answerWith(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(body),
    )
    const response = await call(plain)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe(body)
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok', outputTokens: 200 })
  })

  const lies = [
    { prompt_tokens: -5, completion_tokens: -1 },
    { prompt_tokens: 1e300, completion_tokens: 1e300 },
    { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: Number.MAX_SAFE_INTEGER },
    { prompt_tokens: 1.5, completion_tokens: '7' },
    { prompt_tokens: null },
    {},
    'lots',
    [],
    null,
    undefined,
  ]
  test.each(lies)('about its usage (%j) is not believed: we count', async (usage) => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, { ...chatAnswer({ content: 'one two three' }), usage }),
    )
    const response = await call(plain)
    expect(response.status).toBe(200)
    await response.text()
    expect(await gateway.receiptOf(response)).toMatchObject({
      outcome: 'ok',
      usage: 'counted',
      inputTokens: boundOfHello,
      outputTokens: boundOfThree,
      cachedTokens: 0,
      costNanos: boundOfHello * 150 + boundOfThree * 600,
    })
    expect(await tokensTaken()).toBe(boundOfHello + boundOfThree)
  })

  test.each(lies)('about its usage (%j) in a stream is not believed either', async (usage) => {
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      send(chatChunk({ content: 'one two three' }, 'stop'))
      send({ ...chatUsageChunk, usage })
      send('[DONE]')
      response.end()
    })
    const response = await call(streamed)
    await response.text()
    expect(await gateway.receiptOf(response)).toMatchObject({
      outcome: 'ok',
      usage: 'counted',
      inputTokens: boundOfHello,
      outputTokens: boundOfThree,
      cachedTokens: 0,
      costNanos: boundOfHello * 150 + boundOfThree * 600,
    })
  })

  test('about the usage of messages or embeddings is not believed either', async () => {
    gateway.upstream.answerWith(({ path }, response) =>
      sendJson(
        response,
        200,
        path === '/v1/messages'
          ? {
              ...messageAnswer([{ type: 'text', text: 'one two three' }]),
              usage: { input_tokens: 999_999_999, cache_read_input_tokens: 999_999_999, output_tokens: -1 },
            }
          : { ...embeddingAnswer([[1]], 'float'), usage: { prompt_tokens: -1 } },
      ),
    )
    const message = await gateway.send('/v1/messages', { ...plain, model: 'claude-sonnet-4-6' })
    await message.text()
    const counted = await gateway.receiptOf(message)
    expect(counted).toMatchObject({ usage: 'counted', cachedTokens: 0 })
    expect(counted.inputTokens).toBeLessThan(150)
    expect(counted.outputTokens).toBeLessThan(20)
    const embedding = await gateway.send('/v1/embeddings', {
      model: 'text-embedding-3-small',
      input: ['one two three'],
    })
    await embedding.text()
    const vectors = await gateway.receiptOf(embedding)
    expect(vectors).toMatchObject({ usage: 'counted', outputTokens: 0 })
    expect(vectors.inputTokens).toBeLessThan(20)
  })

  test.each(['\ud800', 'x'.repeat(10_000), 'line\nbreak', 7, { a: 1 }])(
    'about its model (%j) does not get that into the record',
    async (model) => {
      gateway.upstream.answerWith((_, response) =>
        sendJson(response, 200, { ...chatAnswer({ content: 'Hi' }), model }),
      )
      const response = await call(plain)
      expect(response.status).toBe(200)
      await response.text()
      const receipt = await gateway.receiptOf(response)
      expect(receipt.outcome).toBe('ok')
      expect(receipt.upstream).toBeUndefined()
    },
  )

  test('in its headers cannot break ours', async () => {
    gateway.upstream.answerWith(({ body }, response) => {
      const socket = response.socket
      const text = body.stream ? 'data: [DONE]\n\n' : JSON.stringify(chatAnswer({ content: 'Hi' }))
      const type = body.stream ? 'text/event-stream' : 'application/json'
      socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nopenai-model: 你好\r\nx-ratelimit-remaining-requests: 1\r\nset-cookie: a=b\r\n` +
          `openai-organization: secret\r\nopenai-version: 2020-10-01\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      )
    })
    for (const body of [plain, streamed]) {
      const response = await call(body)
      expect(response.status).toBe(200)
      await response.text()
      const names = [...response.headers.keys()]
      expect(names).toContain('openai-version')
      for (const name of [
        'openai-model',
        'set-cookie',
        'openai-organization',
        'x-ratelimit-remaining-requests',
      ])
        expect(names).not.toContain(name)
    }
  })

  test('with a body without end is cut off', async () => {
    const before = gateway.upstream.aborted
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    gateway.upstream.answerWith(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      await writeUntilClosed(response, chunk)
    })
    const response = await call(plain)
    expect(response.status).toBe(502)
    await response.text()
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
    await expectReserved(await gateway.receiptOf(response))
  })

  test('with an event without end is cut off', async () => {
    const before = gateway.upstream.aborted
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    gateway.upstream.answerWith(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: ')
      await writeUntilClosed(response, chunk)
    })
    const response = await call(streamed)
    const { error } = JSON.parse((await response.text()).slice('data: '.length))
    expect(error.type).toBe('upstream_error')
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'upstream_error', status: 502 })
  })

  test('by talking on behind the end of its stream is not listened to', async () => {
    const before = gateway.upstream.aborted
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      send(chatChunk({ content: 'Hi' }, 'stop'))
      send('[DONE]')
      while (!response.destroyed) {
        send(chatChunk({ content: 'and another thing' }))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const response = await call(streamed)
    expect(await response.text()).toBe(
      `data: ${JSON.stringify(chatChunk({ content: 'Hi' }, 'stop'))}\n\ndata: [DONE]\n\n`,
    )
    await waitFor('the provider call to be aborted', () => gateway.upstream.aborted > before)
  })

  test('with lines that are no JSON inside a stream has them passed on, and the stream read on', async () => {
    const stream = `data: nonsense\n\n${`data: ${JSON.stringify(chatChunk({ content: 'Hi' }, 'stop'))}`}\n\ndata: [DONE]\n\n`
    gateway.upstream.answerWith(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
    )
    const response = await call(streamed)
    expect(await response.text()).toBe(stream)
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok', outputTokens: 1 + 8 })
  })
})

test('after all of this the record is whole, and each call is in it once', async () => {
  const record = await verifyRecord(gateway.service.database)
  expect(record.fault).toBeNull()
  expect(new Set(record.entries.map(({ id }) => id)).size).toBe(record.entries.length)
})

async function writeUntilClosed(response: ServerResponse, chunk: Buffer): Promise<void> {
  while (!response.destroyed) {
    await new Promise((resolve) => response.write(chunk, resolve))
    // From Node 24 on, a write to a closed connection ends at once: without a pause nobody would hear that it is closed.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
