import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { textAsBinary } from '../../harness/providers/text-as-binary.js'
import { restartRandom } from '../../harness/run/seed.js'
import { startTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// Text in members that usually hold a picture, a recording, a file or a signature, and bytes in members that usually hold text.

const values = ['AKIAQ3EGUZ5TXPJ7NK4D', '536-22-8726', 'nightfall7']

let gateway: TestGateway

beforeAll(async () => {
  restartRandom()
  gateway = await startTestGateway({
    models: {
      ranker: { provider: 'openai', mode: 'rerank', price: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 } },
    },
  })
  for (const [kind, config] of Object.entries({
    secrets: {},
    pii: { entities: ['us_ssn'] },
    keywords: { words: ['nightfall7'] },
  })) {
    const { status } = await gateway.service.api.post('/v1/policies', {
      ...{ name: kind, kind, config, phase: 'input', action: 'block' },
    })
    expect(status).toBe(201)
  }
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
})

const chat = (part: object) => ({
  path: '/v1/chat/completions',
  body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: [part] }] },
})
const messages = (role: string, block: object) => ({
  path: '/v1/messages',
  body: { model: 'claude-sonnet-4-6', max_tokens: 9, messages: [{ role, content: [block] }] },
})
const responses = (item: object) => ({
  path: '/v1/responses',
  body: { model: 'gpt-4o-mini', max_output_tokens: 20, input: [item] },
})
const image = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })
const document = (data: string) => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
})

const places: Record<string, (text: string) => { path: string; body: object }> = {
  'chat: image_url': (url) => chat({ type: 'image_url', image_url: { url } }),
  'chat: input_audio': (data) => chat({ type: 'input_audio', input_audio: { data, format: 'wav' } }),
  'chat: file': (file_data) => chat({ type: 'file', file: { file_data, filename: 'a.pdf' } }),
  'messages: image': (data) => messages('user', image(data)),
  'messages: document of text': (data) => messages('user', document(data)),
  'messages: result of a tool': (data) =>
    messages('user', {
      type: 'tool_result',
      tool_use_id: 'toolu_01',
      content: [image(data), document('Hello')],
    }),
  'messages: document in the result of a tool': (data) =>
    messages('user', { type: 'tool_result', tool_use_id: 'toolu_01', content: [document(data)] }),
  'messages: signature': (signature) =>
    messages('assistant', { type: 'thinking', thinking: 'Hm.', signature }),
  'responses: input_image': (image_url) =>
    responses({ type: 'message', role: 'user', content: [{ type: 'input_image', image_url }] }),
  'responses: input_file': (file_data) =>
    responses({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_file', file_data, filename: 'a.pdf' }],
    }),
  'responses: encrypted_content': (encrypted_content) =>
    responses({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content }),
  'responses: result of a picture': (result) =>
    responses({ type: 'image_generation_call', id: 'ig_1', status: 'completed', result }),
  'responses to be compacted: encrypted_content': (encrypted_content) => ({
    path: '/v1/responses/compact',
    body: { model: 'gpt-4o-mini', input: [{ type: 'compaction', id: 'cmp_1', encrypted_content }] },
  }),
  completions: (prompt) => ({ path: '/v1/completions', body: { model: 'gpt-3.5-turbo-instruct', prompt } }),
  embeddings: (input) => ({ path: '/v1/embeddings', body: { model: 'text-embedding-3-small', input } }),
  images: (prompt) => ({ path: '/v1/images/generations', body: { model: 'dall-e-3', prompt } }),
  speech: (input) => ({ path: '/v1/audio/speech', body: { model: 'tts-1', voice: 'alloy', input } }),
  moderations: (url) => ({
    path: '/v1/moderations',
    body: { model: 'omni-moderation-latest', input: [{ type: 'image_url', image_url: { url } }] },
  }),
  rerank: (text) => ({
    path: '/v1/rerank',
    body: { model: 'ranker', query: 'who', documents: ['a', text] },
  }),
}

describe.each(Object.entries(places))('%s', (name, place) => {
  test('says nothing to the provider that policies forbid, in whatever form', async () => {
    const passed: string[] = []
    const first = Object.keys(places).indexOf(name)
    for (const [at, [form, write]] of Object.entries(textAsBinary).entries()) {
      // Each form has each value at some places.
      const value = values[(first + at) % values.length] ?? ''
      const { path, body } = place(write(value))
      const response = await gateway.send(path, body)
      const { error }: { error?: { type: string; message: string } } = JSON.parse(await response.text())
      if (response.status !== 403 || error?.type !== 'policy_violation')
        passed.push(`${value} ${form}: ${response.status} ${error?.message}`)
    }
    expect(passed).toEqual([])
    expect(gateway.upstream.seen).toEqual([])
  })
})
