import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isObject, type JsonObject, splice } from '../../../../record/src/json/index.js'
import { endpoints } from '../endpoints/index.js'
import { JsonStrings } from './json-strings.js'
import { describeName } from './text-rules.js'
import type { TextLocation, TextWalk } from './text-walk.js'

function collect(walk: TextWalk): TextLocation[] {
  const places: TextLocation[] = []
  for (let place = walk.next(); place !== undefined; place = walk.next()) if (place) places.push(place)
  return places
}
/** Without ids and the like, and without bytes. */
const textsIn = (walk: TextWalk) =>
  collect(walk)
    .filter(({ isEcho, kind }) => !isEcho && kind !== 'fixed' && kind !== 'model')
    .filter(({ kind, text }) => kind !== 'payload' || text.length < 256)
    .map(({ text }) => text)
const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(100)}`

/** Under a name of the protocol a number may be left out: each such name becomes another. */
function withoutProtocol(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProtocol)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      describeName(name).isKnown ? `${name}_` : name,
      withoutProtocol(member),
    ]),
  )
}

describe('the strings and numbers of a JSON text', () => {
  test('are found one by one, each with its path and its place', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (text, indent) => {
        const value = withoutProtocol(JSON.parse(text))
        const json = JSON.stringify(value, null, indent)
        const expected: unknown[] = []
        const visit = (each: unknown, path: (string | number)[]) => {
          if (typeof each === 'string' || typeof each === 'number') expected.push([path, each])
          else if (Array.isArray(each)) for (const [i, item] of each.entries()) visit(item, [...path, i])
          else if (isObject(each)) {
            for (const [name, member] of Object.entries(each)) {
              expected.push([[...path, name], name])
              visit(member, [...path, name])
            }
          }
        }
        visit(value, [])
        const strings = new JsonStrings(json)
        const found: unknown[] = []
        while (strings.next()) {
          const said =
            strings.kind === 'number' ? Number(json.slice(strings.start, strings.end)) : strings.read()
          found.push([[...strings.path], said])
          expect(JSON.parse(json.slice(strings.start, strings.end))).toBe(said)
        }
        expect(found).toEqual(expected)
      }),
    )
  })

  test('have their own names, however many there are', () => {
    const names = Array.from({ length: 3_000 }, (_, n) => `${n % 7 === 0 ? 'é' : 'field'}_${n * n}`)
    const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'said'])))
    for (const _ of ['first', 'again']) {
      const strings = new JsonStrings(json)
      const found: unknown[] = []
      while (strings.next()) if (strings.kind === 'name') found.push(strings.level.name.text)
      expect(found).toEqual(names)
    }
  })

  test('can be replaced, and nothing else changes', () => {
    const json = '{ "a": 1.0, "text" : "one", "b": [ 12345678901234567890, "two\\u0020" ] }'
    const edits = collect(endpoints.chat.texts.inRequest(json)).map(({ start, end, text }) => ({
      start,
      end,
      json: JSON.stringify(`<${text}>`),
    }))
    expect(splice(json, edits)).toBe(
      '{ "<a>": "<1.0 1 0>", "text" : "<one>", "<b>": [ "<12345678901234567890>", "<two >" ] }',
    )
  })
})

describe('a request', () => {
  const said: [keyof typeof endpoints, JsonObject, string[]][] = [
    [
      'chat',
      {
        model: 'gpt-4o',
        stream: true,
        user: 'ann@example.com',
        messages: [
          { role: 'system', content: 'Be kind.' },
          {
            role: 'user',
            name: 'Ann',
            content: [
              { type: 'text', text: 'Look:' },
              { type: 'image_url', image_url: { url: 'https://example.com/?who=ann', detail: 'low' } },
              { type: 'image_url', image_url: { url: image } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"who":"Ann"}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'Found her.' },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'find',
              description: 'Finds someone',
              parameters: {
                type: 'object',
                properties: { who: { type: 'string', enum: ['Ann', 'Bob'], description: 'Whom' } },
                required: ['who'],
              },
            },
          },
        ],
        stop: ['The end'],
        metadata: { ticket: 'A-1' },
      },
      [
        'ann@example.com',
        'Be kind.',
        'Ann',
        'Look:',
        'https://example.com/?who=ann',
        'find',
        '{"who":"Ann"}',
        'Found her.',
        'find',
        'Finds someone',
        'who',
        'Ann',
        'Bob',
        'Whom',
        'who',
        'The end',
        'ticket',
        'A-1',
      ],
    ],
    [
      'messages',
      {
        model: 'claude-sonnet-4-6',
        max_tokens: 10,
        system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: 'QUJD'.repeat(100) },
              },
              { type: 'document', title: 'A letter', source: { type: 'text', data: 'Dear Ann, hello' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.', signature: 'QUJD'.repeat(100) },
              {
                type: 'tool_use',
                id: 'toolu_1',
                name: 'find',
                input: { who: 'Ann', type: 'person', deep: [{ role: 'boss' }] },
              },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'toolu_1',
                content: [{ type: 'text', text: 'Found her.' }],
              },
            ],
          },
        ],
      },
      [
        'Be kind.',
        'A letter',
        'Dear Ann, hello',
        'Hm.',
        'find',
        'who',
        'Ann',
        'type',
        'person',
        'deep',
        'role',
        'boss',
        'Found her.',
      ],
    ],
    [
      'responses',
      {
        model: 'gpt-4o',
        instructions: 'Be kind.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Look:' }] },
          { type: 'input_image', image_url: image },
          { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{"who":"Ann"}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'Found her.' },
          { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        ],
      },
      ['Be kind.', 'Look:', 'find', '{"who":"Ann"}', 'Found her.', 'Hm.'],
    ],
    ['responses', { model: 'gpt-4o', input: 'Hello' }, ['Hello']],
    ['embeddings', { model: 'e', input: ['one', 'two'], encoding_format: 'base64' }, ['one', 'two']],
  ]
  test.each(said)('of %s: its texts are found wherever they are, and nothing else', (name, body, texts) => {
    expect(textsIn(endpoints[name].texts.inRequest(JSON.stringify(body)))).toEqual(texts)
  })

  test('hides nothing behind a name that stands twice, or a word of the protocol that is none', () => {
    const json =
      '{"messages":[{"role":"a whole sentence","content":"first","content":"second","x y":"z","id":"no id"}]}'
    expect(collect(endpoints.chat.texts.inRequest(json)).map(({ text }) => text)).toEqual([
      'a whole sentence',
      'first',
      'second',
      'x y',
      'z',
      'no id',
    ])
  })

  test('that is token numbers cannot be read', () => {
    const { isReadable } = endpoints.embeddings.texts
    expect([['a', 'b'], [1, 2], [[1], [2]], 'a'].map((input) => isReadable({ input }))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

describe('an answer', () => {
  test('of chat: every choice, refusals, reasoning and tool calls', () => {
    const answer = {
      id: 'chatcmpl-1',
      model: 'gpt-4o-2024',
      system_fingerprint: 'fp_1',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'one', refusal: 'no', reasoning_content: 'hm' },
          logprobs: { content: [{ token: 'one' }] },
        },
        {
          index: 1,
          finish_reason: 'tool_calls',
          message: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        },
      ],
      usage: { note: 'x' },
    }
    const walk = endpoints.chat.texts.inAnswer(JSON.stringify(answer), false)
    expect(textsIn(walk)).toEqual(['one', 'no', 'hm', 'one', 'f', '{}', 'note', 'x'])
    expect(walk.revealing).toHaveLength(1)
  })

  test('of responses: what it says, not what it was asked', () => {
    const answer = {
      instructions: 'asked',
      tools: [{ description: 'asked' }],
      output: [
        { type: 'message', content: [{ type: 'output_text', text: 'said', logprobs: [] }] },
        { type: 'function_call', name: 'f', arguments: '{}' },
        { type: 'web_search_call', action: { query: 'looked up' } },
      ],
    }
    const places = collect(endpoints.responses.texts.inAnswer(JSON.stringify(answer), false))
    expect(places.filter(({ isEcho }) => isEcho).map(({ text }) => text)).toEqual(['asked', 'asked'])
    expect(textsIn(endpoints.responses.texts.inAnswer(JSON.stringify(answer), false))).toEqual([
      'said',
      'f',
      '{}',
      'looked up',
    ])
  })

  test('that was asked to be JSON is known as such', () => {
    const body = { response_format: { type: 'json_schema' } }
    const answer = JSON.stringify({ choices: [{ message: { content: '{"a":1}', refusal: 'no' } }] })
    const asJson = endpoints.chat.texts.asksForJson(body)
    expect(collect(endpoints.chat.texts.inAnswer(answer, asJson)).map(({ json }) => json)).toEqual([
      true,
      false,
    ])
  })
})

describe('a document that is text', () => {
  const data = Array.from({ length: 60 }, (_, at) => `536-22-${1000 + at}`).join('\n')
  const sortsOf = (source: string) =>
    collect(
      endpoints.messages.texts.inRequest(
        `{"messages":[{"role":"user","content":[{"type":"document","source":${source}}]}]}`,
      ),
    )
      .filter(({ text }) => text === data)
      .map(({ kind }) => kind)

  test.each([
    ['first', { type: 'text', media_type: 'text/plain', data }],
    ['last', { data, media_type: 'text/plain', type: 'text' }],
    ['after an object', { data, more: { type: 'base64', list: [1, '}'] }, type: 'text' }],
  ])('has no bytes, if its type stands %s', (_, source) => {
    expect(sortsOf(JSON.stringify(source))).toEqual(['text'])
    expect(sortsOf(JSON.stringify(source, null, 2))).toEqual(['text'])
    expect(
      sortsOf(
        JSON.stringify(source).replace('"text"}', '"\\u0074ext"}').replace('"type":', '"\\u0074ype" : '),
      ),
    ).toEqual(['text'])
  })

  test('is not one whose type is another', () => {
    for (const source of [
      { type: 'base64', data },
      { data, type: 'base64' },
      { data },
      { data: [data, 'type', 'text'] },
      { data, type: 7 },
      { more: { type: 'text' }, data },
    ])
      expect(sortsOf(JSON.stringify(source))).toEqual(['payload'])
  })
})
