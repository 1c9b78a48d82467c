import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEvents, say, sendEvents, spoken } from '../../harness/policies/dialect-texts.js'
import { chatChunk } from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway
const keys = { allow: '', deny: '', called: '' }

beforeAll(async () => {
  gateway = await shareTestGateway()
  const make = async (config: object, phase: string) =>
    (await createKeyWithPolicies(gateway, [{ kind: 'tools', config, phase }])).key
  keys.allow = await make({ allow: ['get_weather'] }, 'input')
  keys.deny = await make({ deny: ['Shell', 'mcp:*', 'web_search'] }, 'input')
  keys.called = await make({ deny: ['shell'], allow: ['get_*', 'shell'] }, 'output')
})
afterAll(() => gateway.stop())

type Fields = Record<string, unknown>
const schema = { type: 'object', properties: { shell: { type: 'string' }, tools: { type: 'array' } } }

async function statusOf(dialect: keyof typeof spoken, fields: Fields, key: string): Promise<number> {
  gateway.upstream.answerWith(say(dialect, 'Yes.'))
  const response = await gateway.send(spoken[dialect].path, spoken[dialect].body(fields), { key })
  await response.text()
  return response.status
}

describe('a list of allowed tools', () => {
  test.each<[keyof typeof spoken, Fields]>([
    [
      'chat',
      { tools: [{ type: 'function', function: { name: 'get_weather', parameters: schema, strict: true } }] },
    ],
    ['chat', { functions: [{ name: 'get_weather', parameters: schema }], function_call: 'auto' }],
    [
      'responses',
      { tools: [{ type: 'function', name: 'get_weather', parameters: schema }], tool_choice: 'auto' },
    ],
    [
      'messages',
      {
        tools: [{ name: 'get_weather', input_schema: schema, cache_control: { type: 'ephemeral' } }],
        tool_choice: { type: 'tool', name: 'get_weather' },
      },
    ],
  ])('of %s lets through what is in it: %j', async (dialect, fields) => {
    expect(await statusOf(dialect, fields, keys.allow)).toBe(200)
  })

  test.each<[keyof typeof spoken, Fields]>([
    ['chat', { tools: [{ function: { name: 'shell' } }] }],
    ['chat', { tools: [{ type: 'Function', function: { name: 'shell' } }] }],
    ['chat', { tools: [{ type: 'function', name: 'get_weather', function: { name: 'shell' } }] }],
    ['chat', { web_search_options: {} }],
    ['chat', { functions: [{ name: 'shell' }] }],
    [
      'responses',
      { tools: [{ type: 'mcp', name: 'get_weather', server_label: 'x', server_url: 'https://x.example' }] },
    ],
    [
      'responses',
      { tools: [{ type: 'namespace', name: 'get_weather', tools: [{ type: 'function', name: 'shell' }] }] },
    ],
    ['responses', { input: [{ type: 'additional_tools', tools: [{ type: 'function', name: 'shell' }] }] }],
    ['messages', { mcp_servers: [{ type: 'url', name: 'get_weather', url: 'https://x.example' }] }],
  ])('of %s refuses what is not: %j', async (dialect, fields) => {
    expect(await statusOf(dialect, fields, keys.allow)).toBe(403)
  })
})

describe('a list of denied tools', () => {
  test.each<[keyof typeof spoken, Fields]>([
    ['chat', { tools: [{ type: 'function', function: { name: 'SHELL' } }] }],
    ['chat', { tools: [{ type: 'function', function: { name: 'sh\u200bell' } }] }],
    ['chat', { tools: [{ type: 'function', function: { name: 'ｓｈｅｌｌ' } }] }],
    ['chat', { web_search_options: {} }],
    ['responses', { tools: [{ type: 'mcp', name: 'ok', server_label: 'crm' }] }],
    ['messages', { mcp_servers: [{ type: 'url', name: 'crm', url: 'https://x.example' }] }],
    ['messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ])('of %s refuses what is in it, however it is written: %j', async (dialect, fields) => {
    expect(await statusOf(dialect, fields, keys.deny)).toBe(403)
  })

  test('lets everything else through', async () => {
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters: schema } }]
    expect(await statusOf('chat', { tools }, keys.deny)).toBe(200)
  })
})

describe('a called tool', () => {
  const call = (name: string | undefined, piece = '') =>
    chatChunk({ tool_calls: [{ index: 0, type: 'function', function: { name, arguments: piece } }] })
  const stream = async (chunks: object[]) => {
    gateway.upstream.answerWith((_, response) =>
      sendEvents(
        response,
        `${[...chunks, chatChunk({}, 'tool_calls')].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
      ),
    )
    const response = await gateway.send(spoken.chat.path, spoken.chat.body({ stream: true }), {
      key: keys.called,
    })
    const events = readEvents(await response.text())
    const named = events.flatMap((event) => event.choices?.[0]?.delta?.tool_calls?.[0]?.function?.name ?? [])
    return { name: named.join(''), error: events.at(-1)?.error?.type }
  }

  test('whose name comes in pieces is judged by all of it, before anything of it is seen', async () => {
    expect(await stream([call('get_'), call('weather'), call(undefined, '{}')])).toEqual({
      name: 'get_weather',
      error: undefined,
    })
    for (const pieces of [['shell'], ['sh', 'ell'], ['s', 'h', 'e', 'l', 'l'], ['get_', 'shell']])
      expect(await stream([...pieces.map((piece) => call(piece)), call(undefined, '{}')])).toEqual({
        name: '',
        error: 'policy_violation',
      })
  })

  test('whose name goes on after its arguments have begun is judged again', async () => {
    const { name, error } = await stream([call('get_'), call(undefined, '{'), call('x\u200b'), call('shell')])
    expect(error).toBe('policy_violation')
    expect(name).not.toContain('shell')
  })

  test('is another one when it has another id', async () => {
    const numbered = (id: string, name: string) => chatChunk({ tool_calls: [{ id, function: { name } }] })
    expect((await stream([numbered('a', 'get_time'), numbered('b', 'get_weather')])).error).toBeUndefined()
    const { error } = await stream([numbered('a', 'get_time'), numbered('b', 'shell')])
    expect(error).toBe('policy_violation')
  })

  test('whose name is repeated with each piece of its arguments is the same tool', async () => {
    const { error } = await stream([call('get_time', '{'), call('get_time', '"a":'), call('get_time', '1}')])
    expect(error).toBeUndefined()
  })
})
