import { isObject, itemsOf, type JsonObject, textAt } from '../json.js'
import { dataUrl, makePdf, makePng } from '../make-files.js'
import { type Shape, shape } from './shape.js'
import { chinese, code, english, hindi, long, thai, zalgo } from './texts.js'

const respond = (name: string, model: string, members: JsonObject, extra: Parameters<typeof shape>[4] = {}) =>
  shape('/v1/responses', `responses: ${name}`, model, { max_output_tokens: 80, ...members }, extra)

const asks = (tools: readonly JsonObject[], members: JsonObject = {}): JsonObject => ({
  input: 'Do it.',
  tools,
  ...members,
})
const part = (content: JsonObject): JsonObject => ({
  input: [{ role: 'user', content: [content, { type: 'input_text', text: 'What is this?' }] }],
})
const png = (width: number, height: number) => dataUrl('image/png', makePng(width, height))
const pdf = (pages: number) =>
  dataUrl('application/pdf', makePdf(Array.from({ length: pages }, () => long(english, 1_200))))

const texts: Shape[] = [
  respond('one text', 'gpt-4o-mini', { input: 'hi' }),
  respond('instructions', 'gpt-4o', { input: 'hi', instructions: long(english, 6_000) }),
  respond('Hindi', 'gpt-4.1', { input: long(hindi, 4_000) }),
  respond('letters under heaps of marks', 'gpt-4o-mini', { input: long(zalgo, 3_000) }),
  respond('a schema for the answer', 'gpt-4o', {
    input: 'hi',
    text: {
      format: {
        type: 'json_schema',
        name: 'answer',
        schema: {
          type: 'object',
          properties: { [long(english, 60)]: { description: long(chinese, 2_000) } },
        },
      },
    },
  }),
  respond('metadata, user and a cache key, which nobody bills', 'gpt-4o', {
    input: 'hi',
    metadata: { note: long(english, 500) },
    user: 'u'.repeat(60),
    prompt_cache_key: 'k'.repeat(60),
    safety_identifier: 's'.repeat(60),
  }),
  respond('members that no documentation names', 'gpt-4o', {
    input: [{ role: 'user', content: 'hi', memory: long(english, 3_000) }],
    world: { history: [long(thai, 1_500)] },
  }),
]

const held: Shape[] = [
  respond('100,000 tokens that the vendor holds', 'gpt-4o-mini', {
    input: 'And now?',
    previous_response_id: 'resp_held_100000',
  }),
  respond('300,000 tokens that the vendor holds, at the price of long input', 'gpt-5.4', {
    input: 'And now?',
    previous_response_id: 'resp_held_300000',
    max_output_tokens: 200,
  }),
  respond(
    'a response of before',
    'gpt-4o',
    { input: 'And now?' },
    {
      setup: async (send) => {
        const answer = await send({ model: 'gpt-4o', input: long(english, 8_000), max_output_tokens: 300 })
        return { previous_response_id: textAt(answer, 'id') }
      },
    },
  ),
  respond(
    'the third of a chain',
    'gpt-4o-mini',
    { input: 'And now?' },
    {
      setup: async (send) => {
        const first = await send({
          model: 'gpt-4o-mini',
          input: long(english, 6_000),
          max_output_tokens: 300,
        })
        const previous_response_id = textAt(first, 'id')
        const second = await send({
          model: 'gpt-4o-mini',
          input: 'More.',
          max_output_tokens: 300,
          previous_response_id,
        })
        return { previous_response_id: textAt(second, 'id') }
      },
    },
  ),
  respond('a conversation', 'gpt-4o-mini', { input: 'And now?', conversation: 'conv_held_30000' }),
  respond('a conversation, as an object', 'gpt-4o-mini', {
    input: 'And now?',
    conversation: { id: 'conv_held_20000_b' },
  }),
  respond('an item that is only named', 'gpt-4o-mini', {
    input: [
      { type: 'item_reference', id: 'msg_held_40000' },
      { role: 'user', content: 'And now?' },
    ],
  }),
  respond(
    'encrypted reasoning of before',
    'o4-mini',
    {},
    {
      setup: async (send) => {
        const answer = await send({
          model: 'o4-mini',
          input: 'Think.',
          include: ['reasoning.encrypted_content'],
          store: false,
          max_output_tokens: 4_000,
        })
        const output = itemsOf(answer.output).filter(isObject)
        return { input: [...output, { role: 'user', content: 'And now?' }], store: false }
      },
    },
  ),
]

const media: Shape[] = [
  respond('an image', 'gpt-4o', part({ type: 'input_image', image_url: png(1_600, 1_200), detail: 'high' })),
  respond(
    'an image on gpt-4.1-nano',
    'gpt-4.1-nano',
    part({ type: 'input_image', image_url: png(2_400, 1_800) }),
  ),
  respond('an image on gpt-5-nano', 'gpt-5-nano', part({ type: 'input_image', image_url: png(900, 1_200) })),
  respond(
    'an image that is only named',
    'gpt-4o-mini',
    part({ type: 'input_image', file_id: 'file-image-3000x3000' }),
  ),
  respond(
    'a link to an image',
    'o4-mini',
    part({ type: 'input_image', image_url: 'https://images.test/5000x4000.jpg' }),
  ),
  respond('a PDF', 'gpt-4o', part({ type: 'input_file', filename: 'a.pdf', file_data: pdf(8) })),
  respond('a file that is only named', 'gpt-4.1', part({ type: 'input_file', file_id: 'file-pdf-60' })),
  respond(
    'a link to a PDF',
    'gpt-4.1-mini',
    part({ type: 'input_file', file_url: 'https://files.test/40-pages.pdf' }),
  ),
  respond(
    'a text file',
    'gpt-4o',
    part({
      type: 'input_file',
      filename: 'a.txt',
      file_data: dataUrl('text/plain', Buffer.from(long(english, 8_000))),
    }),
  ),
]

const tools: Shape[] = [
  respond(
    'functions with long descriptions',
    'gpt-4o',
    asks([
      { type: 'function', name: 'save', description: long(english, 6_000), parameters: { type: 'object' } },
    ]),
  ),
  respond(
    'functions in a namespace',
    'gpt-5.4',
    asks([
      {
        type: 'namespace',
        name: 'store',
        description: long(english, 1_000),
        tools: [{ type: 'function', name: 'save', description: long(english, 3_000), parameters: {} }],
      },
    ]),
  ),
  respond(
    'a custom tool with a grammar',
    'gpt-5',
    asks([
      {
        type: 'custom',
        name: 'q',
        format: { type: 'grammar', syntax: 'regex', definition: long(code, 3_000) },
      },
    ]),
  ),
  respond('web search, twice', 'gpt-4.1', asks([{ type: 'web_search' }], { max_tool_calls: 2 })),
  respond('web search without a bound', 'gpt-5', asks([{ type: 'web_search' }])),
  respond(
    'the preview of web search',
    'gpt-4o',
    asks([{ type: 'web_search_preview' }], { max_tool_calls: 2 }),
  ),
  respond(
    'file search',
    'gpt-4o',
    asks([{ type: 'file_search', vector_store_ids: ['vs_1'] }], { max_tool_calls: 2 }),
  ),
  respond(
    'file search for five results',
    'gpt-4o-mini',
    asks([{ type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 5 }], { max_tool_calls: 3 }),
  ),
  respond(
    'code interpreter',
    'gpt-4.1',
    asks([{ type: 'code_interpreter', container: { type: 'auto' } }], { max_tool_calls: 4 }),
  ),
  respond(
    'code interpreter with much memory',
    'gpt-4.1',
    asks([{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '16g' } }], {
      max_tool_calls: 2,
    }),
  ),
  respond(
    'code interpreter in a container of before',
    'gpt-4.1',
    asks([{ type: 'code_interpreter', container: 'cntr_of_before' }], { max_tool_calls: 2 }),
  ),
  respond(
    'a shell of the vendor',
    'gpt-5',
    asks([{ type: 'shell', environment: { type: 'container_auto' } }], { max_tool_calls: 3 }),
  ),
  respond(
    'an image, high and wide',
    'gpt-4o',
    asks([{ type: 'image_generation', quality: 'high', size: '1536x1024' }], { max_tool_calls: 1 }),
  ),
  respond(
    'an image, as the vendor likes',
    'gpt-5',
    asks([{ type: 'image_generation' }], { max_tool_calls: 2 }),
  ),
  respond(
    'a small image without a bound',
    'gpt-4.1-mini',
    asks([{ type: 'image_generation', quality: 'low', size: '1024x1024' }]),
  ),
  respond(
    'an image in parts',
    'gpt-4o',
    asks([{ type: 'image_generation', quality: 'low', size: '1024x1024', partial_images: 3 }], {
      max_tool_calls: 1,
    }),
  ),
  respond(
    'an MCP server of others',
    'gpt-4.1-mini',
    asks(
      [{ type: 'mcp', server_label: 'remote', server_url: 'https://mcp.test/', require_approval: 'never' }],
      { max_tool_calls: 2 },
    ),
  ),
  respond(
    'all tools at once',
    'gpt-4.1',
    asks([
      { type: 'web_search' },
      { type: 'file_search', vector_store_ids: ['vs_1'] },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'image_generation', quality: 'medium', size: '1024x1024' },
    ]),
  ),
  respond('tools that must not be used', 'gpt-4.1', asks([{ type: 'web_search' }], { tool_choice: 'none' })),
]

const amounts: Shape[] = [
  respond(
    'no maximum',
    'gpt-4o-mini',
    { input: 'hi', max_output_tokens: null },
    { maxVisibleTokens: 16_384 },
  ),
  respond('reasoning', 'o3', { input: 'Think.', max_output_tokens: 20_000 }),
  respond('reasoning without a maximum', 'gpt-5-nano', { input: 'Think.', max_output_tokens: null }),
  respond('priority', 'gpt-5', { input: 'hi', service_tier: 'priority' }),
  respond('flex', 'o3', { input: 'hi', service_tier: 'flex', max_output_tokens: 900 }),
  respond(
    'in the background',
    'gpt-5-mini',
    { input: 'Think.', background: true, max_output_tokens: 900 },
    {
      forms: ['plain'],
      unsaid: true,
    },
  ),
  respond('a prompt that is written to the cache', 'gpt-5.6-luna', { input: long(english, 9_000) }),
]

export const responsesShapes: readonly Shape[] = [...texts, ...held, ...media, ...tools, ...amounts]
