import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../record/src/json/index.js'
import { endpoints } from '../endpoints/index.js'
import { hasRepeatedMember } from './repeated-member.js'

const context = { asJson: false, request: { n: 2 } }
const readTexts = (name: keyof typeof endpoints, event: JsonObject) =>
  endpoints[name].readEvent(JSON.stringify(event), event, context)

const read = (name: keyof typeof endpoints, event: JsonObject) => {
  const { texts = [], ends } = readTexts(name, event) ?? {}
  const said = texts.filter(({ isEcho, kind }) => !isEcho && kind !== 'fixed')
  return { said: said.map(({ channel, text, json }) => [channel, text, json]), ends }
}

/** What the text of an event continues, and whether it may be whole. */
const placeOf = (name: keyof typeof endpoints, event: JsonObject) => {
  const text = readTexts(name, event)?.texts.at(-1)
  return [text?.channel, text?.mayBeWhole]
}

const choice = (fields: object) => ({ choices: [{ index: 0, finish_reason: null, ...fields }] })
const delta = (fields: object) => choice({ delta: fields })

describe('the pieces of chat', () => {
  test('belong to a choice and to what they continue', () => {
    expect(
      read('chat', {
        choices: [
          { index: 1, delta: { content: 'one' }, finish_reason: null },
          {
            index: 0,
            delta: { tool_calls: [{ index: 2, function: { name: 'f', arguments: '{' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    ).toEqual({
      said: [
        ['choices/1/delta/content', 'one', false],
        ['choices/0/delta/tool_calls/2/function/name', 'f', false],
        ['choices/0/delta/tool_calls/2/function/arguments', '{', true],
      ],
      ends: ['choices/0/'],
    })
  })

  test('are pieces wherever they stand, and may be whole where none are known', () => {
    expect(placeOf('chat', delta({ content: 'a b' }))).toEqual(['choices/0/delta/content', false])
    expect(placeOf('chat', delta({ mood: 'a b' }))).toEqual(['choices/0/delta/mood', true])
    expect(placeOf('chat', delta({ content: [{ type: 'text', text: 'a b' }] }))).toEqual([
      'choices/0/delta/content/0/text',
      true,
    ])
    expect(placeOf('chat', choice({ text: 'a b' }))).toEqual(['choices/0/text', true])
    expect(placeOf('chat', { note: 'a b' })).toEqual(['note', true])
    expect(placeOf('chat', delta({ 'a/b': 'a b' }))).not.toEqual(placeOf('chat', delta({ a: { b: 'a b' } })))
  })

  test('are of the same choice whether its number is one, a string or left out', () => {
    for (const index of [0, '0', null, undefined])
      expect(placeOf('chat', choice({ index, delta: { content: 'a' } }))).toEqual([
        'choices/0/delta/content',
        false,
      ])
  })

  test.each([-1, 2, 0.5, 1e12, 'first', {}, true])(
    'of a choice that was not asked for (%j) cannot be read: most clients would join them with the first',
    (index) => expect(readTexts('chat', choice({ index, delta: { content: 'a' } }))).toBeNull(),
  )

  test('cannot be read when two choices or two calls have the same number, or choices are no list', () => {
    const twice = [0, 0].map((index) => ({ index, delta: { content: 'a' } }))
    expect(readTexts('chat', { choices: twice })).toBeNull()
    const calls = [0, 0].map((index) => ({ index, function: { arguments: 'a' } }))
    expect(readTexts('chat', delta({ tool_calls: calls }))).toBeNull()
    const details = [0, 0].map((index) => ({ index, text: 'a' }))
    expect(read('chat', delta({ reasoning_details: details })).said).toEqual([
      ['choices/0/delta/reasoning_details/0/text', 'a', false],
      ['choices/0/delta/reasoning_details/0/text/~2', 'a', false],
    ])
    expect(readTexts('chat', { choices: { 0: { delta: { content: 'a' } } } })).toBeNull()
  })

  test.each([['stop'], ['length'], ['anything']])('end with the reason %j', (finish_reason) => {
    expect(read('chat', choice({ finish_reason })).ends).toEqual(['choices/0/'])
  })

  test.each([[''], ['null'], [null], [0], [{}]])('do not end with the reason %j', (finish_reason) => {
    expect(read('chat', choice({ finish_reason })).ends).toEqual([])
  })
})

describe('the pieces of messages', () => {
  const blockDelta = (index: unknown, piece: object) => ({ type: 'content_block_delta', index, delta: piece })

  test('belong to a block, with what it begins with', () => {
    expect(
      read('messages', {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
      }).said,
    ).toEqual([['block 3/name', 'f', false]])
    expect(read('messages', blockDelta(3, { type: 'input_json_delta', partial_json: '{"a' })).said).toEqual([
      ['block 3/partial_json', '{"a', true],
    ])
    const place = ['block 1/text', false]
    expect(placeOf('messages', blockDelta(1, { type: 'text_delta', text: 'one' }))).toEqual(place)
    const start = { type: 'content_block_start', index: '1', content_block: { type: 'text', text: 'one' } }
    expect(placeOf('messages', start)).toEqual(['block 1/text', true])
    const message = { content: [{ type: 'text' }, { type: 'text', text: 'one' }] }
    expect(placeOf('messages', { type: 'message_start', message })).toEqual(['block 1/text', true])
    expect(read('messages', { type: 'content_block_stop', index: 1 }).ends).toEqual(['block 1/'])
  })

  test('are pieces in unknown deltas and events too', () => {
    expect(placeOf('messages', blockDelta(1, { type: 'mood_delta', mood: 'a b' }))).toEqual([
      'block 1/mood',
      true,
    ])
    expect(placeOf('messages', { type: 'mood', index: 1, mood: 'a b' })).toEqual(['block 1/mood mood', true])
  })

  test.each([-1, 0.5, 'last', {}])('cannot be read when their block is %j', (index) => {
    expect(readTexts('messages', blockDelta(index, { type: 'text_delta', text: 'a' }))).toBeNull()
  })
})

describe('the pieces of responses', () => {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 1 }
  const channel = 'item 0/content/1/response.output_text'

  test('belong to a part of an item, and are repeated whole at its end', () => {
    expect(
      read('responses', { type: 'response.output_text.delta', ...place, delta: 'one', obfuscation: 'xYz' }),
    ).toEqual({ said: [[channel, 'one', false]], ends: [] })
    expect(read('responses', { type: 'response.output_text.done', ...place, text: 'one' })).toEqual({
      said: [[null, 'one', false]],
      ends: [channel],
    })
    expect(
      read('responses', { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{' }).said,
    ).toEqual([['item 2/response.function_call_arguments', '{', true]])
    expect(
      read('responses', {
        type: 'response.completed',
        response: { instructions: 'asked', output: [{ content: [{ text: 'said' }] }] },
      }).said,
    ).toEqual([[null, 'said', false]])
  })

  test('continue what a part, an item or the response began with', () => {
    const part = { type: 'output_text', text: 'a b' }
    const item = { type: 'message', content: [{ type: 'output_text' }, part] }
    for (const start of [
      { type: 'response.content_part.added', ...place, part },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.in_progress', response: { output: [item] } },
    ])
      expect(placeOf('responses', start)).toEqual([channel, true])
    const called = { type: 'function_call', arguments: '{' }
    expect(
      placeOf('responses', { type: 'response.output_item.added', output_index: 2, item: called }),
    ).toEqual(['item 2/response.function_call_arguments', true])
  })

  test('are pieces in unknown events too, and of the item that is named where none is numbered', () => {
    expect(placeOf('responses', { type: 'response.mood', ...place, mood: 'a b' })).toEqual([
      'item 0/content/1/response.mood mood',
      true,
    ])
    const unnumbered = { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'one' }
    expect(placeOf('responses', unnumbered)).toEqual(['item msg_1/content/0/response.output_text', false])
  })

  test('cannot be read when their item has no number', () => {
    const odd = { type: 'response.output_text.delta', output_index: -1, delta: 'one' }
    expect(readTexts('responses', odd)).toBeNull()
  })
})

test.each([
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', false],
  ['{"a":1,"b":2,"a":1}', true],
  ['{"a":[{"b":{},"b":[]}]}', true],
  ['{"a":1,"\\u0061":1}', true],
  ['{}', false],
])('a member that stands twice in its object is seen: %s', (json, isRepeated) => {
  expect(hasRepeatedMember(json)).toBe(isRepeated)
})
