import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  openResponseSocket,
  type ResponseSocket,
  refusedHandshake,
} from '../../harness/providers/response-socket.js'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import {
  openAiError,
  responseAnswer,
  responseEvents,
  responseMessage,
  responseToolCall,
  responseToolEvents,
  streamNamed,
} from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import {
  commitmentTo,
  makeGate,
  type Receipt,
  shareTestGateway,
  type TestGateway,
} from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway
const sockets: ResponseSocket[] = []

beforeAll(async () => {
  gateway = await shareTestGateway()
})
beforeEach(() => {
  gateway.upstream.answerWith((_, response) => streamNamed(response, responseEvents('Hello', ' there.')))
  return async () => {
    for (const socket of sockets.splice(0)) await socket.close()
  }
})
afterAll(() => gateway.stop())

const model = 'gpt-4o-mini'

async function open(
  key = gateway.service.managerKey,
  headers: Record<string, string> = {},
): Promise<ResponseSocket> {
  const socket = await openResponseSocket(gateway.service.address, key, headers)
  sockets.push(socket)
  return socket
}

/** Of the last calls, the oldest first: they must be in the database at this very moment. */
async function lastReceipts(count: number): Promise<Receipt[]> {
  const rows = await gateway.service.database.query<{ canonical: string; commitment_key: Buffer }>(
    `select canonical, commitment_key from receipts where canonical::json ->> 'kind' = 'model' and tenant_id = $2 order by seq desc limit $1`,
    [count, gateway.service.tenantId],
  )
  return rows.reverse().map((row) => ({ ...JSON.parse(row.canonical), commitmentKey: row.commitment_key }))
}

const seen = (at = -1) => gateway.upstream.seen.at(at)
const sent = (at = -1) => seen(at)?.raw.toString()
const { id: answerId } = responseAnswer()

describe('a call on a socket', () => {
  test('is forwarded by HTTP as a stream, and each event of its answer is a message', async () => {
    const socket = await open()
    const messages = await socket.ask({ model, input: 'Hi', temperature: 0.5 })
    expect(messages).toEqual(responseEvents('Hello', ' there.'))
    expect(sent()).toBe(`{"model":"${model}","input":"Hi","temperature":0.5,"stream":true}`)
    expect(seen()).toMatchObject({ path: '/v1/responses', headers: { authorization: 'Bearer sk-upstream' } })
  })

  test('leaves a receipt with an id of its own, and the session and tags of the handshake', async () => {
    const socket = await open(undefined, {
      'x-tallystick-session': 'run-7',
      'x-tallystick-tags': 'project=alpha',
    })
    await socket.ask({ model, input: 'One' })
    await socket.ask({ model, input: 'Two' })
    const [first, second] = await lastReceipts(2)
    if (first === undefined || second === undefined) throw new Error('a call has no receipt')
    expect(first).toMatchObject({
      outcome: 'ok',
      status: 200,
      session: 'run-7',
      tags: { project: 'alpha' },
      inputTokens: 1_000,
      outputTokens: 200,
    })
    expect(second).toMatchObject({ outcome: 'ok', session: 'run-7' })
    expect(second.id).not.toBe(first.id)
    expect(second.request).toBe(commitmentTo(second, sent() ?? ''))
  })

  test('sees the end of its answer only when its receipt is durable', async () => {
    const socket = await open(undefined, { 'x-tallystick-session': 'durable' })
    const messages = await socket.ask({ model, input: 'Hi' })
    expect(messages.at(-1)?.type).toBe('response.completed')
    expect(await lastReceipts(1)).toMatchObject([{ session: 'durable', outcome: 'ok' }])
  })

  test('keeps every byte of what the caller wrote, but for what belongs to the socket', async () => {
    const socket = await open()
    socket.raw.send(
      `{ "type":"response.create" , "model": "${model}",\t"input" : [ ] , "stream":false, "seed": 1.50e1, "metadata":{"a":"\\u00e9"} , "generate": true }`,
    )
    await socket.answer()
    expect(sent()).toBe(
      `{ "model": "${model}",\t"input" : [ ] , "stream":true, "seed": 1.50e1, "metadata":{"a":"\\u00e9"} }`,
    )
  })

  test('has the headers of the handshake, without what is for the handshake alone', async () => {
    const socket = await open(undefined, {
      'openai-beta': 'responses_websockets=2026-02-06, other=v1',
      'idempotency-key': 'one-call-only',
    })
    await socket.ask({ model, input: 'Hi' })
    expect(seen()?.headers['openai-beta']).toBe('other=v1')
    expect(seen()?.headers['idempotency-key']).toBeUndefined()
  })

  test('that the provider refuses is answered with its error, and the socket stays open', async () => {
    const socket = await open()
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 400, openAiError('invalid_request_error', 'No such thing', 'bad_thing'), {
        'retry-after': '7',
      }),
    )
    const [error] = await socket.ask({ model, input: 'Hi' })
    expect(error).toMatchObject({
      type: 'error',
      status: 400,
      error: { type: 'invalid_request_error', message: 'No such thing', code: 'bad_thing' },
      headers: { 'x-tallystick-request-id': expect.stringMatching(/^req_/) },
    })
    gateway.upstream.answerWith((_, response) => streamNamed(response, responseEvents('Fine')))
    expect((await socket.ask({ model, input: 'Hi' })).at(-1)?.type).toBe('response.completed')
  })

  test('that breaks off in the middle ends with an error that says its status', async () => {
    const socket = await open()
    gateway.upstream.answerWith((_, response) => {
      const send = startEvents(response)
      for (const event of responseEvents('Hello').slice(0, 4)) send(event, event.type)
      response.end()
    })
    const messages = await socket.ask({ model, input: 'Hi' })
    expect(messages).toHaveLength(5)
    expect(messages.at(-1)).toMatchObject({
      type: 'error',
      status: 502,
      error: { type: 'upstream_error', code: 'upstream_error' },
    })
  })

  test.each([
    [{ type: 'error', code: 'server_error', message: 'Broken', param: null, sequence_number: 1 }, 500],
    [{ type: 'error', error: { code: null, message: 'Broken' }, status: 503 }, 503],
  ])('with an error of the provider in its stream says the status of it: %j', async (event, status) => {
    const socket = await open()
    gateway.upstream.answerWith((_, response) => {
      startEvents(response)(event, 'error')
      response.end()
    })
    const [error] = await socket.ask({ model, input: 'Hi' })
    expect(error).toMatchObject({ type: 'error', status, error: { message: 'Broken' } })
  })

  test('to a provider that does not stream is answered with the events that matter', async () => {
    const socket = await open()
    const message = responseMessage('All at once')
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, responseAnswer(message)))
    const messages = await socket.ask({ model, input: 'Hi' })
    expect(messages.map(({ type }) => type)).toEqual([
      'response.created',
      'response.output_item.done',
      'response.completed',
    ])
    expect(messages[1]?.item).toEqual(message)
  })
})

describe('going on from an answer', () => {
  const message = JSON.stringify(responseMessage('Hello there.'))

  test('of this socket: what was said is put before the new input, byte for byte', async () => {
    const socket = await open()
    await socket.ask({ model, store: false, input: 'Hi' })
    gateway.upstream.answerWith((_, response) => streamNamed(response, responseToolEvents))
    socket.raw.send(
      `{"type":"response.create","model":"${model}","store":false,"previous_response_id":"${answerId}","input":[ {"role":"user", "content":"And\\u0020now?"} ]}`,
    )
    await socket.answer()
    const said = `{"type":"message","role":"user","content":"Hi"},${message}`
    const asked = `{"role":"user", "content":"And\\u0020now?"}`
    expect(sent()).toBe(`{"model":"${model}","store":false,"input":[${said},${asked}],"stream":true}`)

    const output = { type: 'function_call_output', call_id: responseToolCall.call_id, output: '18 degrees' }
    await socket.ask({ model, store: false, previous_response_id: answerId, input: [output] })
    const called = JSON.stringify(responseToolCall)
    expect(sent()).toBe(
      `{"model":"${model}","store":false,"input":[${said},${asked},${called},${JSON.stringify(output)}],"stream":true}`,
    )
  })

  test('of another socket is left to the provider, and what follows is too', async () => {
    await (await open()).ask({ model, input: 'Hello' })
    const socket = await open()
    const first = { model, previous_response_id: answerId, input: 'Hi' }
    await socket.ask(first)
    expect(sent()).toBe(`${JSON.stringify(first).slice(0, -1)},"stream":true}`)
    const next = { model, previous_response_id: answerId, input: 'And?' }
    await socket.ask(next)
    expect(sent()).toBe(`${JSON.stringify(next).slice(0, -1)},"stream":true}`)
  })

  test('leaves out reasoning that a provider would have to look up and does not store', async () => {
    const socket = await open()
    const open_ = { type: 'reasoning', id: 'rs_1', summary: [] }
    const sealed = { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' }
    const answer = responseAnswer(open_, sealed, responseMessage('Hm.'))
    gateway.upstream.answerWith((_, response) =>
      streamNamed(response, [{ type: 'response.completed', response: answer } as { type: string }]),
    )
    for (const store of [false, true]) {
      await socket.ask({ model, store, input: [] })
      await socket.ask({ model, store, previous_response_id: answerId, input: [] })
      expect(seen()?.body.input).toEqual([...(store ? [open_] : []), sealed, responseMessage('Hm.')])
    }
  })

  test('after a call that failed goes on from the last answer that there was', async () => {
    const socket = await open()
    await socket.ask({ model, store: false, input: 'Hi' })
    gateway.upstream.answerWith((_, response) => sendJson(response, 500, openAiError('server_error', 'No')))
    await socket.ask({ model, store: false, previous_response_id: answerId, input: 'Lost' })
    gateway.upstream.answerWith((_, response) => streamNamed(response, responseEvents('Yes')))
    await socket.ask({ model, store: false, previous_response_id: answerId, input: 'Again' })
    expect(seen()?.body.input).toHaveLength(3)
    expect(seen()?.body.input.at(-1)).toMatchObject({ content: 'Again' })
  })

  test('that was only prepared: no model is asked, and the next call has its input', async () => {
    const socket = await open()
    const before = gateway.upstream.seen.length
    const input = [{ role: 'developer', content: 'Be brief.' }]
    const messages = await socket.ask({ model, store: false, generate: false, input })
    expect(messages.map(({ type }) => type)).toEqual(['response.created', 'response.completed'])
    const { response } = messages.at(-1)
    expect(response).toMatchObject({ object: 'response', status: 'completed', output: [], model })
    expect(response.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, total_tokens: 0 })
    expect(gateway.upstream.seen).toHaveLength(before)
    await socket.ask({ model, store: false, previous_response_id: response.id, input: [] })
    expect(sent()).toBe(`{"model":"${model}","store":false,"input":${JSON.stringify(input)},"stream":true}`)
  })

  test('that cannot be prepared, since it is none of this socket, is answered so that clients send all of it', async () => {
    const socket = await open()
    const [error] = await socket.ask({ model, generate: false, previous_response_id: 'resp_x', input: [] })
    expect(error).toMatchObject({ status: 400, error: { code: 'previous_response_not_found' } })
  })

  test('is judged whole, every time', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, phase: 'input', action: 'redact' },
    ])
    const socket = await open(key)
    await socket.ask({ model, store: false, input: 'I am ann@example.com' })
    expect(sent()).not.toContain('ann@example.com')
    await socket.ask({ model, store: false, previous_response_id: answerId, input: 'Who am I?' })
    expect(sent()).toContain('Who am I?')
    expect(sent()).not.toContain('ann@example.com')
  })
})

describe('calls on one socket', () => {
  test('are answered one after the other, in their order', async () => {
    const socket = await open()
    const gate = makeGate()
    gateway.upstream.answerWith(async ({ body }, response) => {
      if (body.input === 'first') await gate.passed
      streamNamed(response, responseEvents(`to ${body.input}`))
    })
    const before = gateway.upstream.seen.length
    for (const input of ['first', 'second', 'third']) socket.create({ model, input })
    await waitFor('the first call', () => gateway.upstream.seen.length === before + 1)
    gate.open()
    for (const input of ['first', 'second', 'third']) {
      const messages = await socket.answer()
      expect(messages.at(-1)?.response.output[0].content[0].text).toBe(`to ${input}`)
    }
  })

  test('beyond those that may wait are refused, and the others answered', async () => {
    const socket = await open()
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      await gate.passed
      streamNamed(response, responseEvents('Late'))
    })
    for (let i = 0; i < 6; i++) socket.create({ model, input: `call ${i}` })
    expect(await socket.next()).toMatchObject({ type: 'error', status: 429, headers: { 'retry-after': '1' } })
    gate.open()
    for (let i = 0; i < 5; i++) expect((await socket.answer()).at(-1)?.type).toBe('response.completed')
  })
})

describe("OpenAI's own client", () => {
  test('asks, goes on, and is told of errors', async () => {
    const client = new OpenAI({
      baseURL: `${gateway.service.address}/v1`,
      apiKey: gateway.service.managerKey,
    })
    const socket = new ResponsesWS(client)
    const events: { type: string }[] = []
    const errors: Error[] = []
    socket.on('event', (event) => events.push(event))
    socket.on('error', (error) => errors.push(error))
    const completed = () => events.filter(({ type }) => type === 'response.completed').length
    socket.send({ type: 'response.create', model, store: false, input: 'Hi' })
    await waitFor('the first answer', () => completed() === 1)
    socket.send({
      type: 'response.create',
      model,
      store: false,
      previous_response_id: answerId,
      input: 'And?',
    })
    await waitFor('the second answer', () => completed() === 2)
    expect(seen()?.body.input).toHaveLength(3)
    socket.send({ type: 'response.create', model: 'no-such-model', input: 'Hi' })
    await waitFor('the error', () => errors.length === 1)
    expect(String(errors[0])).toContain('no-such-model')
    socket.close()
  })
})

describe('a handshake that is refused', () => {
  test.each([
    ['without a key', {}],
    ['with a key that is none', { authorization: 'Bearer tallystick_sk_none' }],
  ])('%s is answered in plain HTTP', async (_, headers) => {
    const { status, error } = await refusedHandshake(gateway.service.address, headers)
    expect({ status, error }).toEqual({
      status: 401,
      error: { type: 'unauthorized', code: 401, message: 'Missing or invalid API key' },
    })
  })

  test('since its user is suspended', async () => {
    const key = await gateway.key({ userId: 'idle-hands' })
    await gateway.service.api.patch('/v1/user-limits/idle-hands', { status: 'suspended' })
    const { status, error } = await refusedHandshake(gateway.service.address, { 'x-api-key': key })
    expect({ status, type: error.type }).toEqual({ status: 403, type: 'user_suspended' })
  })

  test('since it is plain HTTP', async () => {
    const { status, body } = await gateway.service.api.get('/v1/responses')
    expect({ status, type: body.error.type }).toEqual({ status: 404, type: 'not_found' })
  })
})
