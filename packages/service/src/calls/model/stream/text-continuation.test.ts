import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { endpoints } from '../../../providers/endpoints/index.js'
import { type Endpoint, EventSplitter } from '../../../providers/index.js'
import { TextContinuation } from './text-continuation.js'

const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('word', 'an "a"', '\n', '\\', '', 'é', ',"content":"x', '"},"finish_reason":"stop"'),
)
const usage = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ prompt_tokens: fc.nat(3), completion_tokens: fc.nat(3) }) },
)
const chatEvent = fc
  .tuple(
    fc.constantFrom('content', 'reasoning', 'role'),
    text,
    fc.constantFrom(null, null, null, 'stop'),
    usage,
  )
  .map(([name, piece, finish_reason, counted]) => ({
    id: 'chatcmpl-1',
    model: 'm',
    choices: [{ index: 0, delta: { [name]: piece }, finish_reason }],
    usage: counted,
  }))
const messagesEvent = fc
  .tuple(fc.constantFrom('text', 'partial_json', 'thinking'), text, fc.nat(1), fc.nat(9))
  .map(([name, piece, index, ending]) =>
    ending === 0
      ? { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: index } }
      : { type: 'content_block_delta', index, delta: { type: `${name}_delta`, [name]: piece } },
  )
const responsesEvent = fc
  .tuple(
    fc.nat(200),
    text,
    fc.constantFrom('delta', 'delta', 'delta', 'done'),
    fc.stringMatching(/^[a-z0-9]{1,6}$/),
  )
  .map(([sequence_number, piece, ending, obfuscation]) => ({
    type: `response.output_text.${ending}`,
    sequence_number,
    [ending === 'done' ? 'text' : 'delta']: piece,
    obfuscation,
  }))

const writeStream = (events: readonly object[], isNamed: boolean): Buffer =>
  Buffer.from(
    events
      .map((event) => {
        const name = isNamed && 'type' in event ? `event: ${event.type}\n` : ''
        return `${name}data: ${JSON.stringify(event)}\n\n`
      })
      .join(''),
  )

/** What a stream tells, when every event is parsed or only those that do not continue a text. */
function readStream(endpoint: Endpoint, bytes: Buffer, isContinued: boolean) {
  const request = { model: 'm', stream: true }
  const reader = endpoint.readStream(request)
  const continuation = new TextContinuation({ endpoint, body: request })
  let continued = 0
  for (const event of new EventSplitter().push(bytes)) {
    const texts = isContinued ? continuation.read(event) : null
    if (texts !== null) {
      reader.produced.add(texts)
      continued++
      continue
    }
    const before = reader.produced.additions
    if (reader.read(event) === 'relay') continuation.learn(event, reader.produced.addedSince(before))
  }
  const { texts, moreTokens, chars } = reader.produced
  const told = {
    ...{ text: texts.join(''), moreTokens, chars, usage: reader.usage(), model: reader.model() },
    ...{ issued: reader.issued?.(), finished: reader.finished(), failed: reader.failed() },
  }
  return { told, continued }
}

test.each([
  ['chat', chatEvent],
  ['messages', messagesEvent],
  ['responses', responsesEvent],
] as const)('a stream tells the same when events that continue a text are not parsed: %s', (name, event) => {
  const endpoint = endpoints[name]
  let continued = 0
  fc.assert(
    fc.property(fc.array<object>(event, { maxLength: 80, size: 'max' }), fc.boolean(), (events, isNamed) => {
      const bytes = writeStream(events, isNamed)
      const read = readStream(endpoint, bytes, true)
      expect(read.told).toEqual(readStream(endpoint, bytes, false).told)
      continued += read.continued
    }),
    { numRuns: 3 * propertyRuns },
  )
  expect(continued).toBeGreaterThan(propertyRuns)
})
