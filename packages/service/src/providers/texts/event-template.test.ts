import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { parseObject } from '../../../../record/src/json/index.js'
import { readChatEvent } from '../endpoints/chat/event-texts.js'
import type { StreamReader } from '../endpoints/endpoint.js'
import { endpoints } from '../endpoints/index.js'
import { readMessagesEvent } from '../endpoints/messages/event-texts.js'
import { readResponsesEvent } from '../endpoints/responses/event-texts.js'
import { StreamEvent } from '../transport/sse.js'
import type { EventTexts, ReadEvent } from './endpoint-texts.js'
import { EventTemplate } from './event-template.js'

const unreadable: EventTexts = { texts: [], revealing: [], ends: [] }

const read = (readEvent: ReadEvent, data: string): EventTexts =>
  readEvent(data, parseObject(data) ?? {}, { asJson: false, request: { n: 2 } }) ?? unreadable

const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('a "b"', '\n', '\\', '', 'é', ',"content":"x'),
)
const word = fc.oneof(fc.stringMatching(/^[a-z0-9]{1,6}$/), text)
const index = fc.nat({ max: 1 })
const member = fc.constantFrom('content', 'refusal', 'reasoning_content', 'url', 'role', 'name', 'b"c')

/** Events that are alike more often than not, in everything that may differ between two of them. */
const chatEvent = fc
  .tuple(index, member, text, fc.option(word), fc.constantFrom(undefined, null, 'stop'), fc.boolean())
  .map(([at, name, piece, obfuscation, finish_reason, hasProbabilities]) => ({
    id: 'chatcmpl-1',
    choices: [
      {
        index: at,
        delta: { [name]: piece },
        ...(hasProbabilities && { logprobs: { content: [{ token: piece }] } }),
        finish_reason,
      },
    ],
    usage: null,
    obfuscation,
  }))
const messagesEvent = fc
  .tuple(index, fc.constantFrom('text', 'partial_json', 'thinking', 'signature'), text)
  .map(([at, name, piece]) => ({
    type: 'content_block_delta',
    index: at,
    delta: { type: `${name}_delta`, [name]: piece },
  }))
const responsesEvent = fc
  .tuple(
    fc.oneof(fc.nat({ max: 200 }), fc.constant(4111111111111111)),
    fc.constantFrom('delta', 'done'),
    index,
    text,
    word,
    fc.boolean(),
  )
  .map(([sequence_number, ending, output_index, delta, obfuscation, isArguments]) => ({
    type: `response.${isArguments ? 'function_call_arguments' : 'output_text'}.${ending}`,
    sequence_number,
    output_index,
    content_index: 0,
    delta,
    logprobs: [],
    obfuscation,
  }))

const pieces = ['content', 'refusal', 'reasoning_content', 'text', 'partial_json', 'thinking', 'delta']
const isPiece = (name: string, value: unknown) => pieces.includes(name) && typeof value === 'string'
const usage = { callerAskedForUsage: true }
const toEvent = (data: string) => new StreamEvent(Buffer.from(`data: ${data}\n\n`), '', data)
const stateOf = (reader: StreamReader) => ({
  texts: reader.produced.texts,
  usage: reader.usage(),
  model: reader.model(),
  finished: reader.finished(),
  failed: reader.failed(),
})

/** What stays the same in every event was judged with the first. */
const piecesOf = ({ texts, ...rest }: EventTexts): EventTexts => ({
  ...rest,
  texts: texts.filter(({ kind, channel }) => channel !== null || (kind !== 'fixed' && kind !== 'model')),
})

describe('an event that fits the shape of another', () => {
  test.each([
    ['chat', readChatEvent, chatEvent],
    ['messages', readMessagesEvent, messagesEvent],
    ['responses', readResponsesEvent, responsesEvent],
  ])('has in it what is found when it is read through: %s', (_, texts, event) => {
    const pair = fc.tuple(event, event, fc.constantFrom(undefined, 1))
    fc.assert(
      fc.property(pair, ([one, other, spaces]) => {
        const write = (value: unknown) => JSON.stringify(value, null, spaces).replaceAll('\n', '')
        const first = write(one)
        const second = write(other)
        const fitted = EventTemplate.of(first, read(texts, first))?.fit(second) ?? null
        if (fitted !== null) expect(fitted).toEqual(piecesOf(read(texts, second)))
      }),
      { numRuns: 50 * propertyRuns },
    )
  })

  test.each([
    ['chat', endpoints.chat, chatEvent],
    ['messages', endpoints.messages, messagesEvent],
    ['responses', endpoints.responses, responsesEvent],
  ])('is counted as if it were read: %s', (_, dialect, event) => {
    let counted = 0
    fc.assert(
      fc.property(event, text, (one, piece) => {
        const first = JSON.stringify(one)
        const second = JSON.stringify(one, (name, value) => (isPiece(name, value) ? piece : value))
        const shape = EventTemplate.of(first, read(dialect.readEvent, first))
        const fitted = shape?.fit(second)
        const [going, reading] = [dialect.readStream(usage), dialect.readStream(usage)]
        for (const reader of [going, reading]) reader.read(toEvent(first))
        if (!fitted || !shape?.hasOnlyTexts(going.produced.texts)) return
        counted++
        going.produced.add(fitted.texts.map((each) => each.text))
        expect(reading.read(toEvent(second))).toBe('relay')
        expect(stateOf(going)).toEqual(stateOf(reading))
      }),
      { numRuns: 50 * propertyRuns },
    )
    expect(counted).toBeGreaterThan(50)
  })

  test('may have said less than its pieces', () => {
    const thought = '{"choices":[{"index":0,"delta":{"reasoning":"a b"}}]}'
    expect(EventTemplate.of(thought, read(readChatEvent, thought))?.hasOnlyTexts([])).toBe(false)
  })

  test.each([
    [
      'chat',
      readChatEvent,
      (piece: string, n: number) =>
        `{"id":"x","choices":[{"index":0,"delta":{"content":"${piece}"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"ab${n}"}`,
    ],
    [
      'messages',
      readMessagesEvent,
      (piece: string) =>
        `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${piece}"}}`,
    ],
    [
      'responses',
      readResponsesEvent,
      (piece: string, n: number) =>
        `{"type":"response.output_text.delta","sequence_number":${n},"item_id":"m","output_index":0,"content_index":0,"delta":"${piece}","logprobs":[],"obfuscation":"${n}b"}`,
    ],
  ])('is every next one of a stream as vendors send it: %s', (_, texts, write) => {
    const shape = EventTemplate.of(write('Hello', 9), read(texts, write('Hello', 9)))
    expect(shape?.fit(write(', you', 10))).toEqual(piecesOf(read(texts, write(', you', 10))))
    expect(shape?.fit(write('a \\"b\\"', 11))).toBeNull()
    expect(shape?.fit(write('', 12))).toBeNull()
  })

  test.each([
    ['a name somebody chose', '{"choices":[{"index":0,"delta":{"metadata":{"a b":"content"}}}]}'],
    [
      'a word that is text only because it does not look like one',
      '{"choices":[{"index":0,"delta":{"role":"a b"}}]}',
    ],
    ['the end of a choice', '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}'],
    ['a text that is whole', '{"error":{"text":"a b"}}'],
  ])('is never told by %s', (_, data) => {
    expect(EventTemplate.of(data, read(readChatEvent, data))).toBeNull()
  })
})

test('an event with a line end in a string, which is no JSON, does not fit', () => {
  const data = '{"choices":[{"index":0,"delta":{"content":"card"}}]}'
  const shape = EventTemplate.of(data, read(readChatEvent, data))
  expect(shape?.fit(data.replace('card', 'other'))).not.toBeNull()
  expect(shape?.fit(data.replace('card', 'a\ncard'))).toBeNull()
})

test('an event with a number of its own that no stream counts to does not fit', () => {
  const data = '{"type":"response.output_text.delta","sequence_number":4,"delta":"card"}'
  const shape = EventTemplate.of(data, read(readResponsesEvent, data))
  expect(shape?.fit(data.replace(':4,', ':123456,'))).not.toBeNull()
  expect(shape?.fit(data.replace(':4,', ':4111111111111111,'))).toBeNull()
})
