import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chatAnswer,
  chatChunk,
  chatUsageChunk,
  messageAnswer,
  messageEvents,
  responseAnswer,
  responseEvents,
  responseToolCall,
  responseToolEvents,
  textBlock,
  toolBlock,
  weatherCall,
} from '../../../../../test/harness/providers/vendor-answers.js'
import type { JsonObject } from '../../../../record/src/json/index.js'
import { EventSplitter } from '../transport/sse.js'
import type { Endpoint } from './endpoint.js'
import { endpoints } from './index.js'

const { chat, messages, responses, completions } = endpoints
const streamed: Endpoint[] = [chat, messages, responses, completions]
/** Events before the first word. */
const leads = new Map([
  [chat, 1],
  [messages, 2],
  [responses, 3],
])
const request = { stream_options: { include_usage: true } }

function assemble(dialect: Endpoint, contents: readonly object[], maxChars = 1_000_000) {
  const assembler = dialect.assembleStream(maxChars)
  // As they come: parsed from JSON.
  for (const content of contents) assembler.add(JSON.parse(JSON.stringify(content)))
  return { answer: JSON.parse(JSON.stringify(assembler.answer())), omittedChars: assembler.omittedChars }
}

const contentsOf = (events: readonly string[]): JsonObject[] =>
  new EventSplitter()
    .push(Buffer.from(events.join('')))
    .flatMap(({ content }) => (content === null ? [] : [content]))

const reply = fc.record({
  id: fc.string({ minLength: 1, maxLength: 8 }),
  model: fc.constant('mock/echo'),
  words: fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 20 }),
  inputTokens: fc.nat(1_000),
  outputTokens: fc.nat(1_000),
  truncated: fc.boolean(),
  created: fc.nat(),
})

describe.each(streamed.map((dialect) => [dialect.name, dialect] as const))('%s', (_, dialect) => {
  test('a stream that is put together is the plain answer', () => {
    fc.assert(
      fc.property(reply, (given) => {
        const { whole, events } = dialect.mock.answer(given, request)
        expect(assemble(dialect, contentsOf(events)).answer).toEqual(whole)
      }),
    )
  })

  test('a stream that was cut says what it said so far', () => {
    fc.assert(
      fc.property(reply, fc.nat(100), (given, at) => {
        const { events } = dialect.mock.answer(given, request)
        const last = events.length - (dialect === chat || dialect === completions ? 3 : 2)
        const cut = contentsOf(events.slice(0, Math.min(at, last)))
        const said = given.words.slice(0, Math.max(0, cut.length - (leads.get(dialect) ?? 0)))
        const { answer } = assemble(dialect, cut)
        expect(dialect.outputOf(answer)?.join('')).toBe(said.join(''))
      }),
    )
  })

  test('no more is kept of a long stream than there is room for, and what is left out is counted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 50 }), { minLength: 5 }), (words) => {
        const given = {
          id: 'x',
          model: 'm',
          inputTokens: 1,
          outputTokens: 1,
          truncated: false,
          created: 1,
          words,
        }
        const events = contentsOf(dialect.mock.answer(given, request).events)
        const { answer, omittedChars } = assemble(dialect, events, 400)
        const said = dialect.outputOf(answer)?.join('') ?? ''
        const all = words.join('')
        expect(all.startsWith(said)).toBe(true)
        if (said !== all) expect(omittedChars).toBeGreaterThan(0)
        expect(JSON.stringify(answer).length).toBeLessThan(3_000)
      }),
    )
  })

  test('whatever events a provider sends, nothing but the answer changes', () => {
    const nested = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, 1, 'a', true),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(
        fc.constantFrom(
          'type',
          'index',
          'choices',
          'delta',
          'tool_calls',
          'content',
          'response',
          'output',
          'item',
          '__proto__',
          'constructor',
          'usage',
          'part',
          'name',
        ),
        tie('value'),
        { maxKeys: 4 },
      ),
    })).object
    fc.assert(
      fc.property(fc.array(nested, { maxLength: 8 }), (events) => {
        assemble(dialect, events as object[])
        expect(Object.keys(Object.prototype)).toEqual([])
        expect(({} as JsonObject).a).toBeUndefined()
      }),
    )
  })
})

test('calls of tools are put together in every dialect', () => {
  const pieces = ['{"city":"Pa', 'ris","unit":"celsius"}']
  const chunks = [
    chatChunk({ role: 'assistant', content: null, refusal: null, annotations: [] }),
    chatChunk({
      tool_calls: [{ index: 0, ...weatherCall, function: { name: 'get_weather', arguments: '' } }],
    }),
    ...pieces.map((piece) => chatChunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    chatChunk({}, 'tool_calls'),
    chatUsageChunk,
  ]
  expect(assemble(chat, chunks).answer).toEqual(chatAnswer({ tool_calls: [weatherCall] }))

  const block = { ...toolBlock.start, input: { city: 'Paris' } }
  expect(
    assemble(messages, messageEvents([textBlock('Let me ', 'see.'), toolBlock], 'tool_use')).answer,
  ).toEqual(messageAnswer([{ type: 'text', text: 'Let me see.' }, block], 'tool_use'))

  expect(assemble(responses, responseToolEvents).answer).toEqual(responseAnswer(responseToolCall))
  expect(assemble(responses, responseToolEvents.slice(0, -1)).answer.output).toEqual([responseToolCall])
  expect(
    assemble(responses, responseEvents('One ', 'two').slice(0, 6)).answer.output[0].content[0].text,
  ).toBe('One two')
})

test('several choices are kept apart', () => {
  const chunks = [0, 1, 0, 1].map((index, at) => chatChunk({ content: `${index}${at} ` }, null, index))
  const { answer } = assemble(chat, chunks)
  expect(answer.choices.map((choice: { message: JsonObject }) => choice.message.content)).toEqual([
    '00 02 ',
    '11 13 ',
  ])
})
