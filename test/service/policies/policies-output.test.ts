import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cut,
  dialectNames,
  readEvents,
  say,
  sendEvents,
  spoken,
} from '../../harness/policies/dialect-texts.js'
import { sendJson } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  chatChunk,
  chatCostNanos,
  messageEvents,
  responseAnswer,
  weatherCall,
} from '../../harness/providers/vendor-answers.js'
import { commitmentTo, shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())

const emails = { kind: 'pii', config: { entities: ['email'] }, phase: 'output' }
const secretWord = { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' }

/** Calls with a key and reads the answer, whole or streamed, to its end. */
async function ask(
  dialect: (typeof dialectNames)[number],
  key: string,
  fields: Record<string, unknown> = {},
) {
  const { path, body, readStream, readWhole } = spoken[dialect]
  const response = await gateway.send(path, body(fields), { key })
  const text = await response.text()
  const events = fields.stream ? readEvents(text) : []
  const error = fields.stream
    ? (events.find((event) => event.error)?.error ?? null)
    : (JSON.parse(text).error ?? null)
  const said = fields.stream ? readStream(events) : error ? '' : readWhole(JSON.parse(text))
  return { response, text, said, error, events }
}

describe.each(dialectNames)('an answer of %s', (dialect) => {
  describe.each([
    ['whole', {}],
    ['streamed', { stream: true }],
  ])('%s', (form, fields) => {
    test('is redacted, and the receipt is about what the caller saw', async () => {
      gateway.upstream.answerWith(
        say(dialect, 'Write to jane@example.com, jane@example.com or bob@example.com.'),
      )
      const { key, policies } = await createKeyWithPolicies(gateway, [{ ...emails, action: 'redact' }])
      const { response, text, said } = await ask(dialect, key, fields)
      expect(response.status).toBe(200)
      expect(said).toBe('Write to [EMAIL_1], [EMAIL_1] or [EMAIL_2].')
      expect(text).not.toContain('jane')
      const receipt = await gateway.receiptOf(response)
      expect(receipt).toMatchObject({
        outcome: 'redacted',
        status: 200,
        response: commitmentTo(receipt, text),
      })
      expect(receipt.checks?.at(-1)).toEqual({
        name: 'pii',
        applicable: true,
        result: 'fail',
        action: 'redact',
        policy: policies[0]?.reference,
      })
    })

    test('is blocked, and what the provider produced is paid', async () => {
      gateway.upstream.answerWith(say(dialect, `The codeword is nightfall. ${'More. '.repeat(100)}`))
      const { key, policies } = await createKeyWithPolicies(gateway, [secretWord])
      const { response, text, error } = await ask(dialect, key, fields)
      expect(response.status).toBe(form === 'whole' ? 403 : 200)
      expect(error).toMatchObject({
        type: 'policy_violation',
        check: 'keywords',
        policy_id: policies[0]?.id,
        code: 403,
      })
      expect(text).not.toContain('nightfall')
      expect(text).not.toContain('[DONE]')
      const receipt = await gateway.receiptOf(response)
      expect(receipt).toMatchObject({ outcome: 'blocked', status: 403 })
      expect(receipt.costNanos).toBeGreaterThan(0)
      expect(receipt.outputTokens).toBeGreaterThan(10)
      expect(receipt.checks?.at(-1)).toMatchObject({ result: 'fail', action: 'block' })
    })

    test('is flagged, and reaches the caller as it came', async () => {
      const answer = 'The codeword is nightfall.'
      gateway.upstream.answerWith(say(dialect, answer))
      const { key } = await createKeyWithPolicies(gateway, [{ ...secretWord, action: 'flag' }])
      const { response, said } = await ask(dialect, key, fields)
      expect(said).toBe(answer)
      const receipt = await gateway.receiptOf(response)
      expect(receipt.outcome).toBe('ok')
      expect(receipt.checks?.at(-1)).toMatchObject({ result: 'fail', action: 'flag' })
    })

    test('that has nothing in it arrives byte for byte', async () => {
      const answer = 'Grüße, 世界 😀, und mehr davon. '.repeat(40)
      gateway.upstream.answerWith(say(dialect, answer))
      const free = await ask(dialect, await gateway.key(), fields)
      const { key } = await createKeyWithPolicies(gateway, [emails, { ...secretWord, action: 'redact' }])
      const { response, text, said } = await ask(dialect, key, fields)
      expect(said).toBe(answer)
      expect(text).toBe(free.text)
      const receipt = await gateway.receiptOf(response)
      expect(receipt.checks?.slice(-2).map(({ result }) => result)).toEqual(['pass', 'pass'])
    })

    test('gets back what was taken out of the request, and the provider never sees it', async () => {
      const { key } = await createKeyWithPolicies(gateway, [
        { kind: 'pii', config: { entities: ['email'], restore: true }, action: 'redact', phase: 'both' },
      ])
      gateway.upstream.answerWith(
        say(dialect, 'I wrote to [EMAIL_1], not to [EMAIL_2] nor [EMAIL_3] nor new@example.com [EMAIL', {
          pieceChars: 3,
        }),
      )
      const content = 'Write to jane@example.com or bob@example.com'
      const { body } = spoken[dialect]
      const asked = dialect === 'responses' ? { input: content } : { messages: [{ role: 'user', content }] }
      const { response, said } = await ask(dialect, key, { ...body(), ...asked, ...fields })
      expect(gateway.upstream.seen.at(-1)?.raw.toString()).not.toMatch(/jane|bob/)
      expect(gateway.upstream.seen.at(-1)?.raw.toString()).toContain('Write to [EMAIL_1] or [EMAIL_2]')
      // What was redacted from the answer itself stays out of it.
      expect(said).toBe(
        'I wrote to jane@example.com, not to bob@example.com nor [EMAIL_3] nor [EMAIL_4] [EMAIL',
      )
      expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'redacted' })
    })
  })

  test('streamed byte by byte says the same as in one piece', async () => {
    const answer = `${'Some words before it. '.repeat(30)}Write to jane@example.com today. ${'And some behind. '.repeat(30)}`
    const { key } = await createKeyWithPolicies(gateway, [{ ...emails, action: 'redact' }])
    const expected = answer.replace('jane@example.com', '[EMAIL_1]')
    for (const options of [
      { pieceChars: 1, packetBytes: 40_000 },
      { pieceChars: 11, packetBytes: 97 },
      { pieceChars: 100_000, packetBytes: 1_000 },
    ]) {
      gateway.upstream.answerWith(say(dialect, answer, options))
      expect((await ask(dialect, key, { stream: true })).said).toBe(expected)
    }
  })
})

describe('every part of an answer is looked at', () => {
  test('each choice, refusals, reasoning, and the names and arguments of tools', async () => {
    const places = [
      chatAnswer({ content: 'fine' }, { content: 'nightfall' }),
      chatAnswer({ content: null, refusal: 'nightfall' }),
      chatAnswer({ content: 'fine', reasoning_content: 'nightfall' }),
      chatAnswer({
        content: null,
        tool_calls: [{ ...weatherCall, function: { name: 'f', arguments: '{"city":"nightf\\u0061ll"}' } }],
      }),
      chatAnswer({
        content: 'fine',
        annotations: [{ type: 'url_citation', url_citation: { title: 'nightfall' } }],
      }),
    ]
    const { key } = await createKeyWithPolicies(gateway, [secretWord])
    for (const answer of places) {
      gateway.upstream.answerWith((_, response) => sendJson(response, 200, answer))
      expect((await ask('chat', key)).response.status).toBe(403)
    }
  })

  test('but not what a response repeats of its request', async () => {
    const { key } = await createKeyWithPolicies(gateway, [secretWord])
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, { ...responseAnswer(), instructions: 'Never say nightfall.' }),
    )
    const instructions = 'Never say nightfall.'
    const asked = await gateway.send('/v1/responses', spoken.responses.body({ instructions }), { key })
    expect(asked.status).toBe(200)
    const unasked = await gateway.send('/v1/responses', spoken.responses.body(), { key })
    expect(unasked.status).toBe(403)
  })

  test('probabilities, which would spell out what was redacted, are left out', async () => {
    const answer = chatAnswer({ content: 'To jane@example.com' })
    const choices = answer.choices.map((choice) => ({
      ...choice,
      logprobs: { content: [{ token: 'jane', logprob: -0.1, bytes: [106], top_logprobs: [] }] },
    }))
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, { ...answer, choices }))
    const { key } = await createKeyWithPolicies(gateway, [{ ...emails, action: 'redact' }])
    const { text } = await ask('chat', key)
    expect(text).not.toContain('jane')
    expect(JSON.parse(text).choices[0].logprobs).toBeNull()
  })

  test('tools that the model calls, in an answer and in a stream', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'tools', config: { deny: ['get_w*'] }, phase: 'output' },
    ])
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: null, tool_calls: [weatherCall] })),
    )
    expect((await ask('chat', key)).error).toMatchObject({ type: 'policy_violation', check: 'tools' })
    gateway.upstream.answerWith((_, response) =>
      sendEvents(
        response,
        [chatChunk({ tool_calls: [{ index: 0, ...weatherCall }] }), chatChunk({}, 'tool_calls')]
          .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
          .join('')
          .concat('data: [DONE]\n\n'),
      ),
    )
    const streamed = await ask('chat', key, { stream: true })
    expect(streamed.error).toMatchObject({ check: 'tools' })
    expect(streamed.text).not.toContain('Paris')
  })
})

describe('values go back into tool arguments as JSON', () => {
  const quoted = '-----BEGIN "X"\nnightfall\\end'
  const policy = {
    kind: 'pattern',
    config: { patterns: [{ name: 'block', regex: '(?s)-----BEGIN.*end' }], restore: true },
    action: 'redact',
  }

  test('whole', async () => {
    const { key } = await createKeyWithPolicies(gateway, [policy])
    const args = JSON.stringify({ text: 'see [BLOCK_1]!' })
    gateway.upstream.answerWith((_, response) =>
      sendJson(
        response,
        200,
        chatAnswer({
          content: null,
          tool_calls: [{ ...weatherCall, function: { name: 'f', arguments: args } }],
        }),
      ),
    )
    const { text } = await ask('chat', key, { messages: [{ role: 'user', content: quoted }] })
    expect(gateway.upstream.seen.at(-1)?.body.messages[0].content).toBe('[BLOCK_1]')
    const called = JSON.parse(text).choices[0].message.tool_calls[0].function.arguments
    expect(JSON.parse(called)).toEqual({ text: `see ${quoted}!` })
  })

  test('streamed, with the placeholder in many pieces', async () => {
    const { key } = await createKeyWithPolicies(gateway, [policy])
    const args = JSON.stringify({ text: 'see [BLOCK_1]!', list: ['[BLOCK_1]'] })
    gateway.upstream.answerWith((_, response) => {
      const start = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
      const deltas = cut(args, 2).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      const events = messageEvents([{ start, deltas }], 'tool_use')
      return sendEvents(
        response,
        events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      )
    })
    const { events } = await ask('messages', key, {
      stream: true,
      messages: [{ role: 'user', content: quoted }],
    })
    const called = events.map((event) => event.delta?.partial_json ?? '').join('')
    expect(JSON.parse(called)).toEqual({ text: `see ${quoted}!`, list: [quoted] })
  })

  test('in an answer that was asked to be JSON', async () => {
    const { key } = await createKeyWithPolicies(gateway, [policy])
    gateway.upstream.answerWith(say('chat', JSON.stringify({ text: '[BLOCK_1]' }), { pieceChars: 3 }))
    for (const stream of [false, true]) {
      const { said } = await ask('chat', key, {
        stream,
        response_format: { type: 'json_object' },
        messages: [{ role: 'user', content: quoted }],
      })
      expect(JSON.parse(said)).toEqual({ text: quoted })
    }
  })
})

test('a provider’s own error is judged as an answer is', async () => {
  const { key, policies } = await createKeyWithPolicies(gateway, [secretWord])
  const fail = async (message: string) => {
    gateway.upstream.answerWith((_, response) => sendJson(response, 400, { error: { message } }))
    return await gateway.send('/v1/chat/completions', spoken.chat.body(), { key })
  }
  const harmless = await fail('max_tokens is too large')
  expect(harmless.status).toBe(400)
  expect(await harmless.json()).toEqual({ error: { message: 'max_tokens is too large' } })
  const revealing = await fail('nightfall')
  expect(revealing.status).toBe(403)
  expect(await gateway.receiptOf(revealing)).toMatchObject({ outcome: 'blocked', costNanos: 0 })
  expect((await gateway.receiptOf(revealing)).checks?.at(-1)).toEqual({
    name: 'keywords',
    applicable: true,
    result: 'fail',
    action: 'block',
    policy: policies[0]?.reference,
  })
})

test('the price of a blocked answer is that of the tokens which the provider counted', async () => {
  gateway.upstream.answerWith(say('chat', 'nightfall'))
  const { key } = await createKeyWithPolicies(gateway, [secretWord])
  const { response } = await ask('chat', key)
  expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'blocked', costNanos: chatCostNanos })
})

describe('headers of an answer', () => {
  const headers = ['x-request-id', 'openai-note', 'retry-after', 'x-should-retry']

  test.each(headers)('are judged: %s', async (name) => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' },
    ])
    for (const status of [200, 400]) {
      const answer = status === 200 ? spoken.chat.whole('Fine.') : { error: { message: 'No.' } }
      gateway.upstream.answerWith((_, response) =>
        sendJson(response, status, answer, { [name]: 'nightfall' }),
      )
      const refused = await gateway.send(spoken.chat.path, spoken.chat.body(), { key })
      expect(refused.status).toBe(403)
      expect(refused.headers.get(name)).toBeNull()
      gateway.upstream.answerWith((_, response) => sendJson(response, status, answer, { [name]: '20' }))
      const passed = await gateway.send(spoken.chat.path, spoken.chat.body(), { key })
      expect(passed.status).toBe(status)
      expect(passed.headers.get(name)).toBe('20')
    }
  })

  test('are left out where they would be seen before anything is judged, and name one character set', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' },
    ])
    gateway.upstream.answerWith(({ body }, response) => {
      response.writeHead(200, {
        'content-type': `${body.stream ? 'text/event-stream' : 'application/json'}; charset=utf-7; nightfall`,
        ...(body.stream && { 'x-request-id': 'nightfall' }),
      })
      response.end(body.stream ? spoken.chat.stream(['Fine.']) : JSON.stringify(spoken.chat.whole('Fine.')))
    })
    for (const [stream, type] of [
      [true, 'text/event-stream; charset=utf-8'],
      [false, 'application/json'],
    ]) {
      const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream }), { key })
      expect(await response.text()).toContain('Fine.')
      expect(response.headers.get('content-type')).toBe(type)
      expect(response.headers.get('x-request-id')).toBeNull()
    }
  })
})

test('an error that the provider compressed is not shown, with and without policies, and can be read', async () => {
  const { key } = await createKeyWithPolicies(gateway, [
    { kind: 'keywords', config: { words: ['nightfall'] }, phase: 'output' },
  ])
  const said = gzipSync(JSON.stringify({ error: { message: 'nightfall in org-abcdef123456' } }))
  const encoded = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  for (const status of [400, 401, 429, 500]) {
    gateway.upstream.answerWith((_, response) => void response.writeHead(status, encoded).end(said))
    for (const each of [key, gateway.service.managerKey]) {
      const response = await gateway.send(spoken.chat.path, spoken.chat.body(), { key: each })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ error: { type: 'upstream_error' } })
    }
  }
})

test('the version of a model is a date or a few digits, and nothing longer', async () => {
  const { key } = await createKeyWithPolicies(gateway, [
    { kind: 'keywords', config: { words: ['4111111111111111'] }, phase: 'output' },
  ])
  for (const [model, status] of [
    ['gpt-4o-mini-2024-07-18', 200],
    ['gpt-4o-mini-4111111111111111', 403],
  ]) {
    const answer = { ...spoken.chat.whole('Fine.'), model }
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, answer))
    expect((await gateway.send(spoken.chat.path, spoken.chat.body(), { key })).status).toBe(status)
  }
})
