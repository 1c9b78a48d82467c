import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  openResponseSocket,
  type ResponseSocket,
  refusedHandshake,
} from '../../harness/providers/response-socket.js'
import { startEvents } from '../../harness/providers/upstream.js'
import { responseEvents, streamNamed } from '../../harness/providers/vendor-answers.js'
import { MetricsReading } from '../../harness/reporting/metrics.js'
import { propertyRuns } from '../../harness/run/property-runs.js'
import { waitFor } from '../../harness/run/wait.js'
import { makeGate, startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway
const sockets: ResponseSocket[] = []

beforeAll(async () => {
  gateway = await startTestGateway({
    // As `openai`, but a stream whose caller is gone is read on for as long as the test may take.
    providers: (url) => ({
      patient: {
        type: 'openai',
        baseUrl: `${url}/v1`,
        apiKey: 'sk-upstream',
        pricesOf: 'openai',
        timeouts: { hangUpGraceMs: 600_000 },
      },
    }),
  })
})
beforeEach(() => {
  gateway.upstream.answerWith((_, response) => streamNamed(response, responseEvents('Hello', ' there.')))
  return async () => {
    for (const socket of sockets.splice(0)) await socket.close()
  }
})
afterAll(() => gateway.stop())

const model = 'gpt-4o-mini'
const events = responseEvents('Hello', ' there.')

async function open(key = gateway.service.managerKey): Promise<ResponseSocket> {
  const socket = await openResponseSocket(gateway.service.address, key)
  sockets.push(socket)
  return socket
}

/** A key with its id, and the receipts of its calls, the oldest first. */
async function makeKey(fields: object = {}) {
  const { body } = await gateway.service.api.post('/v1/keys', { name: 'socket', ...fields })
  return { key: String(body.key), keyId: String(body.id) }
}

async function receiptsOf(keyId: string) {
  const rows = await gateway.service.database.query<{ canonical: string }>(
    `select canonical from receipts where canonical::json ->> 'key' = $1 order by seq`,
    [keyId],
  )
  return rows.map(({ canonical }) => JSON.parse(canonical))
}

const receiptOf = (keyId: string) => waitFor('the receipt', async () => (await receiptsOf(keyId)).at(-1))

/** A provider that says the beginning, and the rest when the gate is open. */
function sayInTwoParts() {
  const gate = makeGate()
  gateway.upstream.answerWith(async (_, response) => {
    const send = startEvents(response)
    for (const event of events.slice(0, 5)) send(event, event.type)
    await gate.passed
    for (const event of events.slice(5)) send(event, event.type)
    response.end()
  })
  return gate
}

async function untilText(socket: ResponseSocket): Promise<void> {
  while ((await socket.next()).type !== 'response.output_text.delta');
}

const bodyBytes = async () =>
  new MetricsReading(String((await gateway.service.api.get('/metrics')).body)).sum(
    'tallystick_body_bytes_in_flight',
  )

describe('a caller that is gone', () => {
  test('in the middle of an answer is read on and pays, as by HTTP', async () => {
    const { key, keyId } = await makeKey()
    const gate = sayInTwoParts()
    const socket = await open(key)
    socket.create({ model: `patient/${model}`, input: 'Hi' })
    await untilText(socket)
    socket.raw.terminate()
    await socket.closed
    await gateway.noticeHangUp()
    gate.open()
    expect(await receiptOf(keyId)).toMatchObject({
      outcome: 'aborted',
      status: 499,
      usage: 'provider',
      outputTokens: 200,
    })
  })

  test('holds nothing: what its calls and its conversation took is given back', async () => {
    const { key } = await makeKey()
    const before = await bodyBytes()
    const socket = await open(key)
    await socket.ask({ model, store: false, input: 'x'.repeat(500_000) })
    await waitFor('what is kept', async () => {
      const held = (await bodyBytes()) - before
      return held > 500_000 && held < 600_000
    })
    await socket.close()
    // What was held before may have been of a call that was just ending.
    await waitFor('nothing being held', async () => (await bodyBytes()) <= before)
  })
})

describe('a caller that may call no more', () => {
  test('since its key is revoked in the middle of an answer: the call ends, and the socket', async () => {
    const { key, keyId } = await makeKey()
    const gate = sayInTwoParts()
    const socket = await open(key)
    socket.create({ model, input: 'Hi' })
    await untilText(socket)
    await gateway.service.api.delete(`/v1/keys/${keyId}`)
    expect(await socket.closed).toEqual({ code: 1008, reason: 'Missing or invalid API key' })
    expect(socket.received.at(-1)).toMatchObject({
      type: 'error',
      status: 401,
      error: { code: 'unauthorized' },
    })
    gate.open()
    expect(await receiptOf(keyId)).toMatchObject({ outcome: 'aborted', status: 401 })
  })

  test('since its key is revoked before the answer has begun: it is told so without waiting for it', async () => {
    const { key, keyId } = await makeKey()
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      await gate.passed
      streamNamed(response, events)
    })
    const before = gateway.upstream.seen.length
    const socket = await open(key)
    socket.create({ model, input: 'Hi' })
    await waitFor('the call', () => gateway.upstream.seen.length > before)
    await gateway.service.api.delete(`/v1/keys/${keyId}`)
    expect(await socket.closed).toMatchObject({ code: 1008 })
    expect(socket.received).toMatchObject([{ type: 'error', status: 401 }])
    gate.open()
    expect(await receiptOf(keyId)).toMatchObject({ outcome: 'aborted' })
  })

  test.each([
    ['its key is revoked', (keyId: string) => gateway.service.api.delete(`/v1/keys/${keyId}`)],
    [
      'its user is suspended',
      () => gateway.service.api.patch('/v1/user-limits/quiet', { status: 'suspended' }),
    ],
  ])('since %s while nothing is asked', async (_, end) => {
    const { key, keyId } = await makeKey({ userId: 'quiet' })
    const socket = await open(key)
    await socket.ask({ model, input: 'Hi' })
    await end(keyId)
    expect(await socket.closed).toMatchObject({ code: 1008 })
  })
})

describe('a call that is refused', () => {
  test('by a budget is told so, and the socket goes on when the budget is raised', async () => {
    const { key, keyId } = await makeKey()
    const { body: budget } = await gateway.service.api.post('/v1/budgets', {
      name: 'Socket',
      scope: { type: 'key', id: keyId },
      amountUsd: 0.000_001,
      period: 'monthly',
    })
    const socket = await open(key)
    const [refused] = await socket.ask({ model, input: 'Hi' })
    expect(refused).toMatchObject({
      type: 'error',
      status: 402,
      error: { type: 'budget_exceeded', code: 'budget_exceeded', budget: { id: budget.id } },
    })
    await gateway.service.api.patch(`/v1/budgets/${budget.id}`, { amountUsd: 10 })
    expect((await socket.ask({ model, input: 'Hi' })).at(-1)?.type).toBe('response.completed')
    const outcomes = (await receiptsOf(keyId)).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['blocked', 'ok'])
  })

  test('by a rate limit is told when to come back', async () => {
    const { key } = await makeKey({ rpmLimit: 1 })
    const socket = await open(key)
    await socket.ask({ model, input: 'Hi' })
    const [refused] = await socket.ask({ model, input: 'Hi' })
    expect(refused).toMatchObject({
      status: 429,
      error: { code: 'rate_limit_exceeded' },
      headers: { 'x-ratelimit-limit-requests': '1', 'x-ratelimit-remaining-requests': '0' },
    })
    expect(Number(refused.headers['retry-after'])).toBe(refused.error.retry_after)
  })

  test('by a policy in the middle of its answer shows nothing of what is forbidden, and the socket goes on', async () => {
    const { key, keyId } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' },
    ])
    const gate = makeGate()
    const said = responseEvents(...'word '.repeat(200).split(/(?<= )/), 'night', 'fall')
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      for (const event of said.slice(0, 200)) send(event, event.type)
      await gate.passed
      for (const event of said.slice(200)) send(event, event.type)
      response.end()
    })
    const socket = await open(key)
    socket.create({ model, input: 'Hi' })
    await untilText(socket)
    gate.open()
    const messages = await socket.answer()
    expect(messages.at(-1)).toMatchObject({
      type: 'error',
      status: 403,
      error: { type: 'policy_violation', code: 'policy_violation' },
    })
    expect(JSON.stringify(socket.received)).not.toContain('night')
    expect(await receiptOf(keyId)).toMatchObject({ outcome: 'blocked', status: 403 })
    gateway.upstream.answerWith((_, response) => streamNamed(response, responseEvents('Fine')))
    expect((await socket.ask({ model, input: 'Hi' })).at(-1)?.type).toBe('response.completed')
  })
})

describe('what is no call', () => {
  test.each([
    ['no JSON', 'response.create', 400],
    ['no object', '[]', 400],
    ['without a type', '{"model":"gpt-4o-mini"}', 400],
    ['of another type', '{"type":"response.steer","input":"now"}', 400],
    ['a member twice', '{"type":"response.create","type":"response.create"}', 400],
    ['calls side by side', '{"type":"response.create","stream_id":"a","model":"gpt-4o-mini"}', 400],
    ['an odd warm-up', '{"type":"response.create","generate":0,"model":"gpt-4o-mini"}', 400],
    ['binary', Buffer.from('{"type":"response.create"}'), 400],
  ])('%s is answered with an error, and the socket stays open', async (_, message, status) => {
    const socket = await open()
    const before = gateway.upstream.seen.length
    socket.raw.send(message)
    expect(await socket.next()).toMatchObject({ type: 'error', status, error: { code: 'invalid_request' } })
    expect(gateway.upstream.seen).toHaveLength(before)
    expect((await socket.ask({ model, input: 'Hi' })).at(-1)?.type).toBe('response.completed')
  })

  test('many times in a row ends the socket', async () => {
    const socket = await open()
    for (let i = 0; i < 40; i++) socket.raw.send(i % 2 === 0 ? 'nothing' : Buffer.from([0]))
    expect(await socket.closed).toMatchObject({ code: 1008 })
    // And those that were waiting by then.
    expect(socket.received.length).toBeLessThanOrEqual(16 + 4)
    for (const message of socket.received) expect(message).toMatchObject({ type: 'error' })
  })

  test('whatever it is, gets one error or an answer, and never ends the service', async () => {
    const fields = fc.dictionary(
      fc.constantFrom('type', 'model', 'input', 'generate', 'stream', 'store', 'previous_response_id', 'x'),
      fc.oneof(
        fc.constantFrom('response.create', model, true, false, null, 'gpt', []),
        fc.jsonValue({ maxDepth: 3 }),
      ),
    )
    const texts = fc.oneof(
      fields.map((value) => JSON.stringify(value)),
      fc.string(),
      fc.json(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { maxLength: 12 }), async (messages) => {
        const socket = await open()
        for (const message of messages) {
          socket.raw.send(message)
          const told = await socket.answer()
          expect(told.at(-1)?.type).toMatch(/^(error|response\.completed)$/)
        }
        expect((await socket.ask({ model, input: 'Hi' })).at(-1)?.type).toBe('response.completed')
        await socket.close()
        sockets.pop()
      }),
      { numRuns: propertyRuns / 4 },
    )
  })

  test('larger than a body may be ends the socket', async () => {
    const socket = await open()
    socket.raw.send('x'.repeat(32 * 1024 * 1024 + 1))
    expect(await socket.closed).toMatchObject({ code: 1009 })
  })
})

describe('a peer that does not keep to the protocol', () => {
  const handshake = (key: string) =>
    [
      'GET /v1/responses HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `Authorization: Bearer ${key}`,
      '\r\n',
    ].join('\r\n')

  async function dial(bytes: string | Buffer): Promise<Socket> {
    const { hostname, port } = new URL(gateway.service.address)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined)
    socket.write(bytes)
    return socket
  }

  test.each([
    ['a frame without a mask', Buffer.from([0x81, 0x02, 0x68, 0x69])],
    ['a reserved bit', Buffer.from([0xc1, 0x80, 0, 0, 0, 0])],
    ['a length beyond all bounds', Buffer.from([0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255])],
    ['text that is not UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28])],
  ])('%s: its connection is closed', async (_, frame) => {
    const socket = await dial(handshake(gateway.service.managerKey))
    await once(socket, 'data')
    socket.write(frame)
    socket.resume()
    await once(socket, 'end')
    socket.destroy()
  })

  test.each([
    ['without a key of its own', /Sec-WebSocket-Key: [^\r]*\r\n/, ''],
    ['of another version', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Version: 7'],
  ])('a handshake %s is refused with words', async (_, part, instead) => {
    const socket = await dial(handshake(gateway.service.managerKey).replace(part, instead))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    await once(socket, 'end')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('This is not a WebSocket handshake')
    socket.destroy()
  })

  test('a message that never ends holds no more than bodies may, and ends its socket', async () => {
    const { key } = await makeKey()
    const peers = await Promise.all(Array.from({ length: 8 }, () => open(key)))
    const before = await bodyBytes()
    const piece = Buffer.alloc(1024 * 1024, ' ')
    const ends: object[] = []
    for (const peer of peers) void peer.closed.then((end) => ends.push(end))
    for (let i = 0; ends.length === 0 && i < 30 * peers.length; i++) {
      await new Promise((resolve) =>
        peers[i % peers.length]?.raw.send(piece, { binary: false, fin: false }, resolve),
      )
      // What a peer was told by now is read before it sends more: to a socket that is over meanwhile, it could not be any more.
      await nextTurn()
    }
    await waitFor('the end of a socket', () => ends.length > 0)
    expect(ends[0]).toMatchObject({ code: 1013 })
    for (const peer of peers) peer.raw.terminate()
    await waitFor('nothing being held', async () => (await bodyBytes()) <= before)
  })
})

describe('a caller that reads slowly', () => {
  test('slows the provider down instead of filling our memory, and misses nothing', async () => {
    // 42 MB. The buffers of the connections may take as much as half of that, and more when the machine was busy.
    const count = 700
    const delta = { ...events[4], type: 'response.output_text.delta', delta: 'x'.repeat(60_000) }
    let sent = 0
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      for (; sent < count; sent++) {
        send(delta, delta.type)
        if (response.writableNeedDrain) await once(response, 'drain')
      }
      for (const event of events.slice(5)) send(event, event.type)
      response.end()
    })
    const socket = await open()
    socket.raw.pause()
    socket.create({ model, input: 'Hi' })
    let before = -1
    await waitFor('the provider to stand still', async () => {
      const isStill = sent > 0 && sent === before
      before = sent
      await new Promise((resolve) => setTimeout(resolve, 150))
      return isStill
    })
    // What was not sent cannot be in our memory.
    expect(sent).toBeLessThan(count)
    socket.raw.resume()
    const messages = await socket.answer()
    expect(messages.filter(({ type }) => type === delta.type).length).toBeGreaterThanOrEqual(count)
  })
})

describe('many sockets', () => {
  test('two hundred at once are answered, each its own', async () => {
    gateway.upstream.answerWith(({ body }, response) =>
      streamNamed(response, responseEvents(`to ${body.input}`)),
    )
    const peers = await Promise.all(Array.from({ length: 200 }, () => open()))
    const answers = await Promise.all(peers.map((peer, i) => peer.ask({ model, input: `caller ${i}` })))
    for (const [i, messages] of answers.entries())
      expect(messages.at(-1)?.response.output[0].content[0].text).toBe(`to caller ${i}`)
  })

  test('beyond those of a key are refused, and there is room again when one is closed', async () => {
    const { key } = await makeKey()
    const peers = await Promise.all(Array.from({ length: 256 }, () => open(key)))
    const headers = { authorization: `Bearer ${key}` }
    const { status, error } = await refusedHandshake(gateway.service.address, headers)
    expect({ status, type: error.type }).toEqual({ status: 429, type: 'rate_limit_exceeded' })
    await peers[0]?.close()
    expect((await (await open(key)).ask({ model, input: 'Hi' })).at(-1)?.type).toBe('response.completed')
  })
})
