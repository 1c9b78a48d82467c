import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BodiesInFlight } from '../../../http/index.js'
import { AnswerMessages } from './answer-messages.js'
import { Conversation, PreviousResponseLost } from './conversation.js'
import { readCreateMessage, toCallBody } from './message.js'

const holder = { tenantId: 'acme', keyId: 'ann', userId: null }
const roomFor = (bytes: number) =>
  new BodiesInFlight({ totalBytes: bytes, perTenantBytes: bytes, perKeyBytes: bytes })
const read = (text: string) =>
  readCreateMessage(Buffer.from(text), { yieldToEventLoop: () => Promise.resolve() })

test('only the last answer can be gone on from; an earlier one is the provider’s to know', () => {
  const bodies = roomFor(1_000)
  const conversation = new Conversation(() => bodies.open(holder))
  conversation.keep('one', Buffer.from('1'), Buffer.from('2'))
  conversation.keep('two', Buffer.from('3'), Buffer.from(''))
  expect(conversation.upTo('two')?.toString()).toBe('3')
  expect(conversation.upTo('one')).toBeNull()
  expect(conversation.upTo(null)).toBeNull()
  conversation.forget()
  expect(conversation.upTo('two')).toBeNull()
  expect(bodies.totalBytes).toBe(0)
})

test('an answer that there is no room for is known as lost', () => {
  const bodies = roomFor(10)
  const conversation = new Conversation(() => bodies.open(holder))
  conversation.keep('one', Buffer.from('123456'), Buffer.from('7890'))
  expect(conversation.upTo('one')?.toString()).toBe('123456,7890')
  conversation.keep('two', Buffer.from('123456'), Buffer.from('78901'))
  expect(() => conversation.upTo('two')).toThrow(PreviousResponseLost)
  conversation.keep('three', Buffer.from('1'), null)
  expect(() => conversation.upTo('three')).toThrow(PreviousResponseLost)
  expect(bodies.totalBytes).toBe(0)
})

test('an answer is remembered only as far as there is room, by its text and by what each item takes beside it', () => {
  const account = roomFor(20 + 2 * 128).open(holder)
  const messages = new AnswerMessages(account)
  const done = (output_index: number, item: object) =>
    Buffer.from(`data: ${JSON.stringify({ type: 'response.output_item.done', output_index, item })}\n\n`)
  messages.push(done(1, { b: 1 }))
  messages.push(done(0, { a: 1 }))
  const end = JSON.stringify({ type: 'response.completed', response: { id: 'resp_1' } })
  expect(messages.answer(false)).toBeNull()
  messages.end(Buffer.from(`data: ${end}`))
  expect(messages.answer(false)).toEqual({ id: 'resp_1', items: Buffer.from('{"a":1},{"b":1}') })
  messages.push(done(2, { c: 'too long for the rest' }))
  expect(messages.answer(false)).toEqual({ id: 'resp_1', items: null })
})

test('whatever the input was, the body of the call has what was said before it, and no other byte changes', async () => {
  const item = fc.jsonValue({ maxDepth: 2 })
  const items = fc.array(item, { maxLength: 4 })
  const space = fc.constantFrom('', ' ', '\n\t ')
  await fc.assert(
    fc.asyncProperty(items, fc.oneof(items, fc.string()), space, async (earlier, input, blank) => {
      const value = Array.isArray(input)
        ? `[${blank}${input.map((each) => JSON.stringify(each)).join(`${blank},${blank}`)}${blank}]`
        : JSON.stringify(input)
      const message = await read(
        `{"type":"response.create",${blank}"previous_response_id":"resp_1","n":1.0,"input":${value}${blank}}`,
      )
      const before = Buffer.from(earlier.map((each) => JSON.stringify(each)).join(','))
      const body = toCallBody(message, before).toString()
      expect(body).toMatch(/^\{\s*"n":1\.0,"input":\[/)
      const asked = Array.isArray(input) ? input : [{ type: 'message', role: 'user', content: input }]
      expect(JSON.parse(body)).toEqual(
        JSON.parse(JSON.stringify({ n: 1, input: [...earlier, ...asked], stream: true })),
      )
    }),
  )
})
