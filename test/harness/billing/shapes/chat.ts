import type { JsonObject } from '../json.js'
import { dataUrl, makeGif, makeJpeg, makePdf, makePng, makeWav, makeWebp } from '../make-files.js'
import { type Shape, shape } from './shape.js'
import {
  base64,
  chinese,
  code,
  digits,
  emoji,
  english,
  escaped,
  hindi,
  long,
  rare,
  specialTokens,
  thai,
  zalgo,
} from './texts.js'

const chat = (name: string, model: string, members: JsonObject, extra: Parameters<typeof shape>[4] = {}) =>
  shape('/v1/chat/completions', `chat: ${name}`, model, members, extra)

const user = (content: JsonObject | string | readonly JsonObject[]) => [{ role: 'user', content }]
const says = (text: string, maxTokens = 60): JsonObject => ({ messages: user(text), max_tokens: maxTokens })
const shows = (url: string, detail?: string): JsonObject => ({
  messages: user([
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url, ...(detail && { detail }) } },
  ]),
  max_completion_tokens: 80,
})
const carries = (file: JsonObject): JsonObject => ({
  messages: user([
    { type: 'file', file },
    { type: 'text', text: 'Summarise.' },
  ]),
  max_completion_tokens: 100,
})
const png = (width: number, height: number) => dataUrl('image/png', makePng(width, height))

const texts: Shape[] = [
  chat('two words', 'gpt-4o-mini', says('hi there', 5)),
  chat('plain English', 'gpt-4o', says(long(english, 4_000))),
  chat('Hindi with the older encoding', 'gpt-4', says(long(hindi, 1_200), 200)),
  chat('Chinese with the older encoding', 'gpt-4', says(long(chinese, 1_500), 200)),
  chat('Thai', 'gpt-4o', says(long(thai, 4_000))),
  chat('emoji joined into one', 'gpt-4o-mini', says(long(emoji, 3_000))),
  chat('letters under heaps of marks', 'gpt-4.1', says(long(zalgo, 3_000))),
  chat('scripts that nobody writes', 'gpt-4o', says(long(rare, 2_000))),
  chat('one letter many times', 'gpt-4o', says('a'.repeat(3_000))),
  chat('one space many times, on the older encoding', 'gpt-4', says(`.${' '.repeat(2_000)}.`, 50)),
  chat('base64 as text', 'gpt-4o-mini', says(base64(6_000))),
  chat('digits', 'gpt-4.1-nano', says(long(digits, 4_000))),
  chat('code', 'gpt-4.1-mini', says(long(code, 4_000))),
  chat('characters that JSON escapes', 'gpt-4o', says(long(escaped, 2_000))),
  chat('words that are tokens of control', 'gpt-4o', says(long(specialTokens, 3_000))),
  chat('300 messages of one word', 'gpt-4o-mini', {
    messages: Array.from({ length: 300 }, (_, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      content: 'a',
    })),
    max_tokens: 20,
  }),
  chat('200 messages of nothing', 'gpt-4o-mini', {
    messages: Array.from({ length: 200 }, () => ({ role: 'user', content: '' })),
    max_tokens: 20,
  }),
  chat('names beside the roles', 'gpt-4o', {
    messages: Array.from({ length: 40 }, (_, index) => ({
      role: 'user',
      name: `speaker_${index}_${'x'.repeat(40)}`,
      content: 'yes',
    })),
    max_tokens: 20,
  }),
  chat('metadata and user, which nobody bills', 'gpt-4o', {
    ...says('hi', 20),
    metadata: { note: long(english, 500) },
    user: 'u'.repeat(60),
    store: true,
  }),
]

const schema: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `${'member_name_'.repeat(4)}${index}`,
      { type: 'string', description: long(english, 80), enum: ['one', 'two', 'three'] },
    ]),
  ),
}

const history: Shape[] = [
  chat('what the assistant refused', 'gpt-4o', {
    messages: [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: null, refusal: long(english, 6_000) },
      { role: 'user', content: 'Then not.' },
    ],
    max_tokens: 40,
  }),
  chat('a refusal as a part', 'gpt-4o', {
    messages: [
      { role: 'assistant', content: [{ type: 'refusal', refusal: long(thai, 3_000) }] },
      { role: 'user', content: 'Why?' },
    ],
    max_tokens: 40,
  }),
  chat('arguments of calls to functions', 'gpt-4o', {
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'save', arguments: JSON.stringify({ text: long(english, 6_000) }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: long(code, 3_000) }] },
    ],
    max_tokens: 40,
  }),
  chat('input of a call to a custom tool', 'gpt-4o', {
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'run', input: long(code, 6_000) } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
    ],
    max_tokens: 40,
  }),
  chat('the older function_call', 'gpt-4o', {
    messages: [
      { role: 'assistant', content: null, function_call: { name: 'save', arguments: long(english, 5_000) } },
      { role: 'function', name: 'save', content: 'ok' },
    ],
    functions: [{ name: 'save', description: long(english, 1_000), parameters: schema }],
    max_tokens: 40,
  }),
  chat('an answer that was spoken before', 'gpt-4o-audio-preview', {
    messages: [
      { role: 'assistant', audio: { id: 'audio_text_900' } },
      { role: 'user', content: 'Again?' },
    ],
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
    max_completion_tokens: 100,
  }),
]

const definitions: Shape[] = [
  chat('tools with long descriptions', 'gpt-4o', {
    ...says('Go.', 40),
    tools: Array.from({ length: 10 }, (_, index) => ({
      type: 'function',
      function: { name: `tool_${index}`, description: long(english, 1_500), parameters: schema },
    })),
  }),
  chat('a schema whose text is in its member names', 'gpt-4.1-mini', {
    ...says('Go.', 40),
    tools: [{ type: 'function', function: { name: 'wide', strict: true, parameters: deep(12) } }],
  }),
  chat('a schema of numbers', 'gpt-4o', {
    ...says('Go.', 40),
    tools: [
      {
        type: 'function',
        function: {
          name: 'pick',
          parameters: {
            type: 'object',
            properties: { n: { enum: Array.from({ length: 400 }, (_, index) => index * 1_234_567) } },
          },
        },
      },
    ],
  }),
  chat('a custom tool with a grammar', 'gpt-5-mini', {
    messages: user('Go.'),
    max_completion_tokens: 200,
    tools: [
      {
        type: 'custom',
        custom: {
          name: 'query',
          format: { type: 'grammar', grammar: { syntax: 'lark', definition: long(code, 3_000) } },
        },
      },
    ],
  }),
  chat('a schema for the answer', 'gpt-4o', {
    ...says('Go.', 40),
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
  }),
  chat('members that no documentation names', 'gpt-4o', {
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'hi', footnote: long(english, 2_000) }],
        thoughts: { text: long(hindi, 2_000) },
      },
    ],
    background_story: [[[{ deep: long(chinese, 1_500) }]]],
    max_tokens: 40,
  }),
  chat('a part of an unknown type', 'gpt-4o', {
    messages: user([{ type: 'hologram', hologram: { frames: [long(english, 3_000)] } }]),
    max_tokens: 40,
  }),
]

function deep(levels: number): JsonObject {
  const inner: JsonObject = levels === 0 ? { type: 'number' } : deep(levels - 1)
  return { type: 'object', properties: { [`${long(english, 120)} ${levels}`]: inner } }
}

const media: Shape[] = [
  chat('a PNG on gpt-4o', 'gpt-4o', shows(png(2_000, 3_000))),
  chat('a PNG in low detail', 'gpt-4o', shows(png(2_000, 3_000), 'low')),
  chat('a PNG on gpt-4o-mini, where a tile is 5,667 tokens', 'gpt-4o-mini', shows(png(1_024, 1_024))),
  chat('a long thin PNG', 'gpt-4o-mini', shows(png(4_000, 40))),
  chat('a JPEG on gpt-4.1-nano', 'gpt-4.1-nano', shows(dataUrl('image/jpeg', makeJpeg(1_800, 2_400)))),
  chat('a WebP on o4-mini', 'o4-mini', shows(dataUrl('image/webp', makeWebp(3_000, 2_000)))),
  chat('a GIF on gpt-5-mini', 'gpt-5-mini', shows(dataUrl('image/gif', makeGif(640, 480)))),
  chat('a GIF on gpt-5', 'gpt-5', shows(dataUrl('image/gif', makeGif(1_200, 900)))),
  chat('a link to an image', 'gpt-4o-mini', shows('https://images.test/4000x3000.png')),
  chat('a JPEG larger than any screen', 'gpt-4o', shows(dataUrl('image/jpeg', makeJpeg(16_000, 15_000)))),
  chat('an image under another name', 'gpt-4o', shows(dataUrl('image/jpeg', makePng(900, 700)))),
  chat(
    'a data URL with parameters',
    'gpt-4o-mini',
    shows(dataUrl('image/png;name=a.png;charset=x', makePng(600, 600))),
  ),
  chat('twelve images', 'gpt-4.1-mini', {
    messages: user(
      Array.from({ length: 12 }, () => ({ type: 'image_url', image_url: { url: png(640, 640) } })),
    ),
    max_completion_tokens: 40,
  }),
  chat('a PDF', 'gpt-4o', carries({ filename: 'a.pdf', file_data: pdf(6) })),
  chat('a PDF of 50 pages', 'gpt-4o', carries({ filename: 'b.pdf', file_data: pdf(50) })),
  chat('a PDF on gpt-4o-mini', 'gpt-4o-mini', carries({ filename: 'c.pdf', file_data: pdf(3) })),
  chat(
    'a PDF whose pages are compressed',
    'gpt-4.1',
    carries({ filename: 'd.pdf', file_data: pdf(20, true) }),
  ),
  chat(
    'a PDF that is small only compressed',
    'gpt-4.1',
    carries({ filename: 'e.pdf', file_data: pdf(2, false, 120_000) }),
  ),
  chat('a file that is only named', 'gpt-4o', carries({ file_id: 'file-pdf-50' })),
  chat('20 seconds of speech', 'gpt-4o-audio-preview', {
    messages: user([
      { type: 'input_audio', input_audio: { data: makeWav(20).toString('base64'), format: 'wav' } },
    ]),
    modalities: ['text'],
    max_completion_tokens: 80,
  }),
  chat('a spoken answer', 'gpt-4o-audio-preview', {
    messages: user('Say it.'),
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'pcm16' },
    max_completion_tokens: 200,
  }),
  chat('nothing but speech, to speech, twice', 'gpt-4o-audio-preview', {
    messages: user([
      { type: 'input_audio', input_audio: { data: makeWav(9).toString('base64'), format: 'wav' } },
    ]),
    modalities: ['audio'],
    audio: { voice: 'alloy', format: 'mp3' },
    n: 2,
    max_completion_tokens: 300,
  }),
]

function pdf(pages: number, hiddenPages = false, characters = 1_500): string {
  const texts = Array.from({ length: pages }, () => long(english, characters))
  return dataUrl('application/pdf', makePdf(texts, { hiddenPages }))
}

const amounts: Shape[] = [
  chat('three choices', 'gpt-4o', { ...says('hi', 100), n: 3 }),
  chat(
    'both maxima, the larger of which is honoured',
    'gpt-4o',
    {
      messages: user('hi'),
      max_tokens: 4_000,
      max_completion_tokens: 1,
    },
    { maxVisibleTokens: 4_000 },
  ),
  chat('no maximum', 'gpt-4o-mini', { messages: user('hi') }, { maxVisibleTokens: 16_384 }),
  chat('no maximum that anyone knows', 'house-model', { messages: user('hi') }, { maxVisibleTokens: 20_000 }),
  chat('a prediction that is not taken over', 'gpt-4o', {
    messages: user('Rename it.'),
    max_tokens: 60,
    prediction: { type: 'content', content: long(code, 6_000) },
  }),
  chat('a prediction in parts', 'gpt-4.1', {
    messages: user('Rename it.'),
    max_tokens: 60,
    prediction: { type: 'content', content: [{ type: 'text', text: long(code, 6_000) }] },
  }),
  chat('reasoning', 'o3', { messages: user('Think.'), max_completion_tokens: 20_000 }),
  chat('reasoning without a maximum', 'gpt-5', { messages: user('Think.') }),
  chat('reasoning beside the completion', 'grok-3-mini', { messages: user('Think.'), max_tokens: 319 }),
  chat('priority', 'gpt-4o', { ...says(long(english, 2_000)), service_tier: 'priority' }),
  chat('priority on gpt-4o-mini', 'gpt-4o-mini', { ...says('hi'), service_tier: 'priority' }),
  chat('flex', 'o4-mini', { messages: user('Think.'), max_completion_tokens: 500, service_tier: 'flex' }),
  chat('a model that searches', 'gpt-4o-search-preview', {
    messages: user('What happened?'),
    max_tokens: 100,
    web_search_options: { search_context_size: 'high' },
  }),
  chat('a prompt that is cached', 'gpt-4o', says(long(english, 9_000)), {
    setup: async (send) => {
      await send({ model: 'gpt-4o', ...says(long(english, 9_000)) })
      return {}
    },
  }),
  chat('a prompt that is written to the cache', 'gpt-5.6-luna', {
    messages: user(long(english, 9_000)),
    max_completion_tokens: 100,
  }),
]

/** The same request, written so that who only searches its bytes misreads it. */
const spellings: Shape[] = [
  chat('names of members in escapes', 'gpt-4o', says(long(english, 4_000), 400), {
    write: (text) =>
      text.replaceAll('"content"', '"c\\u006fntent"').replaceAll('"max_tokens"', '"max_t\\u006fkens"'),
  }),
  chat('text in escapes', 'gpt-4o', says(long(hindi, 2_000)), {
    write: (text) =>
      text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }),
  chat('a maximum in another notation', 'gpt-4o', says('hi', 300), {
    write: (text) => text.replace('"max_tokens":300', '"max_tokens":3.0e2'),
  }),
  chat('a maximum given twice', 'gpt-4o', says('hi', 300), {
    write: (text) => text.replace('{', '{"max_tokens":1,'),
  }),
  chat('spaces between everything', 'gpt-4o', says(long(english, 2_000)), {
    write: (text) => JSON.stringify(JSON.parse(text), null, 8),
  }),
  chat(
    'no maximum, in words',
    'gpt-4o-mini',
    { messages: user('hi'), max_tokens: null, max_completion_tokens: null },
    {
      maxVisibleTokens: 16_384,
    },
  ),
  chat(
    'usage that the caller does not want',
    'gpt-4o',
    { ...says('hi', 200), stream_options: { include_usage: false } },
    {
      forms: ['stream'],
    },
  ),
]

export const chatShapes: readonly Shape[] = [
  ...texts,
  ...history,
  ...definitions,
  ...media,
  ...amounts,
  ...spellings,
]
