import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataUrl, makePdf, makePng, makeWav } from '../../../../../test/harness/billing/make-files.js'
import { shapeOf } from '../../../../../test/harness/providers/endpoint-shape.js'
import type { JsonObject } from '../../../../record/src/json/index.js'
import type { ModelProperties } from '../catalogue/model-properties.js'
import { createTokenCounter, type TokenCounter } from '../tokenizer/token-counter.js'
import { boundInput } from './input-bound.js'

let counter: TokenCounter
beforeAll(async () => {
  counter = await createTokenCounter()
})
afterAll(() => counter.close())

const gpt4o: ModelProperties = {
  tokenizer: 'o200k',
  contextWindow: 128_000,
  maxOutputTokens: 16_384,
  images: { kind: 'tiles', base: 85, perTile: 170, maxEdge: 2048, shortEdge: 768 },
  audioTokensPerSecond: 10,
  toolPromptTokens: 346,
  vendorToolTokens: 700,
  usesPerCall: {},
}
const unknown: ModelProperties = { ...gpt4o, contextWindow: null, images: null, audioTokensPerSecond: null }

const bound = (dialect: string, body: JsonObject, properties = gpt4o) =>
  boundInput({ body, shape: shapeOf(dialect), properties, counter })
const chat = (...parts: object[]) => ({ model: 'gpt-4o', messages: [{ role: 'user', content: parts }] })
const image = (url: string, detail?: string) => ({
  type: 'image_url',
  image_url: { url, ...(detail && { detail }) },
})
const png = dataUrl('image/png', makePng(1024, 1024))
const prose = 'Tally sticks were split in two, so that neither party could alter the count alone. '

describe('the bound of a call', () => {
  test('is close to the count for a plain chat, and the estimate closer', async () => {
    const text = prose.repeat(10)
    const tokens = await counter.count([text])
    const { estimateTokens, boundTokens, vendorInputs, unbounded } = await bound('chat', {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: text }],
    })
    expect(boundTokens - tokens).toBeLessThan(48)
    expect(estimateTokens - tokens).toBeLessThan(8)
    expect({ vendorInputs, unbounded }).toEqual({ vendorInputs: [], unbounded: [] })
  })

  test('counts a text wherever it stands', async () => {
    const text = prose.repeat(50)
    const tokens = await counter.count([text])
    const places: [string, JsonObject][] = [
      ['chat', { messages: [{ role: 'user', content: [{ type: 'tomorrow', essay: { of: [text] } }] }] }],
      ['chat', { messages: [], tools: [{ type: 'function', function: { name: text } }] }],
      ['chat', { messages: [], [text]: 1 }],
      ['responses', { input: [{ type: 'shell_call_output', output: [{ stdout: text }] }] }],
      ['responses', { input: [{ type: 'reasoning', encrypted_content: text }] }],
      [
        'messages',
        { messages: [{ role: 'user', content: [{ type: 'search_result', content: [{ text }] }] }] },
      ],
      ['messages', { messages: [{ content: [{ type: 'document', source: { type: 'text', data: text } }] }] }],
      ['messages', { messages: [], metadata: { deep: { text } } }],
      ['a dialect of tomorrow', { text }],
    ]
    for (const [dialect, body] of places)
      expect((await bound(dialect, body)).boundTokens).toBeGreaterThanOrEqual(tokens)
  })

  test('leaves out what is no input, as long as it looks like it', async () => {
    const plain = await bound('chat', { messages: [] })
    const text = prose.repeat(50)
    expect(
      await bound('chat', { messages: [], user: text, metadata: { ticket: text }, stop: [text] }),
    ).toEqual(plain)
    expect((await bound('chat', { messages: [], user: { text } })).boundTokens).toBeGreaterThan(500)
  })

  test('counts a number for what it can be written as', async () => {
    const numbers = await bound('messages', { messages: [], x: [1e300, Number.POSITIVE_INFINITY] })
    expect(numbers.boundTokens).toBeGreaterThan(4_600)
  })

  test('counts the tokens of an embedding one by one, and each input by its own window', async () => {
    const properties = { ...gpt4o, contextWindow: 500 }
    const tokens = Array.from({ length: 300 }, (_, i) => 10_000 + i)
    expect((await bound('embeddings', { model: 'e', input: tokens }, properties)).boundTokens).toBeLessThan(
      320,
    )
    const mixed = await bound(
      'embeddings',
      { model: 'e', input: [1, ...Array(4).fill(prose.repeat(100))] },
      properties,
    )
    expect(mixed.boundTokens).toBeGreaterThan(3 * 300)
    const four = await bound(
      'embeddings',
      { model: 'e', input: [tokens, tokens, tokens, tokens] },
      properties,
    )
    expect(four.boundTokens).toBeGreaterThanOrEqual(1_200)
    const long = await bound('embeddings', { model: 'e', input: prose.repeat(100) }, properties)
    expect(long.boundTokens).toBe(500)
  })

  test('has the prompt that tools bring, wherever they stand, and what tools of the vendor are', async () => {
    const tool = { type: 'function', function: { name: 'f' } }
    const none = (await bound('chat', { messages: [], tools: [] })).boundTokens
    const some = (await bound('chat', { messages: [], tools: [tool] })).boundTokens
    expect(some - none).toBeGreaterThan(346)
    expect((await bound('chat', { messages: [], functions: [{ name: 'f' }] })).boundTokens).toBeGreaterThan(
      346,
    )
    const shell = await bound('messages', { messages: [], tools: [{ type: 'bash_20250124', name: 'bash' }] })
    expect(shell.boundTokens).toBeGreaterThan(346 + 700)
    expect(shell.vendorInputs).toEqual([])
  })

  test('is never more than the context window', async () => {
    const { boundTokens } = await bound('chat', chat({ type: 'text', text: prose.repeat(20_000) }))
    expect(boundTokens).toBe(128_000)
  })

  test('does not fall over what is nested deep', async () => {
    let deep: JsonObject = { text: prose }
    for (let i = 0; i < 100_000; i++) deep = { deep }
    expect((await bound('chat', deep, unknown)).boundTokens).toBeGreaterThan(400_000)
  })
})

describe('images', () => {
  test('count by the formula, not as text', async () => {
    expect((await bound('chat', chat(image(png)))).boundTokens).toBeLessThan(765 + 80)
    const source = { type: 'base64', media_type: 'image/png', data: makePng(1024, 1024).toString('base64') }
    const block = { messages: [{ role: 'user', content: [{ type: 'image', source }] }] }
    expect((await bound('messages', block)).boundTokens).toBeLessThan(765 + 90)
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: png }] }]
    expect((await bound('responses', { input })).boundTokens).toBeLessThan(765 + 80)
  })

  test('in low detail only where that is said', async () => {
    expect((await bound('chat', chat(image(png, 'low')))).boundTokens).toBeLessThan(85 + 80)
    expect((await bound('chat', chat(image(png, 'auto')))).boundTokens).toBeGreaterThan(765)
  })

  test('are the largest where only a link or an id names them', async () => {
    expect((await bound('chat', chat(image('https://example.com/a.png')))).boundTokens).toBeGreaterThan(1_445)
    const input = [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }]
    expect((await bound('responses', { input })).boundTokens).toBeGreaterThan(1_445)
  })

  test('that are none count as text and as the largest image', async () => {
    const text = dataUrl('image/png', Buffer.from(prose.repeat(100)))
    expect((await bound('chat', chat(image(text)))).boundTokens).toBeGreaterThan(
      (await counter.count([text])) + 1_445,
    )
  })

  test('count as text where a vendor would read them as such', async () => {
    const tokens = await counter.count([png])
    for (const part of [
      { type: 'text', text: png },
      { type: 'tool_use', input: { url: png } },
      { type: 'else', image_url: { url: png } },
    ])
      expect((await bound('chat', chat(part))).boundTokens).toBeGreaterThanOrEqual(tokens)
    const source = { type: 'text', media_type: 'text/plain', data: png }
    const document = { messages: [{ role: 'user', content: [{ type: 'document', source }] }] }
    expect((await bound('messages', document)).boundTokens).toBeGreaterThanOrEqual(tokens)
  })
})

describe('documents', () => {
  const pdf = makePdf(Array.from({ length: 5 }, () => prose))
  const file = (bytes: Buffer, type = 'application/pdf') => ({
    type: 'file',
    file: { filename: 'a', file_data: dataUrl(type, bytes) },
  })

  test('that are PDFs have a page each as the largest image, and their text', async () => {
    const { boundTokens } = await bound('chat', chat(file(pdf)))
    expect(boundTokens).toBeGreaterThan(5 * 1_445)
    expect(boundTokens).toBeLessThan(5 * 1_445 + 5_000)
  })

  test('that are text count as text', async () => {
    const { boundTokens } = await bound('chat', chat(file(Buffer.from(prose.repeat(100)), 'text/plain')))
    expect(boundTokens).toBeGreaterThanOrEqual(await counter.count([prose.repeat(100)]))
    expect(boundTokens).toBeLessThan(3_000)
  })

  test.each<[string, string, JsonObject]>([
    ['a file id', 'chat', chat({ type: 'file', file: { file_id: 'file-1' } })],
    ['a table', 'chat', chat(file(Buffer.from('a,b'), 'text/csv'))],
    ['another format', 'chat', chat(file(Buffer.from('PK\x03\x04'), 'application/zip'))],
    [
      'a link',
      'messages',
      { messages: [{ content: [{ type: 'document', source: { type: 'url', url: 'u' } }] }] },
    ],
    ['an upload', 'messages', { messages: [{ content: [{ type: 'container_upload', file_id: 'f' }] }] }],
    ['a search', 'responses', { input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs'] }] }],
  ])('of which %s is all there is are as long as the model reads', async (_, dialect, body) => {
    expect((await bound(dialect, body)).boundTokens).toBe(128_000)
    const { unbounded } = await bound(dialect, body, unknown)
    expect(unbounded).toHaveLength(1)
    expect(unbounded[0]?.path).toMatch(/^(messages\.0\.content\.0|tools\.0)$/)
  })
})

describe('audio', () => {
  const speech = chat({
    type: 'input_audio',
    input_audio: { data: makeWav(20).toString('base64'), format: 'wav' },
  })

  test('counts by its seconds, apart from text', async () => {
    const { audio, boundTokens } = await bound('chat', speech)
    expect(audio).toEqual({ estimate: 200, bound: 200 })
    expect(boundTokens).toBeLessThan(90)
  })

  test('is as long as the model hears where its bytes prove no length, or are declared as another format', async () => {
    for (const [data, format] of [
      [Buffer.from('ftyp'.repeat(1_000)), 'm4a'],
      [makeWav(20), 'mp3'],
    ] as const) {
      const part = { type: 'input_audio', input_audio: { data: data.toString('base64'), format } }
      const { audio } = await bound('chat', chat(part))
      expect(audio.bound).toBe(128_000)
      expect(audio.estimate).toBeLessThan(2_000)
      const { unbounded } = await bound('chat', chat(part), { ...gpt4o, contextWindow: null })
      expect(unbounded).toHaveLength(1)
    }
  })

  test('has no bound on a model of which nothing is known', async () => {
    expect((await bound('chat', speech, unknown)).unbounded).toEqual([
      { path: 'messages.0.content.0', message: 'is audio, but how this model counts audio is unknown' },
    ])
  })
})

describe('what the vendor holds', () => {
  test.each<[string, string, JsonObject, unknown[]]>([
    ['a response', 'responses', { previous_response_id: 'resp_1' }, [{ kind: 'response', id: 'resp_1' }]],
    ['a conversation', 'responses', { conversation: 'conv_1' }, [{ kind: 'conversation', id: 'conv_1' }]],
    [
      'a conversation as an object',
      'responses',
      { conversation: { id: 'c' } },
      [{ kind: 'conversation', id: 'c' }],
    ],
    ['a prompt', 'responses', { prompt: { id: 'pmpt_1' } }, [{ kind: 'prompt', id: 'pmpt_1' }]],
    [
      'an item',
      'responses',
      { input: [{ type: 'item_reference', id: 'msg_1' }] },
      [{ kind: 'item', id: 'msg_1' }],
    ],
    ['an item without a type', 'responses', { input: [{ id: 'msg_1' }] }, [{ kind: 'item', id: 'msg_1' }]],
    [
      'reasoning',
      'responses',
      { input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] },
      [{ kind: 'item', id: 'rs_1' }],
    ],
    ['a container', 'messages', { container: 'cont_1', messages: [] }, [{ kind: 'container', id: 'cont_1' }]],
    [
      'speech',
      'chat',
      { messages: [{ role: 'assistant', audio: { id: 'a_1' } }] },
      [{ kind: 'audio', id: 'a_1' }],
    ],
    ['a hosted tool', 'responses', { tools: [{ type: 'web_search' }] }, [{ kind: 'tool', id: 'web_search' }]],
    ['a server of tools', 'messages', { mcp_servers: [{ name: 'crm' }] }, [{ kind: 'tool', id: 'crm' }]],
    ['tools of the caller', 'chat', { tools: [{ type: 'function', function: {} }] }, []],
    ['an answer given back', 'responses', { input: [{ type: 'message', id: 'msg_1', content: [] }] }, []],
  ])('is said of %s', async (_, dialect, body, vendorInputs) => {
    expect((await bound(dialect, body)).vendorInputs).toMatchObject(vendorInputs)
  })
})
