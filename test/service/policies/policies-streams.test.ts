import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cut,
  dialectNames,
  readEvents,
  say,
  sendEvents,
  spoken,
} from '../../harness/policies/dialect-texts.js'
import { startEvents } from '../../harness/providers/upstream.js'
import { chatChunk, messageEvents, streamChat, textBlock } from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import {
  collect,
  makeGate,
  readPieces,
  shareTestGateway,
  type TestGateway,
} from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())

const blocking = { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' }
const redacting = { kind: 'pii', config: { entities: ['email'] }, phase: 'output', action: 'redact' }

describe('what is held back', () => {
  test('is the last of the text, and never the whole answer', async () => {
    const { key } = await createKeyWithPolicies(gateway, [blocking])
    const gate = makeGate()
    const pieces = cut('0123456789'.repeat(60), 10)
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      for (const content of pieces) send(chatChunk({ content }))
      await gate.passed
      send(chatChunk({}, 'stop'))
      send('[DONE]')
      response.end()
    })
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    const reading = readPieces(response)
    const saidIn = (text: string) =>
      spoken.chat.readStream(readEvents(text.slice(0, text.lastIndexOf('\n\n'))))
    // 256 characters wait, and up to a quarter of that, since looking costs; all before is seen.
    const early = await reading.until((text) => saidIn(text).length >= 600 - 256 - 64)
    expect(saidIn(early).length).toBeLessThanOrEqual(600 - 256)
    gate.open()
    expect(saidIn(await reading.until(() => false))).toBe('0123456789'.repeat(60))
  })

  test('waits longer for a match that is still growing, but not forever', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      {
        kind: 'pattern',
        config: { patterns: [{ name: 'digits', regex: '[0-9]+' }] },
        phase: 'output',
        action: 'redact',
      },
    ])
    gateway.upstream.answerWith(say('chat', `abc ${'1'.repeat(5_000)} def`, { pieceChars: 5 }))
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    expect(spoken.chat.readStream(readEvents(await response.text()))).toBe('abc [DIGITS_1] def')
  })

  test.each([5, 6, 7, 8, 9])(
    'is as much where events have long ids and look unlike each other, after %d words letter by letter',
    async (words) => {
      const { key } = await createKeyWithPolicies(gateway, [blocking])
      const events = cut(`${'word '.repeat(words)}nightfall`, 1).map((content, at) =>
        JSON.stringify(chatChunk({ content }), null, at % 2).replaceAll('\n', ' '),
      )
      const stream = [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
      gateway.upstream.answerWith((_, response) => sendEvents(response, stream, 500))
      const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
      const text = await response.text()
      expect(spoken.chat.readStream(readEvents(text))).toBe('')
      expect(text).toContain('policy_violation')
    },
  )

  test('holds up nothing where policies only flag', async () => {
    const { key } = await createKeyWithPolicies(gateway, [{ ...blocking, action: 'flag' }])
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      send(chatChunk({ content: 'first ' }))
      await gate.passed
      send(chatChunk({ content: 'nightfall' }, 'stop'))
      send('[DONE]')
      response.end()
    })
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    const reading = readPieces(response)
    expect(await reading.until((text) => text.includes('first'))).not.toContain('nightfall')
    gate.open()
    await reading.until(() => false)
    expect((await gateway.receiptOf(response)).checks?.at(-1)).toMatchObject({
      result: 'fail',
      action: 'flag',
    })
  })

  test('is each text for itself: choices that take turns do not mix', async () => {
    const { key } = await createKeyWithPolicies(gateway, [redacting])
    const texts = ['Write to jane@example.com now.', 'No, bob@example.com it is, I think.']
    gateway.upstream.answerWith((_, response) => {
      const pieces = texts.map((text) => cut(text, 1))
      const chunks: object[] = []
      for (let i = 0; i < 40; i++) {
        for (const [index, of] of pieces.entries()) {
          const content = of[i]
          if (content !== undefined) chunks.push(chatChunk({ content }, null, index))
        }
      }
      chunks.push(chatChunk({}, 'stop', 0), chatChunk({}, 'stop', 1))
      return sendEvents(
        response,
        `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
      )
    })
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true, n: 2 }), { key })
    const said = ['', '']
    for (const event of readEvents(await response.text())) {
      for (const { index, delta } of event.choices ?? []) said[index] += delta.content ?? ''
    }
    expect(said).toEqual(['Write to [EMAIL_1] now.', 'No, [EMAIL_2] it is, I think.'])
  })

  test('does not keep what comes after it waiting: a short text before a long tool call', async () => {
    const { key } = await createKeyWithPolicies(gateway, [blocking])
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      send(chatChunk({ content: 'Let me see.' }))
      for (const piece of cut('Q'.repeat(8_000), 20))
        send(chatChunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }))
      await gate.passed
      send(chatChunk({}, 'tool_calls'))
      send('[DONE]')
      response.end()
    })
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    const reading = readPieces(response)
    await reading.until((text) => (text.match(/Q/g) ?? []).length > 5_000)
    gate.open()
    expect((await reading.until(() => false)).match(/Q/g)).toHaveLength(8_000)
  })
})

describe('a block', () => {
  test('ends the call to the provider, however much more it would say', async () => {
    const { key } = await createKeyWithPolicies(gateway, [blocking])
    const before = gateway.upstream.aborted
    let hungUp = false
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      response.on('close', () => {
        hungUp = true
      })
      const speak = () => {
        if (hungUp) return
        send(chatChunk({ content: 'and so to nightfall, and on and on, ' }))
        setImmediate(speak)
      }
      speak()
    })
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    const events = readEvents(await response.text())
    expect(events.at(-1).error).toMatchObject({ type: 'policy_violation', code: 403 })
    await waitFor('the provider to be hung up on', () => gateway.upstream.aborted > before)
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({ outcome: 'blocked', status: 403, stream: true })
    expect(receipt.outputTokens).toBeGreaterThan(0)
    expect(receipt.inputTokens).toBeGreaterThan(0)
  })

  test.each(dialectNames)('is an error to the official client of %s', async (dialect) => {
    gateway.upstream.answerWith(say(dialect, `Once upon a nightfall. ${'More. '.repeat(100)}`))
    const { key } = await createKeyWithPolicies(gateway, [blocking])
    const openai = new OpenAI({ apiKey: key, baseURL: `${gateway.service.address}/v1`, maxRetries: 0 })
    const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.service.address, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Say it.' }]
    const streams = {
      chat: () => openai.chat.completions.create({ model: 'gpt-4o-mini', stream: true, messages }),
      responses: () => openai.responses.create({ model: 'gpt-4o-mini', stream: true, input: 'Say it.' }),
      messages: () =>
        anthropic.messages.create({ model: 'claude-sonnet-4-6', max_tokens: 10, stream: true, messages }),
    }
    const stream = await streams[dialect]()
    const failure: unknown = await collect(stream as AsyncIterable<unknown>).catch((error) => error)
    expect(failure).toBeInstanceOf(dialect === 'messages' ? Anthropic.APIError : OpenAI.APIError)
    expect(String(failure)).toContain('Blocked by the policy')
  })

  test('comes too late for what was seen before, and in time for everything else', async () => {
    const { key } = await createKeyWithPolicies(gateway, [blocking])
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      const send = startEvents(response)
      const deltas = [...cut('Fine so far. '.repeat(100), 7), ...cut(`nightfall ${'x'.repeat(400)}`, 7)]
      const events = messageEvents([textBlock(...deltas)])
      for (const event of events.slice(0, 190)) send(event, event.type)
      await gate.passed
      for (const event of events.slice(190)) send(event, event.type)
      response.end()
    })
    const response = await gateway.send('/v1/messages', spoken.messages.body({ stream: true }), { key })
    const reading = readPieces(response)
    await reading.until((text) => text.includes('Fine'))
    gate.open()
    const text = await reading.until(() => false)
    expect(text).not.toContain('night')
    expect(text).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"policy_violation"/)
    // Anthropic tells the input first: it is counted although the rest never came.
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'blocked', inputTokens: 1_000 })
  })
})

describe('a long secret', () => {
  const material = Array.from(
    { length: 26 },
    (_, i) => `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'}${'Abc1'.repeat(7)}${i + 1000}`,
  )
  const pem = ['-----BEGIN PRIVATE KEY-----', ...material, '-----END PRIVATE KEY-----'].join('\n')

  test.each([1, 13, 5_000])('is taken out whole, in pieces of %i characters', async (pieceChars) => {
    expect(pem.length).toBeGreaterThan(1_500)
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'secrets', phase: 'output', action: 'redact' },
    ])
    gateway.upstream.answerWith(say('chat', `Here it is:\n${pem}\nKeep it.`, { pieceChars }))
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    expect(spoken.chat.readStream(readEvents(await response.text()))).toBe(
      'Here it is:\n[SECRET_1]\nKeep it.',
    )
  })
})

test('an event that is no JSON cannot be judged: it ends the stream', async () => {
  const { key } = await createKeyWithPolicies(gateway, [blocking])
  gateway.upstream.answerWith((_, response) =>
    sendEvents(response, 'data: this is nightfall\n\ndata: [DONE]\n\n'),
  )
  const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
  const text = await response.text()
  expect(text).not.toContain('nightfall')
  expect(text).toContain('policy_violation')
})

test('what is redacted in one event does not excuse another that is no JSON', async () => {
  const { key } = await createKeyWithPolicies(gateway, [redacting])
  const events = [
    `data: ${JSON.stringify(chatChunk({ content: 'To jane@example.com. ' }))}\n\n`,
    'data: tom@example.com\n\n',
  ]
  for (const order of [events, events.toReversed()]) {
    const end = `data: ${JSON.stringify(chatChunk({}, 'stop'))}\n\ndata: [DONE]\n\n`
    gateway.upstream.answerWith((_, response) => sendEvents(response, order.join('') + end))
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    const text = await response.text()
    expect(text).not.toContain('@example.com')
    expect(text).toContain('policy_violation')
  }
})

test('a stream that breaks off shows what was judged, and then the error', async () => {
  const { key } = await createKeyWithPolicies(gateway, [redacting])
  gateway.upstream.answerWith((_, response) => {
    const [start, ...rest] = messageEvents([
      { start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: 'To jane@example.com' }] },
    ])
    const events = [start, ...rest.slice(0, 3)]
    return sendEvents(
      response,
      events.map((event) => `event: ${event?.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    )
  })
  const response = await gateway.send('/v1/messages', spoken.messages.body({ stream: true }), { key })
  const events = readEvents(await response.text())
  expect(spoken.messages.readStream(events)).toBe('To [EMAIL_1]')
  expect(events.at(-1).error).toMatchObject({ type: 'upstream_error' })
})

test('a caller that reads slowly slows the provider down, and gets everything', async () => {
  const { key } = await createKeyWithPolicies(gateway, [redacting])
  const answer = 'word '.repeat(200_000)
  gateway.upstream.answerWith(say('chat', answer, { pieceChars: 500, packetBytes: 65_536 }))
  const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
  const events = readEvents(await response.text())
  expect(spoken.chat.readStream(events)).toBe(answer)
  expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok' })
})

test('what is counted of a stream that never says it is the same under policies', async () => {
  const pieces = [
    'Split',
    ' along',
    ' its "length"',
    '\n',
    ' into',
    ' stock',
    ' and',
    ' foil',
    '.',
    ' 木',
    ' 棒',
  ].map((content) => ({ content }))
  gateway.upstream.answerWith((_, response) => streamChat(response, pieces, { usage: false }))
  const counted: (number | undefined)[] = []
  for (const policies of [[], [blocking, redacting]]) {
    const { key } = await createKeyWithPolicies(gateway, policies)
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), { key })
    await response.text()
    const { outputTokens } = await gateway.receiptOf(response)
    counted.push(outputTokens)
  }
  expect(counted[1]).toBe(counted[0])
  expect(counted[0]).toBeGreaterThan(pieces.length)
})

test('a long text that has come to its end hurries nothing behind it', async () => {
  const { key } = await createKeyWithPolicies(gateway, [redacting])
  const gate = makeGate()
  const choice = (index: number, delta: object, finish: string | null = null) => ({
    ...chatChunk({}),
    choices: [{ index, delta, finish_reason: finish }],
  })
  gateway.upstream.answerWith(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const first = [
      choice(0, { content: 'word '.repeat(1_000) }),
      choice(0, {}, 'stop'),
      choice(1, { content: 'Write to ann@exam' }),
    ]
    // At once: all of it waits when the end of the first is seen.
    response.write(first.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    await gate.passed
    const rest = [choice(1, { content: 'ple.com' }), choice(1, {}, 'stop')]
    response.end(`${rest.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
  })
  const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true, n: 2 }), { key })
  const reading = readPieces(response)
  expect(await reading.until((text) => text.includes('"stop"'))).not.toContain('ann@')
  gate.open()
  const whole = await reading.until(() => false)
  expect(whole).toContain('[EMAIL_1]')
  expect(whole).not.toContain('ann@')
})

test.each([
  ['the same', 'nightfall', 'nightfall'],
  ['a name alone', 'nightfall', 'ping'],
  ['a type alone', 'ping', 'nightfall'],
])('names and types of events are judged: %s', async (_, name, type) => {
  for (const action of ['block', 'redact']) {
    const { key } = await createKeyWithPolicies(gateway, [{ ...blocking, action }])
    const event = `event: ${name}\ndata: ${JSON.stringify({ type, mood: 'good' })}\n\n`
    gateway.upstream.answerWith((_, response) =>
      sendEvents(response, event + spoken.messages.stream(['Good ', 'evening.'])),
    )
    const response = await gateway.send(spoken.messages.path, spoken.messages.body({ stream: true }), { key })
    expect(await response.text()).not.toContain('nightfall')
  }
})
