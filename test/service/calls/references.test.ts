import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openResponseSocket } from '../../harness/providers/response-socket.js'
import {
  type Caller,
  type IssuedWithAnswer,
  type SharedAccount,
  startSharedAccount,
} from '../../harness/service/shared-account.js'

// What a provider keeps for one person is not opened to another by its id, though both call with one account of the provider.

let shared: SharedAccount

beforeAll(async () => {
  shared = await startSharedAccount()
})
afterAll(() => shared.stop())

const model = 'gpt-4o-mini'
const claude = 'claude-sonnet-4-6'
const allowed: Caller[] = ['ann', 'bea']
const others: Caller[] = ['cid', 'dora', 'robot', 'auditor', 'manager', 'stranger']

const respond = (fields: object) => ({ model, input: 'Go on', ...fields })
const chat = (...messages: object[]) => ({
  model,
  messages: [{ role: 'user', content: 'Go on' }, ...messages],
})
const message = (content: unknown, fields: object = {}) => ({
  ...{ model: claude, max_tokens: 100, messages: [{ role: 'user', content }] },
  ...fields,
})

interface Case {
  /** The member that the refusal names. */
  member: string
  body(issued: IssuedWithAnswer): object
}

/** By endpoint, each way to name something that came with an earlier answer of it. */
const cases: Record<string, Case[]> = {
  '/v1/responses': [
    { member: 'previous_response_id', body: ({ response }) => respond({ previous_response_id: response }) },
    { member: 'input.0', body: ({ message: id }) => respond({ input: [{ type: 'item_reference', id }] }) },
    { member: 'input.0', body: ({ message: id }) => respond({ input: [{ id }] }) },
    {
      member: 'input.0',
      body: ({ reasoning: id }) => respond({ input: [{ type: 'reasoning', id, summary: [] }] }),
    },
    {
      member: 'input.0',
      body: ({ code: id }) => respond({ input: [{ type: 'code_interpreter_call', id, code: '1' }] }),
    },
    {
      member: 'tools.0.container',
      body: ({ container }) => respond({ tools: [{ type: 'code_interpreter', container }] }),
    },
    {
      member: 'input.0.content.0.file_id',
      body: ({ file: file_id }) =>
        respond({ input: [{ role: 'user', content: [{ type: 'input_file', file_id }] }] }),
    },
  ],
  '/v1/chat/completions': [
    {
      member: 'messages.1.audio',
      body: ({ audio: id }) => chat({ role: 'assistant', audio: { id } }),
    },
  ],
  '/v1/messages': [
    { member: 'container', body: ({ container }) => message('Go on', { container }) },
    {
      member: 'messages.0.content.0.source.file_id',
      body: ({ file: file_id }) => message([{ type: 'document', source: { type: 'file', file_id } }]),
    },
    {
      member: 'messages.0.content.0.file_id',
      body: ({ file: file_id }) => message([{ type: 'container_upload', file_id }]),
    },
  ],
}

const beginnings: Record<string, object> = {
  '/v1/responses': respond({}),
  '/v1/chat/completions': chat(),
  '/v1/messages': message('Begin'),
}

describe.each(Object.keys(cases))('%s', (endpoint) => {
  test.each([
    ['plain', {}],
    ['streamed', { stream: true }],
  ])(
    'what came with a %s answer may be named by its owner and its team, and by nobody else',
    async (_, mode) => {
      const issued = await shared.issue('ann', endpoint, { ...beginnings[endpoint], ...mode })
      for (const { member, body } of cases[endpoint] ?? []) {
        for (const caller of others) {
          const before = shared.upstream.seen.length
          const response = await shared.post(caller, endpoint, body(issued))
          const { error } = JSON.parse(await response.text())
          expect([caller, member, response.status, error.type]).toEqual([caller, member, 404, 'not_found'])
          expect(error.details[0].path).toBe(member)
          expect(shared.upstream.seen.length).toBe(before)
        }
        for (const caller of allowed) {
          const response = await shared.post(caller, endpoint, body(issued))
          expect([caller, member, response.status]).toEqual([caller, member, 200])
          await response.text()
        }
      }
    },
  )
})

test('a key that nobody owns goes on from its own answers, and others do not', async () => {
  const { response } = await shared.issue('robot', '/v1/responses', respond({}))
  expect(
    (await shared.post('robot', '/v1/responses', respond({ previous_response_id: response }))).status,
  ).toBe(200)
  expect(
    (await shared.post('dora', '/v1/responses', respond({ previous_response_id: response }))).status,
  ).toBe(404)
})

test('what was never issued is refused in the same words as what was issued to somebody else', async () => {
  const { response } = await shared.issue('ann', '/v1/responses', respond({}))
  const refuse = async (previous_response_id: string) =>
    await (await shared.post('cid', '/v1/responses', respond({ previous_response_id }))).json()
  expect(await refuse(response)).toEqual(await refuse('resp_unheard_of'))
})

test.each([
  ['a conversation', respond({ conversation: 'conv_1' })],
  ['a conversation as an object', respond({ conversation: { id: 'conv_1' } })],
  ['a vector store', respond({ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] })],
  [
    'an uploaded file',
    respond({ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] }),
  ],
])('%s that was made elsewhere passes only where the provider accepts any', async (_, body) => {
  expect((await shared.post('ann', '/v1/responses', body)).status).toBe(404)
  const before = shared.upstream.seen.length
  for (const caller of ['ann', 'stranger'] as const)
    expect((await shared.post(caller, '/v1/responses', { ...body, model: `lenient/${model}` })).status).toBe(
      200,
    )
  expect(shared.upstream.seen.length).toBe(before + 2)
})

test('where any is accepted, what was issued to somebody else is refused all the same', async () => {
  const lenient = respond({ model: `lenient/${model}` })
  const { response, container } = await shared.issue('ann', '/v1/responses', lenient)
  for (const named of [
    { previous_response_id: response },
    { tools: [{ type: 'code_interpreter', container }] },
  ]) {
    expect((await shared.post('cid', '/v1/responses', { ...lenient, ...named })).status).toBe(404)
    expect((await shared.post('ann', '/v1/responses', { ...lenient, ...named })).status).toBe(200)
  }
  // Issued by another provider, which may be the same account.
  const { response: strict } = await shared.issue('ann', '/v1/responses', respond({}))
  expect(
    (await shared.post('cid', '/v1/responses', { ...lenient, previous_response_id: strict })).status,
  ).toBe(404)
})

test('whoever names what was made elsewhere does not take it from others', async () => {
  const container = `cntr_made_elsewhere`
  const body = respond({ model: `lenient/${model}`, tools: [{ type: 'code_interpreter', container }] })
  for (const caller of ['ann', 'cid'] as const)
    expect((await shared.post(caller, '/v1/responses', body)).status).toBe(200)
})

test('with an account of its own, a caller names what it likes', async () => {
  const body = respond({ model: `personal/${model}`, previous_response_id: 'resp_of_mine' })
  expect((await shared.post('cid', '/v1/responses', body)).status).toBe(200)
})

test('what one provider issued does not go to another, and a route sends it where it came from', async () => {
  const models = [`other/${model}`, `openai/${model}`]
  const targets = models.map((each) => ({ model: each }))
  const { api } = shared.service()
  expect((await api.post('/v1/routes', { name: 'either', strategy: 'priority', targets })).status).toBe(201)
  const { response } = await shared.issue('ann', '/v1/responses', respond({ model: models[1] }))
  const named = { previous_response_id: response }
  expect((await shared.post('ann', '/v1/responses', respond({ model: models[0], ...named }))).status).toBe(
    404,
  )
  const routed = await shared.post('ann', '/v1/responses', respond({ model: 'either', ...named }))
  expect([routed.status, routed.headers.get('x-tallystick-model')]).toEqual([200, models[1]])
  await routed.text()
  const before = shared.upstream.seen.length
  expect((await shared.post('cid', '/v1/responses', respond({ model: 'either', ...named }))).status).toBe(404)
  expect(shared.upstream.seen.length).toBe(before)
})

test('a socket goes on from answers by HTTP of the same owner, and of nobody else', async () => {
  const { response } = await shared.issue('ann', '/v1/responses', respond({}))
  const ask = async (caller: Caller) => {
    const socket = await openResponseSocket(shared.service().address, shared.keyOf(caller))
    const messages = await socket.ask(respond({ previous_response_id: response }))
    await socket.close()
    return messages.at(-1)
  }
  expect(await ask('ann')).toMatchObject({ type: 'response.completed' })
  expect(await ask('cid')).toMatchObject({
    type: 'error',
    status: 404,
    error: { type: 'not_found', code: 'previous_response_not_found' },
  })
})

test('what came over a socket is named over HTTP by its owner, and by nobody else', async () => {
  const socket = await openResponseSocket(shared.service().address, shared.keyOf('ann'))
  const ended = (await socket.ask(respond({}))).at(-1)
  await socket.close()
  const named = respond({ previous_response_id: ended.response.id })
  expect((await shared.post('ann', '/v1/responses', named)).status).toBe(200)
  expect((await shared.post('cid', '/v1/responses', named)).status).toBe(404)
})

test('the refusal is in the record', async () => {
  const { response } = await shared.issue('ann', '/v1/responses', respond({}))
  const refused = await shared.post('cid', '/v1/responses', respond({ previous_response_id: response }))
  const { body } = await shared
    .service()
    .api.get(`/v1/calls/${refused.headers.get('x-tallystick-request-id')}`)
  expect(body).toMatchObject({ outcome: 'blocked', status: 404 })
  expect(body.checks).toContainEqual(
    expect.objectContaining({ name: 'references', applicable: true, result: 'fail', action: 'block' }),
  )
})

test('an auditor finds no id of an answer in what it may read', async () => {
  const answered = await shared.post('ann', '/v1/responses', respond({}))
  const { id, output } = JSON.parse(await answered.text())
  const header = (name: string) => answered.headers.get(`x-tallystick-${name}`)
  const call = `/v1/calls/${header('request-id')}`
  const receipt = `/v1/compliance/receipts/${header('receipt')}`
  for (const path of ['/v1/calls', call, `${call}/content`, receipt, '/v1/compliance/export']) {
    const authorization = `Bearer ${shared.keyOf('auditor')}`
    const read = await fetch(shared.service().address + path, { headers: { authorization } })
    const text = await read.text()
    expect([path, read.status]).toEqual([path, 200])
    for (const each of [id, output[0].id, output[1].container_id]) expect(text).not.toContain(`"${each}"`)
  }
})

test('the database knows no id, only hashes', async () => {
  const { response } = await shared.issue('ann', '/v1/responses', respond({}))
  const rows = await shared
    .service()
    .database.query<{ row: string }>('select r::text as row from issued_references r')
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(response)
})

test("OpenAI's own client goes on from its last answer", async () => {
  const client = new OpenAI({
    baseURL: `${shared.service().address}/v1`,
    apiKey: shared.keyOf('dora'),
    maxRetries: 0,
  })
  const first = await client.responses.create({ model, input: 'Begin' })
  const second = await client.responses.create({ model, input: 'More', previous_response_id: first.id })
  const stream = await client.responses.create({
    ...{ model, input: [...second.output, { role: 'user', content: 'And?' }] as never, stream: true },
  })
  let last = ''
  for await (const event of stream) if (event.type === 'response.completed') last = event.response.id
  const third = await client.responses.create({ model, input: 'Last', previous_response_id: last })
  expect(third.id).not.toBe(last)
  await expect(
    client.responses.create({ model, input: 'x', previous_response_id: 'resp_0' }),
  ).rejects.toMatchObject({ status: 404 })
})

test('an agent that stores nothing sends its items back as they are', async () => {
  const input = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it' }] },
    { type: 'reasoning', id: 'rs_elsewhere', summary: [], encrypted_content: 'gAAAA' },
    { type: 'function_call', id: 'fc_elsewhere', call_id: 'c', name: 'shell', arguments: '{"file_id":"x"}' },
    { type: 'function_call_output', call_id: 'c', output: 'ok' },
    {
      type: 'message',
      id: 'msg_elsewhere',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Done' }],
    },
  ]
  const body = respond({ input, store: false, include: ['reasoning.encrypted_content'] })
  expect((await shared.post('ann', '/v1/responses', body)).status).toBe(200)
})

test('after a restart everyone names what is theirs, and nothing else', async () => {
  const { response } = await shared.issue('ann', '/v1/responses', respond({ stream: true }))
  await shared.restart()
  const named = respond({ previous_response_id: response })
  expect((await shared.post('bea', '/v1/responses', named)).status).toBe(200)
  expect((await shared.post('cid', '/v1/responses', named)).status).toBe(404)
})

test('nobody names what was issued to a person who was erased, wherever', async () => {
  const strict = await shared.issue('bea', '/v1/responses', respond({}))
  const lenient = await shared.issue('bea', '/v1/responses', respond({ model: `lenient/${model}` }))
  expect((await shared.service().api.post('/v1/compliance/erasures', { userId: 'bea' })).status).toBe(201)
  for (const caller of ['bea', 'ann', 'cid'] as const) {
    const first = respond({ previous_response_id: strict.response })
    expect((await shared.post(caller, '/v1/responses', first)).status).toBe(404)
    const second = respond({ model: `lenient/${model}`, previous_response_id: lenient.response })
    expect((await shared.post(caller, '/v1/responses', second)).status).toBe(404)
  }
})
