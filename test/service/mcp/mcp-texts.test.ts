import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type McpEra,
  type RawCaller,
  rawCaller,
  type Scripted,
  type ScriptedMcpServer,
  startScriptedMcp,
} from '../../harness/mcp/scripted-mcp.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

// A word that policies forbid stands in every place of every kind of message, one at a time: whoever it is kept from never gets it.
const word = 'falcon'
const forms = [
  word,
  'FALCON',
  `the ${word} flies`,
  Buffer.from(`the ${word} flies`).toString('base64'),
  // Text that could be base64, where bytes are expected.
  `${word}/`.repeat(60),
]

const eras = ['modern', 'older'] as const
const actions = ['block', 'redact'] as const
const combinations = eras.flatMap((caller) =>
  eras.flatMap((server) => actions.map((action) => ({ caller, server, action }))),
)
const atOnce = 8

let service: TestService
const servers = new Map<McpEra, ScriptedMcpServer>()
/** What is answered to the request of this number. */
let scripts: ((scripted: Scripted) => void)[] = []

const inputSchema = { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'text' } } }
const tools = [{ name: 'act', description: 'Acts', inputSchema }]

beforeAll(async () => {
  service = await shareTestService()
  for (const era of eras) {
    const server = await startScriptedMcp({
      era,
      tools,
      answer: (scripted) => scripts[numberOf(scripted)]?.(scripted),
    })
    servers.set(era, server)
    const { body } = await service.api.post('/v1/mcp-servers', {
      ...{ name: era, url: server.url, open: true, resources: ['*'], prompts: ['*'] },
    })
    const refreshed = await service.api.post(`/v1/mcp-servers/${body.id}/refresh`)
    expect([refreshed.body.status, refreshed.body.statusMessage]).toEqual(['ok', null])
    await service.api.post(`/v1/mcp-servers/${body.id}/tools/act/approve`, {})
  }
})
afterAll(async () => {
  await service.stop()
  for (const server of servers.values()) await server.close()
})

async function keyWith(action: 'block' | 'redact', phase: 'input' | 'output'): Promise<string> {
  const { body } = await service.api.post('/v1/keys', { name: 'caller' })
  const policy = await service.api.post('/v1/policies', {
    ...{ name: `a word ${body.id}`, kind: 'keywords', action, phase },
    ...{ scope: { type: 'key', id: body.id }, config: { words: [word] } },
  })
  expect(policy.status).toBe(201)
  return body.key
}

/** The value with `put` at each mark `§`, one at a time; what stands after the other marks is what they are otherwise. */
function* withWord<T>(template: T, put: string): Generator<{ place: string; value: T }> {
  const text = JSON.stringify(template)
  const marks = /§([a-z]*)/g
  for (const [i, mark] of [...text.matchAll(marks)].entries()) {
    let at = 0
    const value = JSON.parse(text.replaceAll(marks, (_, name) => (at++ === i ? put : name)))
    yield { place: `${i} ${text.slice(Math.max(0, mark.index - 30), mark.index + 10)}`, value }
  }
}

const say = { type: 'text', text: 'nothing' }
/** Looks like base64 of bytes that are no text. */
const long = `${'X'.repeat(300)}/§/${'X'.repeat(300)}`

const results: Record<string, object> = {
  'tools/call': {
    content: [
      { type: '§text', text: '§', annotations: { audience: ['§user'] }, _meta: { '§a': '§b' } },
      { type: 'image', data: '§', mimeType: '§png' },
      { type: 'audio', data: '§', mimeType: '§wav' },
      { type: 'resource', resource: { uri: 'file:///§', text: '§', mimeType: '§plain', _meta: { a: '§' } } },
      { type: 'resource', resource: { uri: 'file:///x', blob: '§' } },
      { type: 'resource_link', uri: 'file:///§', name: '§', title: '§', icons: [{ src: '§' }] },
    ],
    structuredContent: {
      '§k': '§v',
      list: ['§', { data: '§', blob: '§', deep: [[['§']]] }],
      rows: [{ data: long, content: [{ data: long }], blob: long }],
      blob: long,
    },
    _meta: { '§m': { '§n': '§', data: [{ data: long }] } },
    '§other': '§',
  },
  'resources/read': {
    contents: [
      { uri: 'file:///§', text: '§', mimeType: '§p' },
      { uri: 'x:y', blob: '§' },
    ],
    _meta: { a: '§', blob: long },
  },
  'prompts/get': {
    description: '§',
    messages: [
      { role: '§user', content: { type: 'text', text: '§' } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'x:§', text: '§' } } },
    ],
  },
  'completion/complete': { completion: { values: ['§', 'b'], total: 2, '§x': 1 } },
}
const fault = {
  code: -32_000,
  message: '§',
  data: { '§a': ['§', { data: '§', blob: '§' }], rows: [{ data: long }], blob: long },
  '§x': '§',
}
const notices = [
  { method: 'notifications/progress', params: { progress: 1, message: '§', '§a': '§', _meta: { a: '§' } } },
  {
    method: 'notifications/message',
    params: {
      level: '§info',
      logger: '§',
      data: { '§a': ['§', { data: long, blob: '§' }] },
      _meta: { '§x': '§' },
    },
  },
  { method: 'notifications/elicitation/complete', params: { elicitationId: '§' } },
  { method: 'notifications/resources/updated', params: { uri: '§' } },
  { method: 'notifications/§own', params: { a: '§' } },
]
const questions = [
  {
    method: 'elicitation/create',
    params: {
      ...{ mode: 'form', message: '§', _meta: { a: '§' } },
      requestedSchema: {
        type: 'object',
        properties: { '§p': { type: 'string', title: '§', description: '§', enum: ['§'], default: '§' } },
      },
    },
  },
  {
    method: 'elicitation/create',
    params: { mode: 'url', message: '§', url: 'https://§.example/', elicitationId: '§' },
  },
  {
    method: 'sampling/createMessage',
    params: {
      messages: [{ role: 'user', content: { type: 'text', text: '§' } }],
      ...{
        systemPrompt: '§',
        maxTokens: 10,
        stopSequences: ['§'],
        metadata: { a: '§', data: [{ data: long }] },
      },
    },
  },
  { method: 'roots/list', params: { _meta: { '§a': '§' } } },
]

/** The number of a case is in what its request names. */
function numberOf({ message: { body } }: Scripted): number {
  const { params } = body
  return Number(/\d+/.exec(params.arguments?.n ?? params.argument?.value ?? params.uri ?? params.name)?.[0])
}

function requestOf(
  method: string,
  number: number,
  server: McpEra,
  isComposed: boolean,
): Record<string, unknown> {
  const name = (own: string) => (isComposed ? `${server}__${own}` : own)
  const uri = `file:///${number}`
  const _meta = { progressToken: 'token', 'io.modelcontextprotocol/logLevel': 'debug' }
  switch (method) {
    case 'tools/call':
      return { name: name('act'), arguments: { n: `n${number}` }, _meta }
    case 'resources/read':
      return { uri: isComposed ? `tallystick://${server}/${uri}` : uri, _meta }
    case 'prompts/get':
      return { name: name(`p${number}`), arguments: {}, _meta }
    default:
      return {
        ref: { type: 'ref/prompt', name: name('p') },
        argument: { name: 'a', value: `${number}` },
        _meta,
      }
  }
}

interface Case {
  what: string
  method: string
  script(scripted: Scripted): void
}

function casesFor(caller: McpEra, server: McpEra): Case[] {
  const cases: Case[] = []
  const whole = server === 'modern' && { resultType: 'complete' }
  const usual = { content: [say], ...whole }
  for (const [method, template] of Object.entries(results))
    for (const form of caller === server ? forms : [word])
      for (const { place, value } of withWord(template, form))
        cases.push({
          what: `result ${place}`,
          method,
          script: (s) => s.sendJson(s.result({ ...value, ...whole })),
        })
  for (const { place, value } of withWord(fault, word))
    for (const status of [200, 400])
      cases.push({
        what: `error ${status} ${place}`,
        method: 'tools/call',
        script: (s) => s.sendJson(s.error(value), status),
      })
  for (const notice of notices)
    for (const { place, value } of withWord(notice, word))
      cases.push({
        what: `notice ${place}`,
        method: 'tools/call',
        script(s) {
          const { progressToken } = s.message.body.params._meta ?? {}
          const params = { ...value.params, ...(progressToken !== undefined && { progressToken }) }
          s.sendEvents([{ jsonrpc: '2.0', method: value.method, params }, s.result(usual)])
        },
      })
  // Older servers ask in another message; what newer ones ask is a result.
  if (server === 'modern' && caller === 'modern')
    for (const question of questions) {
      const asked = { resultType: 'input_required', inputRequests: { '§q': question }, requestState: '§' }
      for (const { place, value } of withWord(asked, word))
        cases.push({
          what: `question ${place}`,
          method: 'tools/call',
          script: (s) => s.sendJson(s.result(value)),
        })
    }
  return cases
}

/** Also what base64 hides. */
const isIn = (text: string): boolean =>
  text
    .replaceAll(/[A-Za-z0-9+/=]{8,}/g, (part) => `${part} ${Buffer.from(part, 'base64').toString('latin1')}`)
    .toLowerCase()
    .includes(word)

async function inTurns<T>(
  items: readonly T[],
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await act(next[1], next[0])
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

test.each(combinations)(
  'a $caller caller never gets it from a $server server: $action',
  async ({ caller, server, action }) => {
    const key = await keyWith(action, 'output')
    const cases = casesFor(caller, server)
    scripts = cases.map(({ script }) => script)
    const capabilities = { elicitation: {}, sampling: {}, roots: {} }
    const [all, one] = await Promise.all(
      ['/mcp', `/mcp/${server}`].map((path) =>
        rawCaller(service.address, key, caller, { path, capabilities }),
      ),
    )
    const leaks: string[] = []
    await inTurns(cases, async ({ what, method }, number) => {
      const isComposed = number % 2 === 0
      const raw = (isComposed ? all : one) as RawCaller
      const { text } = await raw.request(method, requestOf(method, number, server, isComposed))
      if (isIn(text) || text.includes('internal_error'))
        leaks.push(`${method} ${what}: ${text.slice(0, 300)}`)
    })
    expect(cases.length).toBeGreaterThan(80)
    expect(leaks).toEqual([])
  },
)

const params: [string, Record<string, unknown>][] = [
  [
    'tools/call',
    {
      name: 'act',
      arguments: { text: '§', '§k': ['§', { a: '§', blob: '§', data: [{ data: long }] }] },
      _meta: { '§m': '§', progressToken: '§t', 'io.modelcontextprotocol/§x': '§', traceparent: '§' },
      '§other': '§',
      task: { ttl: 1, a: '§' },
      requestState: '§',
      inputResponses: { '§a': { action: '§', content: { '§b': '§' } } },
    },
  ],
  ['resources/read', { uri: 'file:///§', _meta: { a: '§' }, '§o': '§' }],
  ['prompts/get', { name: 'p §', arguments: { '§a': '§' } }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'p §', title: '§', '§q': '§' },
      argument: { name: '§', value: '§' },
      context: { arguments: { '§a': '§' } },
    },
  ],
]
const said = { [word]: { a: word } }

test.each(combinations)(
  'a $server server never gets it from a $caller caller: $action',
  async ({ caller, server, action }) => {
    const key = await keyWith(action, 'input')
    const upstream = servers.get(server) as ScriptedMcpServer
    const from = upstream.seen.length
    const usual = { content: [say], contents: [], messages: [], completion: { values: [] } }
    const whole = server === 'modern' && { resultType: 'complete' }
    scripts = new Proxy([], { get: () => (s: Scripted) => s.sendJson(s.result({ ...usual, ...whole })) })
    const raw = await rawCaller(service.address, key, caller, {
      path: `/mcp/${server}`,
      capabilities: { elicitation: { form: said, ...said }, sampling: said, roots: said, experimental: said },
    })
    const cases = params.flatMap(([method, template]) =>
      [...withWord(template, word)].map(({ value }) => ({ method, value })),
    )
    await inTurns(cases, async ({ method, value }) => void (await raw.request(method, value)))
    await raw.request('tools/call', { name: 'act', arguments: {} })
    const seen = upstream.seen.slice(from)
    expect(seen.length).toBeGreaterThan(0)
    const leaks = seen.filter(({ raw: body, headers }) => isIn(body) || isIn(JSON.stringify(headers)))
    expect(leaks.map(({ raw: body }) => body.slice(0, 400))).toEqual([])
    // What is called is what was asked for, or nothing.
    const names = seen.map(({ body }) => body.params?.name ?? body.params?.uri ?? body.params?.ref?.name)
    expect(names.filter((name) => name !== undefined && !/^(act|p|p |file:\/\/\/)$/.test(name))).toEqual([])
  },
)
