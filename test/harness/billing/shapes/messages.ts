import { isObject, itemsOf, type JsonObject } from '../json.js'
import { ask, haiku, opus, sonnet, text, tool, user } from './ask-claude.js'
import type { Shape } from './shape.js'
import { base64, chinese, code, emoji, english, hindi, long, thai } from './texts.js'

const texts: Shape[] = [
  ask('two words', sonnet, user('hi there')),
  ask('plain English', haiku, user(long(english, 4_000))),
  ask('Hindi', sonnet, user(long(hindi, 3_000))),
  ask('Chinese', 'claude-3-haiku-20240307', user(long(chinese, 3_000))),
  ask('Thai and emoji', sonnet, user(long(thai + emoji, 3_000))),
  ask('base64 as text', haiku, user(base64(5_000))),
  ask('a system prompt', sonnet, { ...user('hi'), system: long(english, 5_000) }),
  ask('a system prompt in blocks', sonnet, {
    ...user('hi'),
    system: [text(long(code, 3_000)), text('Be brief.')],
  }),
  ask('words put into its mouth', sonnet, {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: long(english, 4_000) },
    ],
  }),
  ask('300 messages of one word', haiku, {
    messages: Array.from({ length: 300 }, (_, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      content: 'a',
    })),
  }),
  ask('metadata, which nobody bills', sonnet, { ...user('hi'), metadata: { user_id: 'u'.repeat(200) } }),
  ask('members that no documentation names', sonnet, {
    messages: [
      { role: 'user', content: [{ ...text('hi'), whisper: long(english, 2_000) }], mood: long(hindi, 900) },
    ],
    scenery: { deep: [[long(english, 2_000)]] },
  }),
]

const tools: Shape[] = [
  ask('one tool, which brings a prompt of its own', sonnet, { ...user('hi'), tools: [tool] }),
  ask('one tool on the older model', 'claude-3-haiku-20240307', {
    ...user('hi'),
    tools: [tool],
    tool_choice: { type: 'any' },
  }),
  ask('a tool that must be used', haiku, {
    ...user('hi'),
    tools: [tool],
    tool_choice: { type: 'tool', name: 'look' },
  }),
  ask('tools with long descriptions', sonnet, {
    ...user('hi'),
    tools: Array.from({ length: 8 }, (_, index) => ({
      name: `look_${index}`,
      description: long(english, 1_500),
      input_schema: {
        type: 'object',
        properties: { [long(english, 60)]: { type: 'string', enum: ['a', 'b'] } },
      },
    })),
  }),
  ask(
    "the vendor's shell, editor and computer",
    sonnet,
    {
      ...user('hi'),
      tools: [
        { type: 'bash_20250124', name: 'bash' },
        { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
        { type: 'computer_20251124', name: 'computer', display_width_px: 1_024, display_height_px: 768 },
      ],
    },
    { headers: { 'anthropic-beta': 'computer-use-2025-11-24' } },
  ),
  ask('web search, twice', sonnet, {
    ...user('What happened?'),
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }],
  }),
  ask('web search without a bound', haiku, {
    ...user('What happened?'),
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  }),
  ask(
    'pages fetched, twice',
    haiku,
    {
      ...user('Read https://pages.test/.'),
      tools: [{ type: 'web_fetch_20250910', name: 'web_fetch', max_uses: 2, max_content_tokens: 3_000 }],
    },
    { headers: { 'anthropic-beta': 'web-fetch-2025-09-10' } },
  ),
  ask(
    'code that the vendor executes',
    haiku,
    { ...user('hi'), tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
    { headers: { 'anthropic-beta': 'code-execution-2025-08-25' }, unsaid: true },
  ),
  ask(
    'an MCP server of others',
    haiku,
    {
      ...user('hi'),
      mcp_servers: [{ type: 'url', name: 'remote', url: 'https://mcp.test/' }],
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'remote' }],
    },
    { headers: { 'anthropic-beta': 'mcp-client-2025-11-20' } },
  ),
  ask(
    'an advisor of another price',
    haiku,
    {
      ...user(long(english, 2_000)),
      tools: [{ type: 'advisor_20260301', name: 'advisor', model: opus, max_uses: 2, max_tokens: 500 }],
    },
    { headers: { 'anthropic-beta': 'advisor-tool-2026-03-01' } },
  ),
  ask('a schema for the answer', sonnet, {
    ...user('hi'),
    output_config: {
      format: {
        type: 'json_schema',
        schema: { type: 'object', properties: { a: { description: long(english, 3_000) } } },
      },
    },
  }),
]

const cached = (ttl?: '1h'): JsonObject => ({
  system: [
    {
      ...text(long(english, 14_000)),
      cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
    },
  ],
  ...user('hi'),
})

const amounts: Shape[] = [
  ask('thinking', sonnet, {
    ...user('Think.'),
    max_tokens: 6_000,
    thinking: { type: 'enabled', budget_tokens: 4_000 },
  }),
  ask('thinking as much as it likes', opus, {
    ...user('Think.'),
    max_tokens: 6_000,
    thinking: { type: 'adaptive' },
  }),
  ask(
    'thinking that is sent back',
    sonnet,
    { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_000 },
    {
      setup: async (send) => {
        const question = { role: 'user', content: 'Think.' }
        const answer = await send({
          model: sonnet,
          max_tokens: 3_000,
          thinking: { type: 'enabled', budget_tokens: 2_000 },
          messages: [question],
        })
        const content = itemsOf(answer.content).filter(isObject)
        return { messages: [question, { role: 'assistant', content }, { role: 'user', content: 'And now?' }] }
      },
    },
  ),
  ask('written to the cache', sonnet, cached()),
  ask('written to the cache for an hour', sonnet, cached('1h')),
  ask('two markers, of both kinds', sonnet, {
    system: [{ ...text(long(code, 14_000)), cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [
      {
        role: 'user',
        content: [{ ...text(long(english, 6_000)), cache_control: { type: 'ephemeral' } }, text('And now?')],
      },
    ],
  }),
  ask('cached by one marker for all', sonnet, {
    cache_control: { type: 'ephemeral' },
    ...user(long(thai, 9_000)),
  }),
  ask(
    'read from the cache',
    sonnet,
    { system: [{ ...text(long(hindi, 9_000)), cache_control: { type: 'ephemeral' } }], ...user('hi') },
    {
      setup: async (send) => {
        await send({
          model: sonnet,
          max_tokens: 20,
          system: [{ ...text(long(hindi, 9_000)), cache_control: { type: 'ephemeral' } }],
          ...user('hi'),
        })
        return {}
      },
    },
  ),
  ask(
    'compacted on the way',
    haiku,
    {
      ...user(long(english, 220_000)),
      max_tokens: 400,
      context_management: {
        edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }],
      },
    },
    { headers: { 'anthropic-beta': 'compact-2026-01-12' } },
  ),
  ask(
    'fast',
    opus,
    { ...user(long(english, 2_000)), speed: 'fast' },
    { headers: { 'anthropic-beta': 'fast-mode-2026-02-01' } },
  ),
  ask('in the United States', sonnet, { ...user(long(english, 2_000)), inference_geo: 'us' }),
  ask(
    'fast, in the United States, and cached',
    opus,
    { ...cached(), speed: 'fast', inference_geo: 'us' },
    {
      headers: { 'anthropic-beta': 'fast-mode-2026-02-01' },
    },
  ),
]

export const messagesShapes: readonly Shape[] = [...texts, ...tools, ...amounts]
