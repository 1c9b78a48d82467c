import { describe, expect, test } from 'vitest'
import { priceFromUsd } from '../../../../../record/src/pricing/index.js'
import { endpoints, type Target } from '../../../providers/index.js'
import type { Call } from '../call.js'
import { initialAllowance, minimumAllowance } from './allowance.js'
import { CallBounds } from './call-bounds.js'
import { limitsToForward } from './forwarded-limits.js'
import type { InputSize } from './input-size.js'

type EndpointName = keyof typeof endpoints

const input: InputSize = {
  estimateTokens: 1_000,
  boundTokens: 1_000,
  audioTokens: 0,
  extraOutputTokens: 0,
  windowRoom: Number.POSITIVE_INFINITY,
  units: [],
  unbounded: [],
}

/** One micro-dollar for each token of input, nothing for output and tools: the cost tells how much is read. */
const readingPrice = priceFromUsd({ inputUsdPerMTok: 1, outputUsdPerMTok: 0 })

const target = (overrides: Partial<Target['properties']> = {}, price = readingPrice): Target => ({
  name: 'model',
  names: ['model'],
  provider: {
    id: 'house',
    name: 'house',
    dialects: Object.keys(endpoints),
    pricesOf: 'house',
    hangUpGraceMs: 0,
    limits: { maxStreamBytes: 2 ** 29, maxAnswerBytes: 2 ** 27 },
    auth: 'own',
    references: 'issued',
    credentialCount: 0,
    credentialRejectionStatuses: [401, 403],
    credentials: () => [],
    check: async () => ({ ok: true, latencyMs: 0, error: null }),
    pickHeaders: () => ({}),
    transport: { send: () => ({ resume() {}, abort() {} }), retire() {}, close: async () => {} },
  },
  model: 'model',
  mode: 'chat',
  price: { ...price, fees: {} },
  properties: {
    tokenizer: 'bytes',
    contextWindow: 10_000,
    maxOutputTokens: 100,
    images: null,
    audioTokensPerSecond: null,
    toolPromptTokens: 0,
    vendorToolTokens: 0,
    usesPerCall: {},
    ...overrides,
  },
  maxOutputTokens: 100,
  outputField: 'max_tokens',
  hostedToolTokens: {},
  source: 'config',
})

function callOf(endpoint: EndpointName, body: Record<string, unknown>): Call {
  return {
    id: 'call',
    endpoint: endpoints[endpoint],
    raw: Buffer.from(JSON.stringify(body)),
    body,
    members: [],
    form: null,
    files: [],
    model: 'model',
    stream: false,
    headers: {},
    query: '',
    batch: null,
    session: null,
    agent: null,
    tags: {},
  }
}

const boundsOf = (endpoint: EndpointName, body: Record<string, unknown>, at = target(), size = input) =>
  new CallBounds(callOf(endpoint, body), at, size)

/** Tokens that are read within an allowance. */
function readWithin(bounds: CallBounds, allowance = bounds.declared): number {
  return bounds.reservedFor(allowance).counts.input ?? 0
}

describe('what a call with hosted tools reads', () => {
  const code = { type: 'code_execution_20250825', name: 'code_execution' }

  test('counts each time that code which the vendor runs hands back, in messages', () => {
    const bounds = boundsOf('messages', { max_tokens: 50, tools: [code] })
    expect(readWithin(bounds)).toBe(1_000 + 10 * 10_000)
  })

  test('and in responses, where the number of times is bounded for it', () => {
    const bounds = boundsOf('responses', { max_output_tokens: 50, tools: [{ type: 'code_interpreter' }] })
    expect(bounds.hasUnboundedTools).toBe(true)
    expect(readWithin(bounds, { outputTokens: 50, toolUses: 3 })).toBe(1_000 + 3 * 10_000)
  })

  test('is not lowered for a tool that no request can bound, beside one that it can', () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 1 }
    const bounds = boundsOf('messages', { max_tokens: 50, tools: [search, code] })
    expect(readWithin(bounds)).toBe(1_000 + 11 * 10_000)
    const servers = boundsOf('messages', { max_tokens: 50, tools: [search], mcp_servers: [{ name: 'a' }] })
    expect(readWithin(servers, { outputTokens: 16, toolUses: 1 })).toBe(1_000 + 11 * 10_000)
  })

  test('counts all of it twice where the vendor may shorten the conversation first', () => {
    const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }]
    const bounds = boundsOf('messages', { max_tokens: 50, context_management: { edits } })
    const { counts } = bounds.reservedFor(bounds.declared)
    expect(counts).toMatchObject({ input: 1_000 + 1_050, output: 100 })
  })

  test('is summed up at once, however many uses are allowed', () => {
    const at = target({ contextWindow: null })
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1_000_000_000 }]
    const bounds = boundsOf('messages', { max_tokens: 0, tools }, at)
    expect(readWithin(bounds)).toBe(1_000 * 1_000_000_001)
    const few = boundsOf('messages', { max_tokens: 7, tools: [{ ...tools[0], max_uses: 3 }] }, at)
    expect(readWithin(few)).toBe(4 * 1_000 + 7 * (1 + 2 + 3))
  })
})

describe('the output of a call', () => {
  test('is bounded by the largest maximum that any server may honour, and 0 is none', () => {
    expect(boundsOf('chat', { max_tokens: 10, n_predict: 90 }).declared.outputTokens).toBe(90)
    expect(boundsOf('chat', { max_tokens: 0 }).declared.outputTokens).toBe(100)
    expect(boundsOf('responses', { max_output_tokens: 0 }).declared.outputTokens).toBe(100)
    expect(boundsOf('messages', { max_tokens: 0 }).declared.outputTokens).toBe(0)
    expect(endpoints.chat.faultIn({ messages: [], num_predict: -1 })?.path).toBe('num_predict')
  })

  test('is that of all answers that are made, shown or not', () => {
    expect(boundsOf('chat', { n: 2, best_of: 5 }).choices).toBe(5)
  })

  test('has a rejected prediction for each of its choices', () => {
    const size = { ...input, extraOutputTokens: 30 }
    const bounds = boundsOf('chat', { max_tokens: 10, n: 3, prediction: {} }, target(), size)
    expect(bounds.reservedFor(bounds.declared).counts.output).toBe(3 * 40)
  })
})

describe('what is written to the cache for an hour', () => {
  test.each<EndpointName>(['chat', 'responses', 'messages'])('is bounded as such in %s', (name) => {
    const part = { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }
    const body = { max_tokens: 1, messages: [{ role: 'user', content: [part] }], input: [part] }
    const price = priceFromUsd({
      inputUsdPerMTok: 1,
      outputUsdPerMTok: 0,
      cacheWriteUsdPerMTok: 1.25,
      cacheWriteHourUsdPerMTok: 2,
    })
    const bounds = boundsOf(name, body, target({}, price))
    expect(bounds.costOf(bounds.declared)).toBe(2_000 * 1_000)
  })
})

describe('tools of a chat', () => {
  test('that the caller does not run are hosted ones', () => {
    const own = [
      { type: 'function', function: { name: 'f' } },
      { type: 'custom', custom: { name: 'c' } },
    ]
    expect(boundsOf('chat', { tools: own }).usesTools).toBe(false)
    const bounds = boundsOf('chat', { tools: [...own, { type: 'browser_search' }] })
    expect(bounds.hasUnboundedTools).toBe(true)
  })
})

describe('what is forwarded of the maximum', () => {
  const allowance = { outputTokens: 50, toolUses: 0 }
  const forwarded = (
    endpoint: EndpointName,
    body: Record<string, unknown>,
    at: Partial<Target>,
    isLimited = true,
  ) =>
    limitsToForward(callOf(endpoint, body), { ...target(), ...at }, boundsOf(endpoint, body), allowance, {
      isLimited,
      isHard: isLimited,
    })
  const completion = { outputField: 'max_completion_tokens' } as const

  test.each<[string, EndpointName, Record<string, unknown>, Partial<Target>, [string, string][]]>([
    ['none that was declared', 'chat', {}, {}, [['max_tokens', '50']]],
    ['none, for OpenAI', 'chat', {}, completion, [['max_completion_tokens', '50']]],
    ['the field of another server', 'chat', { n_predict: 50 }, completion, [['max_completion_tokens', '50']]],
    [
      'the newer field, for an older server',
      'chat',
      { max_completion_tokens: 50 },
      {},
      [['max_tokens', '50']],
    ],
    ['the older field, which OpenAI honours', 'chat', { max_tokens: 50 }, completion, []],
    ['too much', 'chat', { max_tokens: 90 }, {}, [['max_tokens', '50']]],
    ['none of a response', 'responses', {}, completion, [['max_output_tokens', '50']]],
    ['none of a completion', 'completions', { prompt: 'a' }, completion, [['max_tokens', '50']]],
    ['what no request can limit', 'image_generations', { prompt: 'a' }, completion, []],
    ['a recording', 'transcriptions', {}, completion, []],
  ])('%s', (_, endpoint, body, at, expected) => {
    expect(forwarded(endpoint, body, at)).toEqual(expected)
  })

  test("is nothing where no limit applies and the model's own maximum is known", () => {
    expect(forwarded('chat', {}, { maxOutputTokens: 50 }, false)).toEqual([])
    expect(forwarded('chat', {}, { maxOutputTokens: null }, false)).toEqual([['max_tokens', '50']])
  })
})

describe('a limit on tool calls', () => {
  const search = { max_output_tokens: 50, max_tool_calls: 2, tools: [{ type: 'web_search' }] }

  test('that the vendor ignores is none', () => {
    const at = target()
    const ignoring = { ...at, provider: { ...at.provider, ignoredFields: ['max_tool_calls'] } }
    expect(boundsOf('responses', search, at)).toMatchObject({ hasUnboundedTools: false })
    const bounds = boundsOf('responses', search, ignoring)
    expect([bounds.hasUnboundedTools, bounds.limitToolUses(1)]).toEqual([true, null])
  })
})

describe('an output', () => {
  const forwarded = { tpmLimit: null, isForwarded: true }

  test('that no field can limit is never lowered', () => {
    const bounds = boundsOf('image_generations', { prompt: 'a', n: 10 })
    const wanted = initialAllowance(bounds, input, { tpmLimit: 1_100, isForwarded: true })
    expect([wanted.outputTokens, minimumAllowance(bounds, wanted).outputTokens]).toEqual([100, 100])
    expect(bounds.tokensOf(wanted)).toBe(2_000)
  })

  test('that is paid by something else than tokens reserves none', () => {
    const price = { ...readingPrice, fees: { second: 1_000 } }
    const at = { ...target({ maxOutputTokens: null }), maxOutputTokens: null, price }
    expect(boundsOf('transcriptions', {}, at).declared.outputTokens).toBe(0)
  })

  test('that is not declared fits into the window beside the input, and is what the vendor gives', () => {
    const wanted = (windowRoom: number, overrides = {}) =>
      initialAllowance(boundsOf('chat', {}, target(overrides)), { ...input, windowRoom }, forwarded)
        .outputTokens
    expect([wanted(70), wanted(7_000), wanted(70, { defaultOutputTokens: 16 })]).toEqual([70, 100, 16])
    const declared = boundsOf('chat', { max_tokens: 90 })
    expect(initialAllowance(declared, { ...input, windowRoom: 70 }, forwarded).outputTokens).toBe(90)
  })
})
