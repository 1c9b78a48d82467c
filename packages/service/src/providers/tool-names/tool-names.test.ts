import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../record/src/json/index.js'
import { findToolsCalled, findToolsCalledIn, findToolsOffered } from './index.js'

const offered = async (body: JsonObject) => (await findToolsOffered(body)).names
const weather = {
  name: 'get_weather',
  description: 'Weather by name',
  strict: true,
  cache_control: { type: 'ephemeral' },
}
const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, tools: { type: 'array' }, server_label: { const: 'evil' } },
}

describe('a request offers', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'a function',
      { tools: [{ type: 'function', function: { ...weather, parameters: schema } }] },
      ['get_weather'],
    ],
    [
      'a function of responses',
      { tools: [{ type: 'function', ...weather, parameters: schema }] },
      ['get_weather'],
    ],
    [
      'a tool of messages',
      { tools: [{ ...weather, input_schema: schema, input_examples: [{ name: 'x', tools: ['y'] }] }] },
      ['get_weather'],
    ],
    ['a function without a type', { tools: [{ function: { name: 'shell' } }] }, ['shell']],
    [
      'a function of another spelling',
      { tools: [{ type: 'Function', function: { Name: 'shell' } }] },
      ['shell'],
    ],
    [
      'a function with two names',
      { tools: [{ type: 'function', name: 'ok', function: { name: 'shell' } }] },
      ['ok', 'shell'],
    ],
    [
      'a custom tool',
      { tools: [{ type: 'custom', custom: { name: 'shell', format: { type: 'text' } } }] },
      ['shell'],
    ],
    ['a name alone', { tools: ['shell'] }, ['shell']],
    [
      'a tool of the vendor',
      { tools: [{ type: 'web_search', user_location: { type: 'approximate' } }] },
      ['web_search'],
    ],
    ['one with a day', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, ['web_search']],
    ['one with another day', { tools: [{ type: 'web_search_preview_2025_03_11' }] }, ['web_search_preview']],
    ['one with another name', { tools: [{ type: 'bash_20250124', name: 'ok' }] }, ['bash', 'ok']],
    [
      'a server',
      {
        tools: [
          {
            ...{ type: 'mcp', name: 'ok', server_label: 'crm', server_url: 'https://mcp.example.com/sse' },
            ...{ allowed_tools: ['find'], require_approval: { never: { tool_names: ['drop'] } } },
          },
        ],
      },
      ['mcp:ok', 'mcp:crm', 'mcp:mcp.example.com', 'find', 'drop'],
    ],
    [
      'a server with a choice of tools',
      {
        tools: [
          { type: 'mcp', server_label: 'crm', allowed_tools: { read_only: true, tool_names: ['find'] } },
        ],
      },
      ['mcp:crm', 'find'],
    ],
    [
      'a connector',
      { tools: [{ type: 'mcp', server_label: 'd', connector_id: 'connector_drive' }] },
      ['mcp:d', 'mcp:connector_drive'],
    ],
    [
      'servers of messages',
      {
        mcp_servers: [
          {
            type: 'url',
            url: 'https://mcp.example.com./',
            name: 'crm',
            tool_configuration: { allowed_tools: ['find'] },
          },
          { name: 'other' },
        ],
        tools: [{ type: 'mcp_toolset', mcp_server_name: 'crm', configs: { drop: { enabled: true } } }],
      },
      ['mcp:mcp.example.com', 'mcp:crm', 'find', 'mcp:other', 'drop'],
    ],
    [
      'a namespace',
      {
        tools: [
          {
            ...{ type: 'namespace', name: 'crm' },
            tools: [
              { type: 'function', name: 'find' },
              { type: 'namespace', name: 'deep', tools: [{ name: 'shell' }] },
            ],
          },
        ],
      },
      ['crm', 'find', 'deep', 'shell'],
    ],
    [
      'legacy functions',
      { functions: [{ name: 'shell', parameters: schema }], function_call: { name: 'other' } },
      ['other', 'shell'],
    ],
    ['a search without a tool', { web_search_options: {} }, ['web_search']],
    ['a choice', { tool_choice: { type: 'function', function: { name: 'shell' } } }, ['shell']],
    ['a choice of messages', { tool_choice: { type: 'tool', name: 'shell' } }, ['shell']],
    [
      'a choice among some',
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'a' }] } },
      ['a'],
    ],
    [
      'items of the conversation',
      {
        input: [
          { type: 'additional_tools', tools: [{ type: 'function', name: 'shell' }] },
          { type: 'mcp_list_tools', server_label: 'crm', tools: [{ name: 'find', input_schema: schema }] },
          { type: 'tool_search_output', tools: [{ type: 'function', name: 'late' }] },
        ],
      },
      ['late', 'find', 'mcp:crm', 'shell'],
    ],
    [
      'a reference',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'shell' }] }],
          },
        ],
      },
      ['shell'],
    ],
    ['what another member holds', { extra_body: { tools: [{ name: 'shell' }] } }, ['shell']],
    ['declarations', { tools: [{ functionDeclarations: [{ name: 'shell' }] }] }, ['shell']],
  ])('%s', async (_, body, names) => {
    expect((await offered(body)).toSorted()).toEqual(names.toSorted())
    expect((await findToolsOffered(body)).isReadable).toBe(true)
  })

  test.each<JsonObject>([
    {},
    { tools: null, tool_choice: 'auto' },
    { tools: [], tool_choice: 'none', parallel_tool_calls: true },
    { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    {
      messages: [
        { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'f', arguments: '{}' } }] },
      ],
    },
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: { tools: 'hammer' } }] },
      ],
    },
    { input: [{ type: 'function_call', name: 'f', arguments: '{"tools":1}' }] },
    {
      metadata: { tools: 'a' },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    },
  ])('nothing: %j', async (body) => {
    expect(await findToolsOffered(body)).toMatchObject({ names: [], aliases: [], isReadable: true })
  })

  test.each<JsonObject>([
    { tools: { name: 'a' } },
    { tools: 'shell' },
    { tools: 1 },
    { tools: [null] },
    { tools: [[]] },
    { tools: [{}] },
    { tools: [{ type: 'function' }] },
    { tools: [{ type: 'function', function: { name: 7 } }] },
    { tools: [{ type: ['function'], name: 'a' }] },
    { tools: [{ type: 'mcp', server_label: 'a', server_url: 'not a URL' }] },
    { tools: [{ type: 'namespace', name: 'a', tools: {}, allowed_tools: 'b' }] },
    { functions: { a: {} } },
    { mcp_servers: { crm: { url: 'https://mcp.example.com' } } },
    { tool_choice: 3 },
  ])('what cannot be read: %j', async (body) => {
    expect((await findToolsOffered(body)).isReadable).toBe(false)
  })

  test('what goes by further names', async () => {
    const dated = await findToolsOffered({ tools: [{ type: 'Web_Search_20250305', name: 'web_search' }] })
    expect(dated.aliases).toEqual(['Web_Search_20250305'])
    expect((await findToolsOffered({ mcp_servers: [{ name: 'crm' }] })).aliases).toEqual(['crm', 'mcp'])
  })

  test('more than can be read', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ name: `f${i}` }))
    expect((await findToolsOffered({ tools: many })).isReadable).toBe(false)
    const wide = Object.fromEntries(many.map(({ name }) => [name, name]))
    expect((await findToolsOffered({ tools: [wide] })).isReadable).toBe(false)
  })

  test('while others have their turns, however large it is', async () => {
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const messages = Array.from({ length: 50_000 }, () => ({ role: 'user', content: 'x' }))
    expect(await findToolsOffered({ messages })).toMatchObject({ names: [], isReadable: true })
    clearImmediate(timer)
    expect(turns).toBeGreaterThan(10)
  })
})

test.each(['auto', 'any', 'none', 'required', 'allowed_tools'])(
  'a tool that is called %s has that name where it is defined, and is none where tools are chosen',
  async (word) => {
    for (const tool of [word, { type: word }, { type: word, description: 'x' }])
      expect((await findToolsOffered({ tools: [tool] })).names).toEqual([word])
    expect((await findToolsOffered({ tool_choice: { type: word } })).names).toEqual([])
  },
)

describe('an answer calls', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'functions',
      {
        choices: [
          { message: { tool_calls: [{ type: 'function', function: { name: 'f', arguments: '{}' } }] } },
        ],
      },
      ['f'],
    ],
    [
      'custom tools',
      { choices: [{ message: { tool_calls: [{ type: 'custom', custom: { name: 'f', input: '' } }] } }] },
      ['f'],
    ],
    [
      'a function of old',
      { choices: [{ message: { function_call: { name: 'f', arguments: '{}' } } }] },
      ['f'],
    ],
    [
      'tools of messages',
      { content: [{ type: 'tool_use', name: 'f', input: { type: 'x_call', name: 'no' } }] },
      ['f'],
    ],
    [
      'tools of the vendor',
      { content: [{ type: 'server_tool_use', name: 'web_search', input: {} }] },
      ['web_search'],
    ],
    [
      'tools of a server',
      { content: [{ type: 'mcp_tool_use', name: 'find', server_name: 'crm', input: {} }] },
      ['find', 'mcp:crm'],
    ],
    [
      'items',
      {
        tools: [{ type: 'function', name: 'asked' }],
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'f' }] },
          { type: 'function_call', name: 'f', arguments: '{}', namespace: 'crm' },
          { type: 'web_search_call', action: { type: 'search', query: 'x' } },
          { type: 'file_search_call', results: [{ filename: 'no' }] },
          { type: 'custom_tool_call', name: 'g', input: 'x' },
          { type: 'mcp_call', name: 'find', server_label: 'crm', arguments: '{}', output: 'x' },
          { type: 'mcp_approval_request', name: 'drop', server_label: 'crm', arguments: '{}' },
          { type: 'teleport_call' },
        ],
      },
      ['f', 'crm', 'web_search', 'file_search', 'g', 'find', 'mcp:crm', 'drop', 'teleport'],
    ],
  ])('%s', async (_, answer, names) => {
    expect([...(await findToolsCalled(answer)).names].sort()).toEqual([...names].sort())
  })

  test('nothing where it says something', async () => {
    expect(
      await findToolsCalled({ choices: [{ message: { content: 'x' }, finish_reason: 'tool_calls' }] }),
    ).toMatchObject({ names: [], isReadable: true })
  })

  test('what cannot be read', async () => {
    for (const answer of [
      { content: [{ type: 'tool_use', input: {} }] },
      { choices: [{ message: { tool_calls: { name: 'f' } } }] },
      { choices: [{ message: { tool_calls: [{ type: 'function' }] } }] },
    ])
      expect((await findToolsCalled(answer)).isReadable).toBe(false)
  })

  test('in a stream: whole names, and pieces of those of chat', () => {
    const started = { type: 'content_block_start', content_block: { type: 'tool_use', name: 'f', input: {} } }
    expect(findToolsCalledIn(started)).toMatchObject({ whole: { names: ['f'] }, pieces: [] })
    const added = { type: 'response.output_item.added', item: { type: 'function_call', name: 'f' } }
    expect(findToolsCalledIn(added)).toMatchObject({ whole: { names: ['f'] }, pieces: [] })
    const chunk = (call: object) => ({
      choices: [{ index: 1, delta: { tool_calls: [{ index: 2, ...call }] } }],
    })
    expect(findToolsCalledIn(chunk({ type: 'function', function: { name: 'sh' } }))).toMatchObject({
      whole: { names: [], isReadable: true },
      pieces: [{ call: 'choices/1/delta/tool_calls/2 0', id: null, text: 'sh' }],
    })
    expect(findToolsCalledIn(chunk({ function: { arguments: '{}' } }))).toMatchObject({
      whole: { names: [], isReadable: true },
      pieces: [],
    })
    expect(findToolsCalledIn(chunk({ type: 'web_search' })).whole.names).toEqual(['web_search'])
    expect(findToolsCalledIn({ choices: [{ delta: { tool_calls: {} } }] }).whole.isReadable).toBe(false)
    for (const delta of [
      { content: [{ type: 'tool_use', name: 'sh' }] },
      { delta: { tool_calls: [{ function: { name: 'sh' } }] } },
      { message: { function_call: { name: 'sh' } } },
    ])
      expect(findToolsCalledIn({ choices: [{ index: 0, delta }] }).whole.names).toEqual(['sh'])
    const beside = { choices: [], Delta: { type: 'tool_use', name: 'sh' } }
    expect(findToolsCalledIn(beside).whole.names).toEqual(['sh'])
  })
})
