import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../harness/gateway.js'
import { makeGovernedKey } from '../harness/governed-key.js'
import { pick, random, restartRandom } from '../harness/seed.js'
import {
  chatAnswer,
  embeddingAnswer,
  messageAnswer,
  responseAnswer,
  responseMessage,
  weatherCall,
} from '../harness/vendor-answers.js'

// What a policy forbids, in every form that it is seen through, at every place of a request and of an answer: in place of each
// value, as a member of every object, as the name of one, and in the headers. None of it reaches the other side.

const word = 'nightfall7'
const composed = 'caf\u00e9-nachtfl\u00fcge'.normalize('NFC')
const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64')
const letters = (text: string, between: string) => [...text].join(between)
const tags = (text: string) =>
  Array.from(text, (each) => String.fromCodePoint(0xe0000 + (each.codePointAt(0) ?? 0))).join('')
const said = `The word is ${word}, and nobody says it.`
const prose = 'A tally stick was split in two, and each side kept one half. '

const strings: Record<string, () => string> = {
  'a word': () => word,
  'a word in a sentence': () => said,
  'a word in a long text': () => prose.repeat(8) + said + prose.repeat(8),
  'a key': () => 'AKIAQ3EGUZ5TXPJ7NK4D and wJalrXUtnFEMI/K7MDENG+bPxRfiCYzQ8vTn3Lkx',
  'a card': () => '4111 1111 1111 1111',
  base64: () => base64(said),
  'base64 of the word': () => base64(word),
  'base64 of a card': () => base64('4111 1111 1111 1111'),
  'base64url without padding': () => Buffer.from(`${said}??>>`).toString('base64url'),
  'long base64': () => base64((prose + said).repeat(20)),
  'base64 in lines': () => base64((prose + said).repeat(4)).replace(/.{76}/g, '$&\r\n'),
  'base64 in blanks': () => base64(said).replace(/.{8}/g, '$& '),
  'base64 twice': () => base64(base64(said)),
  'base64 four times': () => base64(base64(base64(base64(said)))),
  'base64 more often than anybody does': () =>
    Array.from({ length: 7 }).reduce<string>((text) => base64(text), said),
  'base64 of UTF-16': () => base64(`\ufeff${said}`, 'utf16le'),
  'base64 of UTF-16 without a mark': () => base64(said, 'utf16le'),
  'base64 of escapes': () => base64(`{"a":"night\\u0066all7 and more"}`),
  'base64 in JSON': () => JSON.stringify({ file: { data: base64(said) } }),
  'base64 with invisible characters': () => letters(base64(said), '\u200b'),
  'text after a picture': () =>
    Buffer.concat([
      Buffer.from(Array.from({ length: 120_000 }, () => Math.floor(random() * 256))),
      Buffer.from(said.repeat(2_000)),
    ]).toString('base64'),
  'a data URL': () => `data:text/plain;base64,${base64(said)}`,
  'a data URL that says it is a picture': () => `data:image/png;base64,${base64(said)}`,
  'a data URL with percent signs': () => `data:text/plain,${encodeURIComponent(said).replace('f', '%66')}`,
  'a word in a media type': () => `data:image/${word};base64,${base64(said)}`,
  'another composition': () => composed.normalize('NFD'),
  'another composition, joined': () => composed.normalize('NFD').replaceAll('\u0301', '\u034f\u0301'),
  'full width': () => Array.from(word, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).join(''),
  'mathematical letters': () =>
    '\u{1d427}\u{1d422}\u{1d420}\u{1d421}\u{1d42d}\u{1d41f}\u{1d41a}\u{1d425}\u{1d425}\u{1d7d5}',
  'escapes of JSON': () => 'night\\u0066all7',
  'escapes within escapes': () => 'night\\\\u0066all7',
  'tag characters': () => tags(said),
  'a half in tag characters': () => `night${tags('fall7')}`,
  'variation selectors': () => letters(word, '\u{e0100}'),
  'many variation selectors': () => letters(word, '\u{e0100}\u{e0101}\u{e01ef}'),
  'Korean fillers': () => letters(word, pick(['\u3164', '\u115f', '\u1160', '\uffa0'])),
  'braille blanks': () => letters(word, '\u2800'),
  'zero-width characters': () => letters(word, '\u200b\u200d\u2060\ufeff'),
  'soft hyphens and directions': () => letters(word, '\u00ad\u202e\u2066'),
}
const numbers: Record<string, string> = {
  'a card as a number': '4111111111111111',
  'a card with an exponent': '4.111111111111111e15',
  'a card below zero': '-4111111111111111',
  'a card with a fraction': '4111111111111111.0',
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const tool = {
  name: 'find',
  description: 'Finds someone',
  parameters: {
    type: 'object',
    properties: { who: { type: 'string', enum: ['Ann'], default: 'Ann', const: 1 } },
    required: ['who'],
  },
}
const picture = base64('\x89PNG\r\n\x1a\n', 'latin1')
const requests: Record<string, { path: string; body: Json }> = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4o-mini',
      max_tokens: 100,
      temperature: 0.5,
      seed: 7,
      user: 'ann',
      metadata: { ticket: 'A1' },
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          name: 'Ann',
          content: [
            { type: 'text', text: 'Look:' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}`, detail: 'low' } },
            { type: 'input_audio', input_audio: { data: picture, format: 'wav' } },
            {
              type: 'file',
              file: { file_data: `data:text/plain;base64,${base64('Nothing to see.')}`, filename: 'a.txt' },
            },
          ],
        },
        {
          role: 'assistant',
          content: null,
          refusal: 'no',
          tool_calls: [
            { id: 'call_abc123', type: 'function', function: { name: 'find', arguments: '{"who":"Ann"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_abc123', content: 'Found her.' },
      ],
      tools: [{ type: 'function', function: tool }],
      tool_choice: 'auto',
      stop: ['The end'],
      logit_bias: { '50256': -100 },
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: tool.parameters } },
    },
  },
  messages: {
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
            {
              type: 'document',
              title: 'A letter',
              source: { type: 'text', media_type: 'text/plain', data: 'Dear Ann' },
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: picture },
            { type: 'redacted_thinking', data: picture },
            {
              type: 'tool_use',
              id: 'toolu_01',
              name: 'find',
              input: { who: 'Ann', type: 'person', deep: [{ role: 'boss', age: 7 }] },
            },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_01',
              is_error: false,
              content: [{ type: 'text', text: 'Found her.' }],
            },
          ],
        },
      ],
      tools: [{ name: 'find', input_schema: tool.parameters, input_examples: [{ id: 'x', role: 'y' }] }],
      metadata: { user_id: 'ann' },
      stop_sequences: ['The end'],
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      model: 'gpt-4o-mini',
      max_output_tokens: 100,
      instructions: 'Be kind.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look:' },
            { type: 'input_image', image_url: `data:image/png;base64,${picture}` },
          ],
        },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'find',
          arguments: '{"who":"Ann"}',
          status: 'completed',
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'Found her.' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: picture },
      ],
      tools: [{ type: 'function', ...tool, strict: true }],
      text: { format: { type: 'text' } },
      reasoning: { effort: 'low' },
      metadata: { ticket: 'A1' },
      user: 'ann',
    },
  },
  embeddings: {
    path: '/v1/embeddings',
    body: {
      model: 'text-embedding-3-small',
      input: ['one', 'two'],
      encoding_format: 'float',
      dimensions: 8,
      user: 'ann',
    },
  },
  count_tokens: {
    path: '/v1/messages/count_tokens',
    body: { model: 'claude-sonnet-4-6', system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] },
  },
  completions: {
    path: '/v1/completions',
    body: {
      model: 'gpt-3.5-turbo-instruct',
      prompt: ['one', 'two'],
      suffix: 'three',
      max_tokens: 10,
      stop: ['.'],
      user: 'ann',
    },
  },
  moderations: {
    path: '/v1/moderations',
    body: {
      model: 'omni-moderation-latest',
      input: [
        { type: 'text', text: 'one' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
      ],
    },
  },
  images: {
    path: '/v1/images/generations',
    body: {
      model: 'dall-e-3',
      prompt: 'A tally stick',
      n: 1,
      size: '1024x1024',
      quality: 'hd',
      style: 'vivid',
      response_format: 'b64_json',
      user: 'ann',
    },
  },
  rerank: {
    path: '/v1/rerank',
    body: { model: 'ranker', query: 'Which?', documents: ['one', { text: 'two' }], top_n: 2 },
  },
}

const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))
const answers: Record<string, Json> = {
  chat: toJson({
    ...chatAnswer({ content: 'Fine.', reasoning_content: 'Hm.', tool_calls: [weatherCall] }),
    ...{ note: { logprobs: 1 } },
  }),
  messages: toJson(
    messageAnswer([
      { type: 'thinking', thinking: 'Hm.', signature: picture },
      {
        type: 'text',
        text: 'Fine.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://a.example',
            encrypted_index: picture,
            cited_text: 'c',
          },
        ],
      },
      { type: 'tool_use', id: 'toolu_01', name: 'find', input: { who: 'Ann', age: 7 } },
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 'srvtoolu_01',
        content: {
          type: 'web_fetch_result',
          url: 'https://a.example',
          content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A page' } },
        },
      },
    ]),
  ),
  responses: toJson(
    responseAnswer(
      responseMessage('Fine.'),
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'find',
        arguments: '{"who":"Ann"}',
        status: 'completed',
      },
      { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: picture },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: picture,
      },
    ),
  ),
  embeddings: toJson(
    embeddingAnswer(
      [
        [1, 0.5],
        [0.25, 0.125],
      ],
      'float',
    ),
  ),
  count_tokens: { input_tokens: 12 },
  completions: {
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1_760_000_000,
    model: 'gpt-3.5-turbo-instruct',
    choices: [{ index: 0, text: 'Fine.', logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  },
  moderations: {
    id: 'modr-1',
    model: 'omni-moderation-latest',
    results: [
      {
        flagged: true,
        categories: { 'hate/threatening': false, violence: true },
        category_scores: { 'hate/threatening': 0.000_012_345_678, violence: 0.9 },
        category_applied_input_types: { violence: ['text', 'image'] },
      },
    ],
  },
  images: { created: 1_760_000_000, data: [{ b64_json: picture, revised_prompt: 'A long stick' }] },
  rerank: {
    id: 'r-1',
    results: [{ index: 1, relevance_score: 0.123_456_789, document: { text: 'two' } }],
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  },
}

type Path = (string | number)[]

function* pathsOf(value: Json, path: Path = []): Generator<{ path: Path; value: Json }> {
  yield { path, value }
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value))
    yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(name) : name])
}

/** JSON with something else at a path. The marker is replaced by JSON text, since no parsed value has the digits of a long number. */
function withAt(body: Json, path: Path, change: (value: Json) => Json, json: string): string {
  const visit = (value: Json, at: number): Json => {
    if (at === path.length) return change(value)
    const step = path[at] ?? ''
    if (Array.isArray(value)) return value.map((each, index) => (index === step ? visit(each, at + 1) : each))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, name === step ? visit(each, at + 1) : each]),
    )
  }
  return JSON.stringify(visit(body, 0)).replace('"<here>"', () => json)
}

const payloadNames = [
  'data',
  'file_data',
  'result',
  'signature',
  'encrypted_content',
  'b64_json',
  'url',
  'id',
  'type',
  'role',
  'model',
  'embedding',
]
const anyName = () =>
  pick([`x_${Math.floor(random() * 1e6).toString(36)}`, `x${Math.floor(random() * 1e6)}`, ...payloadNames])
const anyForm = (): [string, string] => {
  const name = pick([...Object.keys(strings), ...Object.keys(numbers)])
  const number = numbers[name]
  return [name, number ?? JSON.stringify(strings[name]?.() ?? '')]
}

interface Case {
  name: string
  json: string
}

/** Something forbidden in place of every value, in every object, and as a name in it. */
function* casesOf(body: Json): Generator<Case> {
  for (const { path, value } of pathsOf(body)) {
    const place = path.join('.')
    const [form, json] = anyForm()
    if (path.length > 0) yield { name: `${form} at ${place}`, json: withAt(body, path, () => '<here>', json) }
    if (value === null || typeof value !== 'object') continue
    const [other, otherJson] = anyForm()
    if (Array.isArray(value)) {
      yield {
        name: `${other} as an item of ${place}`,
        json: withAt(body, path, (list) => [...(Array.isArray(list) ? list : []), '<here>'], otherJson),
      }
      continue
    }
    const name = anyName()
    const add = (member: string, inner: Json) => (object: Json) => ({
      ...(object as object),
      [member]: inner,
    })
    yield {
      name: `${other} as ${name} of ${place}`,
      json: withAt(body, path, add(name, '<here>'), otherJson),
    }
    const spelled = pick(Object.keys(strings))
    yield {
      name: `${spelled} as a name in ${place}`,
      json: withAt(body, path, add(strings[spelled]?.() ?? '', 1), ''),
    }
  }
}

let gateway: TestGateway
const keys = { input: '', output: '' }
let answer: { json: string } = { json: '{}' }

beforeAll(async () => {
  restartRandom()
  gateway = await startTestGateway({
    models: {
      ranker: {
        provider: 'openai',
        mode: 'rerank',
        price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0, feesUsd: { search: 0.002 } },
      },
    },
  })
  for (const phase of ['input', 'output'] as const) {
    const { key } = await makeGovernedKey(gateway, [
      { kind: 'keywords', config: { words: [word, composed] }, phase, action: 'block' },
      { kind: 'secrets', phase, action: 'redact' },
      { kind: 'pii', config: { entities: ['credit_card'] }, phase, action: 'block' },
    ])
    keys[phase] = key
  }
  gateway.upstream.answerWith((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer.json)
  })
})
afterAll(() => gateway.stop())

const isForbidden = (text: string, json: string) =>
  text.includes(json.slice(1, -1)) || text.includes('AKIAQ3EGUZ5TXPJ7NK4D')

describe.each(Object.keys(requests))('%s', (dialect) => {
  const { path, body } = requests[dialect] ?? { path: '', body: null }

  test('passes, with nothing forbidden in it', async () => {
    answer = { json: JSON.stringify(answers[dialect]) }
    for (const key of Object.values(keys)) {
      const response = await gateway.send(path, body, { key })
      expect(response.status, await response.clone().text()).toBe(200)
      expect(await response.text()).toBe(answer.json)
    }
  })

  test('takes nothing forbidden to the provider, wherever it stands', async () => {
    answer = { json: JSON.stringify(answers[dialect]) }
    for (const { name, json } of casesOf(body)) {
      const before = gateway.upstream.seen.length
      const response = await gateway.send(path, json, { key: keys.input })
      const forwarded = gateway.upstream.seen[before]?.raw.toString()
      if (forwarded !== undefined && !/^a key/.test(name))
        expect.fail(`${name} was forwarded: ${json.slice(0, 2_000)}`)
      expect(forwarded ?? '', name).not.toContain('AKIAQ3EGUZ5TXPJ7NK4D')
      if (forwarded === undefined) expect(response.status, name).toBeGreaterThanOrEqual(400)
    }
  })

  test('brings nothing forbidden to the caller, wherever it stands', async () => {
    for (const { name, json } of casesOf(answers[dialect] ?? null)) {
      answer = { json }
      const response = await gateway.send(path, body, { key: keys.output })
      const text = await response.text()
      if (response.status === 200 && !/^a key/.test(name))
        expect.fail(`${name} was let through: ${json.slice(0, 2_000)}`)
      expect(isForbidden(text, '"AKIAQ3EGUZ5TXPJ7NK4D"'), name).toBe(false)
    }
  })

  test('has nothing forbidden in its headers', async () => {
    answer = { json: JSON.stringify(answers[dialect]) }
    const isAnthropic = dialect === 'messages' || dialect === 'count_tokens'
    const names = isAnthropic ? ['anthropic-beta', 'anthropic-version'] : ['openai-beta']
    for (const name of [...names, 'accept']) {
      for (const value of [
        said,
        base64(said),
        '4111-1111-1111-1111',
        Buffer.from(composed).toString('latin1'),
      ]) {
        const before = gateway.upstream.seen.length
        const response = await gateway.send(path, body, { key: keys.input, headers: { [name]: value } })
        expect(response.status, `${name}: ${value}`).toBe(403)
        expect(gateway.upstream.seen).toHaveLength(before)
      }
    }
  })
})
