import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialectNames, spoken } from '../../harness/policies/dialect-texts.js'
import { chatChunk, messageModel, responseAnswer } from '../../harness/providers/vendor-answers.js'
import { pick, random, restartRandom } from '../../harness/run/seed.js'
import { isSoak } from '../../harness/run/soak.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// Streams of every shape that a client might read: whatever shape it is, what a policy forbids does not arrive, and what none
// forbids arrives complete where the shape can be read.

type DialectName = (typeof dialectNames)[number]
/** Where a piece of a text stands in an event. A string is JSON that no parsed value could say. */
type Place = (piece: string) => object | string

const forbidden = 'nightfall'
const harmless = 'afternoon'

const chance = (share: number) => random() < share
const maybe = <T>(share: number, value: T): T | undefined => (chance(share) ? value : undefined)

const choice = (fields: object) => ({ ...chatChunk({}), choices: [{ index: 0, ...fields }] })
const delta = (fields: object) => choice({ delta: fields })
const calls = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] })

const chatPlaces: Record<string, Place> = {
  content: (content) => delta({ content }),
  refusal: (refusal) => delta({ refusal }),
  reasoning: (reasoning_content) => delta({ reasoning_content }),
  'an unknown member': (mood) => delta({ mood }),
  'an unknown object': (er) => delta({ deep: { er } }),
  'a list of strings': (piece) => delta({ content: [piece] }),
  'a list of parts': (text) => delta({ content: [{ type: 'text', text }] }),
  arguments: (piece) => calls({ function: { arguments: piece } }),
  'arguments without a number': (piece) => delta({ tool_calls: [{ function: { arguments: piece } }] }),
  'the name of a tool': (name) => calls({ function: { name } }),
  'the input of a custom tool': (input) => calls({ custom: { input } }),
  'a legacy call': (piece) => delta({ function_call: { arguments: piece } }),
  'a transcript': (transcript) => delta({ audio: { transcript } }),
  'an annotation': (title) => delta({ annotations: [{ url_citation: { title } }] }),
  'a message instead of a delta': (content) => choice({ message: { content } }),
  'a text instead of a delta': (text) => choice({ text }),
  'beside the choices': (note) => ({ ...chatChunk({}), note }),
  'a choice with a string for a number': (content) => choice({ index: '0', delta: { content } }),
  'a choice without a number': (content) => choice({ index: undefined, delta: { content } }),
  'an empty reason each time': (content) => choice({ finish_reason: '', delta: { content } }),
  'the reason null each time': (content) => choice({ finish_reason: 'null', delta: { content } }),
  'the last of two members': (piece) =>
    `{"choices":[{"index":0,"delta":{"content":"zzz","content":${JSON.stringify(piece)}}}]}`,
}
const unreadableChatPlaces: Record<string, Place> = {
  'choices as an object': (content) => ({ ...chatChunk({}), choices: { 0: { delta: { content } } } }),
  'a number that changes': (content) => choice({ index: Math.floor(random() * 100), delta: { content } }),
  'a number below zero': (content) => choice({ index: -1, delta: { content } }),
  'a reason each time': (content) => choice({ finish_reason: 'stop', delta: { content } }),
  'no JSON': (piece) => `not JSON: ${piece}`,
  'a list': (piece) => [piece],
  'a JSON string': (piece) => JSON.stringify(piece),
}

const block = (fields: object, index: unknown = 0) => ({ type: 'content_block_delta', index, delta: fields })
const messagesPlaces: Record<string, Place> = {
  text: (text) => block({ type: 'text_delta', text }),
  thinking: (thinking) => block({ type: 'thinking_delta', thinking }),
  input: (partial_json) => block({ type: 'input_json_delta', partial_json }),
  'an unknown delta': (mood) => block({ type: 'mood_delta', mood }),
  'a citation': (cited_text) => block({ type: 'citations_delta', citation: { cited_text } }),
  'an unknown event': (mood) => ({ type: 'mood', mood }),
  'starts of a block': (text) => ({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'text', text },
  }),
  'what keeps alive': (text) => ({ type: 'ping', text }),
  'a block with a string for a number': (text) => block({ type: 'text_delta', text }, '0'),
  'a block without a number': (text) => block({ type: 'text_delta', text }, undefined),
}
const unreadableMessagesPlaces: Record<string, Place> = {
  'the last block': (text) => block({ type: 'text_delta', text }, -1),
  'half a number': (text) => block({ type: 'text_delta', text }, 0.5),
  'no JSON': (piece) => `not JSON: ${piece}`,
}

const numbers = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const responsesPlaces: Record<string, Place> = {
  text: (piece) => ({ type: 'response.output_text.delta', ...numbers, delta: piece }),
  refusal: (piece) => ({ type: 'response.refusal.delta', ...numbers, delta: piece }),
  arguments: (piece) => ({ type: 'response.function_call_arguments.delta', ...numbers, delta: piece }),
  summary: (piece) => ({ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: piece }),
  'an unknown delta': (piece) => ({ type: 'response.mood.delta', ...numbers, delta: piece }),
  'an object': (text) => ({ type: 'response.output_text.delta', ...numbers, delta: { text } }),
  'an unknown event': (mood) => ({ type: 'response.mood', ...numbers, mood }),
  'an event without a type': (mood) => ({ mood }),
  'an item by its id': (piece) => ({ type: 'response.output_text.delta', item_id: 'msg_1', delta: piece }),
  'an item with a string for a number': (piece) => ({
    type: 'response.output_text.delta',
    output_index: '0',
    content_index: '0',
    delta: piece,
  }),
}
const unreadableResponsesPlaces: Record<string, Place> = {
  'an item below zero': (piece) => ({
    type: 'response.output_text.delta',
    output_index: -1,
    delta: piece,
  }),
  'no JSON': (piece) => `not JSON: ${piece}`,
}

const places: Record<DialectName, { readable: typeof chatPlaces; unreadable: typeof chatPlaces }> = {
  chat: { readable: chatPlaces, unreadable: unreadableChatPlaces },
  messages: { readable: messagesPlaces, unreadable: unreadableMessagesPlaces },
  responses: { readable: responsesPlaces, unreadable: unreadableResponsesPlaces },
}

const beginnings: Record<DialectName, object[]> = {
  chat: [delta({ role: 'assistant', content: '' })],
  messages: [
    {
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', model: messageModel, content: [] },
    },
  ],
  responses: [{ type: 'response.created', response: { ...responseAnswer(), status: 'in_progress' } }],
}
const endings: Record<DialectName, (object | string)[]> = {
  chat: [choice({ delta: {}, finish_reason: 'stop' }), '[DONE]'],
  messages: [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
  responses: [{ type: 'response.completed', response: responseAnswer() }],
}

function cutAnywhere(text: string): string[] {
  const pieces: string[] = []
  const longest = pick([1, 3, 12])
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(random() * longest)
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}

/** Lines of one event, with whatever may stand beside its name and its data. */
function writeLines(event: object | string, end: string): string {
  const data = typeof event === 'string' ? event : JSON.stringify(event, null, maybe(0.1, 1))
  const type = typeof event === 'string' ? undefined : (event as { type?: string }).type
  const lines = data.split('\n').map((line) => `data:${pick(['', ' '])}${line}`)
  if (type !== undefined) lines.splice(pick([0, lines.length]), 0, `event: ${type}`)
  for (const noise of [`: ${forbidden}`, `id: ${forbidden}`, `note: ${forbidden}`, 'retry: 5', 'data'])
    if (chance(0.02) && (noise !== 'data' || lines.length > 1)) lines.push(noise)
  return `${lines.map((line) => `${chance(0.02) ? '\ufeff' : ''}${line}${end}`).join('')}${end}`
}

interface Case {
  bytes: Buffer
  packets: number
  isCut: boolean
}

function makeCase(dialect: DialectName, place: Place, text: string): Case {
  const pieces = cutAnywhere(text).map(place)
  const ending: (object | string)[] = [...endings[dialect]]
  if (chance(0.2)) ending.pop()
  if (dialect === 'chat' && chance(0.2)) ending.splice(-1, 1, pick(['[DONE] ', '[DONE] '.concat(forbidden)]))
  const after = chance(0.3) && dialect === 'chat' ? [delta({ content: forbidden })] : []
  // Only after an end that was announced.
  const events = [...beginnings[dialect], ...pieces, ...ending, ...(ending.length > 1 ? after : [])]
  const end = pick(['\n', '\n', '\r\n', '\r'])
  const mark = chance(0.2) ? '\ufeff' : ''
  const bytes = Buffer.from(mark + events.map((event) => writeLines(event, end)).join(''))
  return { bytes, packets: pick([1, 2, 40]), isCut: chance(0.1) }
}

/** Every string of the events, joined with those at the same place of others, however a client finds that place. */
function joinByPath(events: readonly unknown[]): Map<string, string> {
  const joined = new Map<string, string>()
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'string') joined.set(path, (joined.get(path) ?? '') + value)
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      visit(member, `${path}/${Array.isArray(value) ? (member?.index ?? name) : name}`)
      // To a reader that asked for one choice, all that come are that one.
      if (Array.isArray(value)) visit(member, `${path}/-`)
    }
  }
  for (const event of events) visit(event, '')
  return joined
}

/** The data of each event, read by the letter of the specification. */
function readSpecified(text: string): unknown[] {
  return text
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map((event) =>
      event
        .split(/\r\n|\n|\r/)
        .flatMap((line) => /^data(?:: ?(.*))?$/.exec(line)?.[1] ?? [])
        .join('\n'),
    )
    .filter((data) => data !== '' && data !== '[DONE]')
    .map((data) => JSON.parse(data))
}

let gateway: TestGateway
const keys = { block: '', redact: '' }
const cases = new Map<string, Case>()

beforeAll(async () => {
  restartRandom()
  gateway = await shareTestGateway()
  for (const action of ['block', 'redact'] as const) {
    const policy = { kind: 'keywords', config: { words: [forbidden] }, phase: 'output', action }
    keys[action] = (await createKeyWithPolicies(gateway, [policy])).key
  }
  gateway.upstream.answerWith(async ({ raw }, response) => {
    const id = /case (\d+)/.exec(raw.toString())?.[1] ?? ''
    const { bytes, packets, isCut } = cases.get(id) ?? { bytes: Buffer.from(''), packets: 1, isCut: false }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const size = Math.ceil(bytes.length / packets)
    for (let at = 0; at < bytes.length; at += size)
      await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve))
    if (isCut) response.destroy()
    else response.end()
  })
})
afterAll(() => gateway.stop())

const question: Record<DialectName, (id: string) => object> = {
  chat: (id) => ({ messages: [{ role: 'user', content: `case ${id}` }] }),
  messages: (id) => ({ messages: [{ role: 'user', content: `case ${id}` }] }),
  responses: (id) => ({ input: `case ${id}` }),
}

async function readRaw(dialect: DialectName, id: string, key: string): Promise<string> {
  const body = spoken[dialect].body({ stream: true, ...question[dialect](id) })
  const response = await gateway.send(spoken[dialect].path, body, { key })
  return await response.text()
}

/** As far as the official client reads it. */
async function readByClient(dialect: DialectName, id: string, key: string): Promise<unknown[]> {
  const options = { apiKey: key, maxRetries: 0 }
  const openai = new OpenAI({ ...options, baseURL: `${gateway.service.address}/v1`, logLevel: 'off' })
  const anthropic = new Anthropic({ ...options, baseURL: gateway.service.address, logLevel: 'off' })
  const messages = [{ role: 'user' as const, content: `case ${id}` }]
  const input = `case ${id}`
  const open = {
    chat: () => openai.chat.completions.create({ model: 'gpt-4o-mini', stream: true, messages }),
    responses: () => openai.responses.create({ model: 'gpt-4o-mini', stream: true, input }),
    messages: () =>
      anthropic.messages.create({ model: messageModel, max_tokens: 10, stream: true, messages }),
  }
  const events: unknown[] = []
  try {
    for await (const event of (await open[dialect]()) as AsyncIterable<unknown>) events.push(event)
  } catch {
    // The error at the end of it.
  }
  return events
}

const filler = () => 'word '.repeat(Math.floor(random() * pick([3, 90])))

let count = 0
function addCase(dialect: DialectName, place: Place, text: string, fields: Partial<Case> = {}): string {
  const id = `${++count}`
  cases.set(id, { ...makeCase(dialect, place, text), ...fields })
  return id
}

const rounds = isSoak ? 10 : 1
const shapes = dialectNames.flatMap((dialect) =>
  (['readable', 'unreadable'] as const).flatMap((sort) =>
    Object.entries(places[dialect][sort]).map(([name, place]) => ({ dialect, sort, name, place })),
  ),
)

test.each(shapes)(
  '$dialect, $name ($sort): what is forbidden never arrives',
  async ({ dialect, name, place }) => {
    // Of a text that is said to be complete, the start is seen before it goes on.
    const unseen = name === 'a reason each time' ? forbidden : forbidden.slice(0, 6)
    for (let round = 0; round < rounds; round++) {
      const id = addCase(dialect, place, `${filler()}${forbidden} ${filler()}`)
      const sent = cases.get(id)?.bytes.toString()
      for (const key of Object.values(keys)) {
        const raw = await readRaw(dialect, id, key)
        expect(raw, sent).not.toContain(forbidden)
        for (const joined of joinByPath(readSpecified(raw)).values())
          expect(joined, sent).not.toContain(unseen)
      }
      const events = await readByClient(dialect, id, pick(Object.values(keys)))
      for (const joined of joinByPath(events).values()) expect(joined, sent).not.toContain(unseen)
    }
  },
)

test.each(shapes.filter(({ sort }) => sort === 'readable'))(
  '$dialect, $name: what nobody forbids arrives complete',
  async ({ dialect, place }) => {
    for (let round = 0; round < rounds; round++) {
      const text = `${filler()}${harmless} ${filler()}end`
      const id = addCase(dialect, place, text, { isCut: false })
      const sent = cases.get(id)?.bytes.toString()
      for (const key of Object.values(keys)) {
        const raw = await readRaw(dialect, id, key)
        expect(raw, sent).not.toContain(forbidden)
        expect([...joinByPath(readSpecified(raw)).values()], sent).toContain(text)
      }
    }
  },
)
