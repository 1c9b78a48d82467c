import type { Json, JsonObject } from '../json.js'
import { makeGif, makeJpeg, makePdf, makePng, makeWebp } from '../make-files.js'
import { makeEncrypted } from '../text-tokens.js'
import { ask, haiku, opus, sonnet, text, tool, user } from './ask-claude.js'
import type { Shape } from './shape.js'
import { code, digits, english, hindi, long } from './texts.js'

// Every type of block that a message to Claude may have: API reference, "Messages", `messages`.

/** A block of the user, and a question after it. */
const shows = (name: string, block: JsonObject, model = sonnet) =>
  ask(name, model, user([block, { type: 'text', text: 'What does it say?' }]))
/** Blocks of the assistant, and what the user says to them. */
const answered = (name: string, blocks: readonly JsonObject[], model = sonnet, members: JsonObject = {}) =>
  ask(name, model, {
    messages: [
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: blocks },
      { role: 'user', content: 'And now?' },
    ],
    ...members,
  })
const result = (name: string, content: Json) =>
  ask(name, sonnet, {
    messages: [
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    ],
    tools: [tool],
  })
const image = (media_type: string, bytes: Buffer): JsonObject => ({
  type: 'image',
  source: { type: 'base64', media_type, data: bytes.toString('base64') },
})
const pdf = (pages: number, hiddenPages = false, characters = 1_200): JsonObject => ({
  type: 'document',
  source: {
    type: 'base64',
    media_type: 'application/pdf',
    data: makePdf(
      Array.from({ length: pages }, () => long(english, characters)),
      { hiddenPages },
    ).toString('base64'),
  },
})
export const blockShapes: readonly Shape[] = [
  shows('a document of source text', {
    type: 'document',
    title: long(english, 200),
    context: long(english, 500),
    source: { type: 'text', media_type: 'text/plain', data: long(english, 60_000) },
  }),
  shows('a document of blocks', {
    type: 'document',
    source: { type: 'content', content: [text(long(english, 4_000)), image('image/png', makePng(800, 600))] },
    citations: { enabled: true },
  }),
  shows('a document of one text as content', {
    type: 'document',
    source: { type: 'content', content: long(code, 4_000) },
  }),
  shows('a PDF', pdf(10)),
  shows('a PDF of 50 pages', pdf(50), haiku),
  shows('a PDF whose pages are compressed', pdf(20, true)),
  shows('a PDF that is small only compressed', pdf(2, false, 120_000)),
  shows('a PDF in lines of base64', {
    type: 'document',
    source: {
      type: 'base64',
      media_type: 'application/pdf',
      data: makePdf([long(english, 3_000)])
        .toString('base64')
        .replace(/.{76}/g, '$&\n'),
    },
  }),
  shows('a link to a PDF', {
    type: 'document',
    source: { type: 'url', url: 'https://files.test/60-pages.pdf' },
  }),
  shows('a file that is only named', {
    type: 'document',
    source: { type: 'file', file_id: 'file_text_80000' },
  }),
  shows('an image that is only named', {
    type: 'image',
    source: { type: 'file', file_id: 'file_image_4000x3000' },
  }),
  shows('a link to an image', {
    type: 'image',
    source: { type: 'url', url: 'https://images.test/3000x2000.png' },
  }),
  shows('a PNG', image('image/png', makePng(1_000, 1_000))),
  shows('a JPEG', image('image/jpeg', makeJpeg(4_000, 3_000)), haiku),
  shows('a long thin GIF', image('image/gif', makeGif(1_500, 20))),
  shows('a WebP', image('image/webp', makeWebp(1_092, 1_092)), opus),
  shows('a search result', {
    type: 'search_result',
    title: 'Tally',
    source: 'https://pages.test/tally',
    content: [text(long(english, 100_000))],
  }),
  shows('a file for the container', { type: 'container_upload', file_id: 'file_011CNha8iCJcU1wXNR6q4V8w' }),
  answered('input of a tool', [
    { type: 'tool_use', id: 'toolu_1', name: 'save', input: { text: long(english, 5_000) } },
  ]),
  answered('input of a tool that is all numbers', [
    {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'save',
      input: { n: Array.from({ length: 1_000 }, (_, i) => i * 1_234_567) },
    },
  ]),
  answered('input of a tool whose text is in its member names', [
    { type: 'tool_use', id: 'toolu_1', name: 'save', input: nested(20) },
  ]),
  result('the result of a tool', long(digits, 5_000)),
  result('the result of a tool, in blocks', [
    text(long(english, 3_000)),
    image('image/png', makePng(1_200, 900)),
    {
      type: 'search_result',
      title: 'Tally',
      source: 'https://pages.test/',
      content: [text(long(hindi, 1_500))],
    },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: long(english, 3_000) } },
  ]),
  result('a PDF in the result of a tool', [pdf(5)]),
  result('a marker in the result of a tool, for an hour', [
    { ...text(long(english, 14_000)), cache_control: { type: 'ephemeral', ttl: '1h' } },
  ]),
  answered(
    'thinking of before',
    [{ type: 'thinking', thinking: long(english, 3_000), signature: makeEncrypted(2_000) }, text('So.')],
    opus,
  ),
  answered('redacted thinking', [{ type: 'redacted_thinking', data: makeEncrypted(2_000) }, text('So.')]),
  answered('a web search of before', [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: long(english, 500) } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [
        {
          type: 'web_search_result',
          title: 'Tally',
          url: 'https://pages.test/',
          encrypted_content: makeEncrypted(3_000),
        },
      ],
    },
  ]),
  answered('a page fetched before', [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_fetch', input: { url: 'https://pages.test/' } },
    {
      type: 'web_fetch_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'web_fetch_result',
        url: 'https://pages.test/',
        content: {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: long(english, 5_000) },
        },
      },
    },
  ]),
  answered('code executed before', [
    {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'bash_code_execution',
      input: { command: long(code, 1_000) },
    },
    {
      type: 'bash_code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'bash_code_execution_result',
        stdout: long(code, 4_000),
        stderr: '',
        return_code: 0,
        content: [],
      },
    },
  ]),
  answered('a call to an MCP server', [
    {
      type: 'mcp_tool_use',
      id: 'mcptoolu_1',
      name: 'look',
      server_name: 'remote',
      input: { at: long(code, 2_000) },
    },
    {
      type: 'mcp_tool_result',
      tool_use_id: 'mcptoolu_1',
      is_error: false,
      content: [text(long(english, 3_000))],
    },
  ]),
  answered('tools found by searching', [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_regex', input: { query: 'x' } },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: Array.from({ length: 50 }, (_, index) => ({
          type: 'tool_reference',
          tool_name: `look_${index}`,
        })),
      },
    },
  ]),
  answered('a compacted conversation', [{ type: 'compaction', content: long(english, 4_000) }]),
  answered('a block of an unknown type', [{ type: 'dream', scenes: [{ about: long(english, 4_000) }] }]),
]

function nested(levels: number): JsonObject {
  return levels === 0 ? { end: 1 } : { [`${long(english, 100)}${levels}`]: nested(levels - 1) }
}
