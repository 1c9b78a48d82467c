import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64, composed, type Json, said, word } from '../../harness/policies/forbidden-forms.js'
import { casesOf } from '../../harness/policies/forbidden-text-paths.js'
import {
  chatAnswer,
  embeddingAnswer,
  messageAnswer,
  responseAnswer,
  responseMessage,
  weatherCall,
} from '../../harness/providers/vendor-answers.js'
import { restartRandom } from '../../harness/run/seed.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// What a policy forbids, in every form that it is seen through, at every place of a request and of an answer: in place of each
// value, as a member of every object, as the name of one, and in the headers. None of it reaches the other side.

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
  responses_compact: {
    path: '/v1/responses/compact',
    body: {
      model: 'gpt-4o-mini',
      instructions: 'Be kind.',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look:' }] },
        { type: 'compaction', id: 'cmp_0', encrypted_content: picture },
      ],
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
  responses_compact: {
    id: 'resp_1',
    object: 'response.compaction',
    created_at: 1_760_000_000,
    output: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look:' }] },
      { type: 'compaction', id: 'cmp_1', encrypted_content: picture },
    ],
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  },
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
    const { key } = await createKeyWithPolicies(gateway, [
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
