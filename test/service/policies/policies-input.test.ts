import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  embeddingAnswer,
  messageAnswer,
  responseAnswer,
} from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
  gateway.upstream.answerWith(({ path, body }, response) => {
    const answers: Record<string, object> = {
      '/v1/chat/completions': chatAnswer({ content: 'Fine.' }),
      '/v1/responses': responseAnswer(),
      '/v1/messages': messageAnswer([{ type: 'text', text: 'Fine.' }]),
      '/v1/embeddings': embeddingAnswer([[1]], body.encoding_format),
    }
    sendJson(response, 200, answers[path])
  })
})
afterAll(() => gateway.stop())

/** A call of each dialect that says something somewhere. */
const calls = {
  chat: (text: string) => ({
    path: '/v1/chat/completions',
    body: { model: 'gpt-4o-mini', max_tokens: 100, messages: [{ role: 'user', content: text }] },
  }),
  'chat, in a part of a message': (text: string) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4o-mini',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'text', text },
          ],
        },
      ],
    },
  }),
  'chat, in a tool definition': (text: string) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4o-mini',
      messages: [],
      tools: [{ type: 'function', function: { name: 'f', description: text, parameters: {} } }],
    },
  }),
  'chat, in the arguments of an earlier tool call': (text: string) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4o-mini',
      messages: [
        {
          role: 'assistant',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify({ text }) } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
      ],
    },
  }),
  'chat, in the result of a tool': (text: string) => ({
    path: '/v1/chat/completions',
    body: { model: 'gpt-4o-mini', messages: [{ role: 'tool', tool_call_id: 'c', content: text }] },
  }),
  'responses, as a plain input': (text: string) => ({
    path: '/v1/responses',
    body: { model: 'gpt-4o-mini', input: text },
  }),
  'responses, in the instructions': (text: string) => ({
    path: '/v1/responses',
    body: { model: 'gpt-4o-mini', instructions: text, input: 'Hello' },
  }),
  'responses, in the output of a function': (text: string) => ({
    path: '/v1/responses',
    body: {
      model: 'gpt-4o-mini',
      input: [{ type: 'function_call_output', call_id: 'c', output: text }],
    },
  }),
  'messages, in the system text': (text: string) => ({
    path: '/v1/messages',
    body: { model: 'claude-sonnet-4-6', max_tokens: 10, system: [{ type: 'text', text }], messages: [] },
  }),
  'messages, in the input of a tool': (text: string) => ({
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-4-6',
      max_tokens: 10,
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { deep: [text] } }] },
      ],
    },
  }),
  'messages, in a tool result': (text: string) => ({
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-4-6',
      max_tokens: 10,
      messages: [
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text }] }],
        },
      ],
    },
  }),
  embeddings: (text: string) => ({
    path: '/v1/embeddings',
    body: { model: 'text-embedding-3-small', input: ['Hello', text] },
  }),
}

const finding = [
  ['keywords', { words: ['project nightfall'] }, 'About Project  Nightfall, then.'],
  ['pattern', { patterns: [{ name: 'badge', regex: '\\bEMP-[0-9]{6}\\b' }] }, 'My badge is EMP-123456.'],
  ['pii', { entities: ['email'] }, 'Write to jane@example.com.'],
  ['secrets', {}, `The key is AKIA${'IOSFODNN7EXAMPLE'.replace('EXAMPLE', 'QWERTYU')}.`],
] as const

describe.each(Object.entries(calls))('text of %s', (_, compose) => {
  test.each(finding)('is blocked by %s: the provider is never asked', async (kind, config, text) => {
    const { key, policies } = await createKeyWithPolicies(gateway, [{ kind, config }])
    const seen = gateway.upstream.seen.length
    const { path, body } = compose(text)
    const response = await gateway.send(path, body, { key })
    expect(response.status).toBe(403)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error).toMatchObject({
      type: 'policy_violation',
      code: 403,
      check: kind,
      policy_id: policies[0]?.id,
    })
    expect(error.message).not.toContain(text.slice(0, 8))
    expect(gateway.upstream.seen).toHaveLength(seen)
    expect(await gateway.receiptOf(response)).toMatchObject({
      outcome: 'blocked',
      status: 403,
      costNanos: 0,
      checks: expect.arrayContaining([
        { name: kind, applicable: true, result: 'fail', action: 'block', policy: policies[0]?.reference },
      ]),
    })
  })

  test('is redacted on its way, and nothing else of the body changes', async () => {
    const { key, policies } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
    ])
    const text = 'Write to jane@example.com, or jane@example.com, or bob@example.com "now".'
    const redacted = 'Write to [EMAIL_1], or [EMAIL_1], or [EMAIL_2] "now".'
    // Numbers that do not survive being parsed and written again.
    const { path, body } = compose(text)
    const sent = `{"seed": 12345678901234567890, "temperature":1.0,${JSON.stringify(body, null, 1).slice(1)}`
    const response = await gateway.send(path, sent, { key })
    expect(response.status).toBe(200)
    const said = JSON.stringify(text).slice(1, -1)
    const escaped = JSON.stringify(said).slice(1, -1)
    const expected = sent
      .replace(escaped, JSON.stringify(JSON.stringify(redacted).slice(1, -1)).slice(1, -1))
      .replace(said, JSON.stringify(redacted).slice(1, -1))
    expect(gateway.upstream.seen.at(-1)?.raw.toString()).toBe(expected)
    expect(await gateway.receiptOf(response)).toMatchObject({
      outcome: 'redacted',
      checks: expect.arrayContaining([
        { name: 'pii', applicable: true, result: 'fail', action: 'redact', policy: policies[0]?.reference },
      ]),
    })
  })

  test('that has nothing in it passes untouched', async () => {
    const { key, policies } = await createKeyWithPolicies(
      gateway,
      finding.map(([kind, config]) => ({ kind, config })),
    )
    const { path, body } = compose('Nothing of the kind.')
    const sent = JSON.stringify(body, null, 2)
    const response = await gateway.send(path, sent, { key })
    expect(response.status).toBe(200)
    expect(gateway.upstream.seen.at(-1)?.raw.toString()).toBe(sent)
    const receipt = await gateway.receiptOf(response)
    expect(receipt.outcome).toBe('ok')
    expect(receipt.checks?.slice(4)).toEqual(
      finding.map(([name], i) => ({
        name,
        applicable: true,
        result: 'pass',
        policy: policies[i]?.reference,
      })),
    )
  })
})

const hello = { model: 'gpt-4o-mini', max_tokens: 100, messages: [{ role: 'user', content: 'Hello!' }] }
const chat = (key: string, body: object = hello) => gateway.send('/v1/chat/completions', body, { key })
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: Record<string, unknown> }).error

describe('several policies', () => {
  const flag = { kind: 'keywords', config: { words: ['hello'] }, action: 'flag' }
  const redact = { kind: 'keywords', config: { words: ['hello'] }, action: 'redact' }
  const block = { kind: 'keywords', config: { words: ['hello'] }, action: 'block' }

  test('block wins over redact over flag, whichever is older', async () => {
    for (const [policies, outcome] of [
      [[flag, redact, block], 'blocked'],
      [[block, flag], 'blocked'],
      [[flag, redact], 'redacted'],
      [[redact, flag], 'redacted'],
      [[flag], 'ok'],
    ] as const) {
      const { key } = await createKeyWithPolicies(gateway, [...policies])
      const response = await chat(key)
      expect(response.status).toBe(outcome === 'blocked' ? 403 : 200)
      const receipt = await gateway.receiptOf(response)
      expect(receipt.outcome).toBe(outcome)
      // All were asked, also when one blocks.
      expect(receipt.checks?.slice(4).map(({ result, action }) => [result, action])).toEqual(
        policies.map(({ action }) => ['fail', action]),
      )
    }
  })

  test('what several take out at one place becomes one placeholder', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['example'] }, action: 'redact' },
      { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
    ])
    const response = await chat(key, {
      ...hello,
      messages: [{ role: 'user', content: 'For example, jane@example.com' }],
    })
    expect(response.status).toBe(200)
    expect(gateway.upstream.seen.at(-1)?.body.messages[0].content).toBe('For [KEYWORD_1], [EMAIL_1]')
  })

  test('a placeholder that the caller already uses is left to it', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
    ])
    await chat(key, {
      ...hello,
      messages: [
        { role: 'user', content: 'Not jane@example.com' },
        { role: 'user', content: 'but [EMAIL_1] and [EMAIL_2]' },
      ],
    })
    expect(gateway.upstream.seen.at(-1)?.body.messages[0].content).toBe('Not [EMAIL_3]')
  })
})

describe('a policy', () => {
  test('applies to the tenant, a team, a user or a key, and to nobody else', async () => {
    const { api } = gateway.service
    const team = (await api.post('/v1/team/teams', { name: 'Governed', budgetPoolUsd: 100 })).body
    const other = await gateway.key()
    const ofTeam = await gateway.key({ teamId: team.id })
    const ofUser = await gateway.key({ userId: 'governed-user' })
    const ofBoth = await gateway.key({ userId: 'governed-user', teamId: team.id })
    const statuses = async () =>
      await Promise.all([other, ofTeam, ofUser, ofBoth].map(async (key) => (await chat(key)).status))
    const policy = { kind: 'keywords', config: { words: ['hello'] } }
    for (const [scope, expected] of [
      [{ type: 'team', id: team.id }, [200, 403, 200, 403]],
      [{ type: 'user', id: 'governed-user' }, [200, 200, 403, 403]],
      [{ type: 'tenant' }, [403, 403, 403, 403]],
    ] as const) {
      const { body } = await api.post('/v1/policies', { name: `For ${scope.type}`, scope, ...policy })
      expect(await statuses()).toEqual(expected)
      await api.patch(`/v1/policies/${body.id}`, { enabled: false })
      expect(await statuses()).toEqual([200, 200, 200, 200])
    }
  })

  test('of model lists refuses the model by every name it has, and hides it from the list of models', async () => {
    const denied = await createKeyWithPolicies(gateway, [
      { kind: 'model_denylist', config: { models: ['openai/gpt-4o-mini'] } },
    ])
    for (const model of ['gpt-4o-mini', 'openai/gpt-4o-mini']) {
      const response = await chat(denied.key, { ...hello, model })
      expect(response.status).toBe(403)
      expect(await errorOf(response)).toMatchObject({
        type: 'model_not_allowed',
        check: 'model_denylist',
        policy_id: denied.policies[0]?.id,
      })
      expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'blocked' })
    }
    const { body } = await gateway.service.as(denied.key).get('/v1/models')
    const names = body.data.map(({ id }: { id: string }) => id)
    expect(names).not.toContain('gpt-4o-mini')
    expect(names).toContain('gpt-4o')

    const allowed = await createKeyWithPolicies(gateway, [
      { kind: 'model_allowlist', config: { models: ['gpt-4o-m*'] } },
    ])
    expect((await chat(allowed.key)).status).toBe(200)
    expect((await chat(allowed.key, { ...hello, model: 'gpt-4o' })).status).toBe(403)
  })

  test.each([
    [{ maxMessages: 1 }, hello, { ...hello, messages: [...hello.messages, ...hello.messages] }],
    [{ maxInputTokens: 20 }, hello, { ...hello, messages: [{ role: 'user', content: 'word '.repeat(20) }] }],
    [{ maxOutputTokens: 100 }, hello, { ...hello, max_tokens: 101 }],
    [{ maxOutputTokens: 100 }, hello, { ...hello, n: 2 }],
    [{ maxOutputTokens: 100 }, hello, { model: hello.model, messages: hello.messages }],
  ])('of limits %j lets through what is within, and nothing more', async (config, within, beyond) => {
    const { key } = await createKeyWithPolicies(gateway, [{ kind: 'limits', config }])
    expect((await chat(key, within)).status).toBe(200)
    const response = await chat(key, beyond)
    expect(response.status).toBe(403)
    expect(await errorOf(response)).toMatchObject({ type: 'policy_violation', check: 'limits' })
  })

  test('of tools judges what a request offers, by name', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'tools', config: { allow: ['get_*', 'web_search'], deny: ['*_secret'] } },
    ])
    const offer = (...tools: object[]) => chat(key, { ...hello, tools })
    const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } })
    expect((await chat(key)).status).toBe(200)
    expect((await offer(tool('get_weather'), { type: 'web_search' })).status).toBe(200)
    for (const name of ['shell', 'get_secret', 'get_SECRET', 'GET_weather'])
      expect(await errorOf(await offer(tool('get_weather'), tool(name)))).toMatchObject({ check: 'tools' })
    expect((await offer({ type: 'code_interpreter' })).status).toBe(403)
  })

  test('of expression sees the request, the key, its owner, its team and the time', async () => {
    const { api } = gateway.service
    const team = (await api.post('/v1/team/teams', { name: 'Expressed', budgetPoolUsd: 1 })).body
    await api.post('/v1/team/members', { userId: 'ann', name: 'Ann', email: 'ann@example.com' })
    const cel = `request.model == "gpt-4o-mini" && request.provider == "openai" && request.dialect == "chat" && !request.stream
      && request.inputTokens > 5 && request.inputTokens < 200 && request.maxOutputTokens == 100 && request.messages == 1
      && request.tools == ["get_weather"] && key.name == "governed" && key.metadata["env"] == "prod" && key.role == "member"
      && user.id == "ann" && user.name == "Ann" && user.email == "ann@example.com" && user.role == "member"
      && team.id == "${team.id}" && team.name == "Expressed"
      && now > timestamp("2026-01-01T00:00:00Z")`
    const { key } = await createKeyWithPolicies(gateway, [{ kind: 'expression', config: { cel } }], {
      userId: 'ann',
      teamId: team.id,
      metadata: { env: 'prod' },
    })
    const tools = [{ type: 'function', function: { name: 'get_weather' } }]
    expect((await chat(key, { ...hello, tools })).status).toBe(403)
    expect((await chat(key, hello)).status).toBe(200)
  })
})

describe('a policy that fails', () => {
  const faulty = { kind: 'expression', config: { cel: 'key.metadata["region"] == "eu"' } }

  test('blocks the call, and the receipt says that it was not judged', async () => {
    const { key, policies } = await createKeyWithPolicies(gateway, [faulty])
    const response = await chat(key)
    expect(response.status).toBe(403)
    expect(await errorOf(response)).toMatchObject({ type: 'policy_violation', policy_id: policies[0]?.id })
    expect((await gateway.receiptOf(response)).checks?.at(-1)).toEqual({
      name: 'expression',
      applicable: true,
      result: 'error',
      action: 'block',
      policy: policies[0]?.reference,
    })
  })

  test('blocks nothing when it would only flag', async () => {
    const { key } = await createKeyWithPolicies(gateway, [{ ...faulty, action: 'flag' }])
    const response = await chat(key)
    expect(response.status).toBe(200)
    expect((await gateway.receiptOf(response)).checks?.at(-1)).toMatchObject({ result: 'error' })
  })

  test('blocks every call when it cannot even be read any more, also one that looks at answers', async () => {
    const { key, policies } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['x'] }, phase: 'output' },
    ])
    await gateway.service.database.query(`update policies set config = '{"words": 1}' where id = $1`, [
      policies[0]?.id,
    ])
    const response = await chat(key)
    expect(response.status).toBe(403)
  })

  test('embeddings of token numbers are refused where someone must look at the text', async () => {
    const call = { model: 'text-embedding-3-small', input: [[1, 2, 3]] }
    const looked = await createKeyWithPolicies(gateway, [{ kind: 'secrets' }])
    const response = await gateway.send('/v1/embeddings', call, { key: looked.key })
    expect(response.status).toBe(403)
    const free = await createKeyWithPolicies(gateway, [{ kind: 'limits', config: { maxMessages: 5 } }])
    expect((await gateway.send('/v1/embeddings', call, { key: free.key })).status).toBe(200)
  })
})

test('a stored prompt is judged like everything else that is sent', async () => {
  const { api } = gateway.service
  const prompt = (
    await api.post('/v1/prompts', { name: 'Leaky', content: 'Ask {{who}} at jane@example.com' })
  ).body
  const { key } = await createKeyWithPolicies(gateway, [
    { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
  ])
  const reference = { id: prompt.id, variables: { who: 'bob@example.com' } }
  expect((await chat(key, { ...hello, prompt: reference })).status).toBe(200)
  expect(gateway.upstream.seen.at(-1)?.body.messages[0].content).toBe('Ask [EMAIL_1] at [EMAIL_2]')
})

test.each(['\n', '\t', '\r', '\b', '\f'])(
  'a word after %j in the JSON that a tool returned is a word',
  async (blank) => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] } },
      { kind: 'pattern', config: { patterns: [{ name: 'badge', regex: '\\bEMP-[0-9]{6}\\b' }] } },
      { kind: 'pii', config: { entities: ['credit_card'] } },
    ])
    for (const said of ['nightfall', 'EMP-123456', '4111111111111111']) {
      for (const nested of [1, 2, 3]) {
        let content = `Here:${blank}${said}${blank}there`
        for (let level = 0; level < nested; level++) content = JSON.stringify({ content })
        const messages = [{ role: 'tool', tool_call_id: 'call_1', content }]
        const response = await gateway.send(
          '/v1/chat/completions',
          { model: 'gpt-4o-mini', messages },
          { key },
        )
        expect(response.status, content).toBe(403)
      }
    }
  },
)

test('what is redacted in one text does not excuse another that cannot be judged', async () => {
  const { key } = await createKeyWithPolicies(gateway, [
    { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
  ])
  let hidden = 'Write to jane@example.com, please.'
  for (let times = 0; times < 6; times++) hidden = Buffer.from(hidden).toString('base64')
  const texts = ['Write to ann@example.com', hidden]
  for (const order of [texts, texts.toReversed()]) {
    const messages = order.map((content) => ({ role: 'user', content }))
    const before = gateway.upstream.seen.length
    const response = await gateway.send('/v1/chat/completions', { model: 'gpt-4o-mini', messages }, { key })
    expect(response.status).toBe(403)
    expect(gateway.upstream.seen).toHaveLength(before)
  }
})
