import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeMessage } from '../../../../../../../test/harness/providers/aws-event-stream.js'
import { endpoints } from '../../../endpoints/index.js'
import { BedrockStreamDecoder } from './bedrock-stream.js'
import { type EventStreamMessage, EventStreamSplitter } from './event-stream.js'

const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex')

/** In pieces that end at these places. */
function feed(stream: Buffer, cuts: readonly number[]): EventStreamMessage[] {
  const splitter = new EventStreamSplitter()
  const places = [...new Set(cuts.map((cut) => cut % (stream.length + 1)))].sort((a, b) => a - b)
  const messages: EventStreamMessage[] = []
  let from = 0
  for (const to of [...places, stream.length]) {
    messages.push(...splitter.push(stream.subarray(from, to)))
    from = to
  }
  splitter.end()
  return messages
}

describe('the messages that AWS publishes', () => {
  test.each([
    ['an empty one', '00000010 00000000 05c248eb 7d98c8ff', {}, ''],
    [
      'one with a payload',
      '0000001d 00000000 fd528c5a 7b27666f6f273a27626172277d c3653936',
      {},
      "{'foo':'bar'}",
    ],
    [
      'one with a header and a payload',
      `0000003d 00000020 07fd8396 0c636f6e74656e742d74797065 07 0010 6170706c69636174696f6e2f6a736f6e
       7b27666f6f273a27626172277d 8d9c08b1`,
      { 'content-type': 'application/json' },
      "{'foo':'bar'}",
    ],
  ])('%s is read as published', (_, hex, headers, payload) => {
    const [message, ...others] = feed(bytes(hex), [])
    expect(message?.headers).toEqual(headers)
    expect(message?.payload.toString()).toBe(payload)
    expect(others).toEqual([])
    expect(encodeMessage(headers, Buffer.from(payload))).toEqual(bytes(hex))
  })
})

const headersOf = fc.dictionary(
  fc.stringMatching(/^:?[a-z-]{1,20}$/),
  fc.string({ unit: 'binary', maxLength: 50 }),
  { maxKeys: 5 },
)
const message = fc.record({ headers: headersOf, payload: fc.uint8Array({ maxLength: 300 }) })

describe('any stream of messages', () => {
  test('is read the same, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), fc.array(fc.nat()), (sent, cuts) => {
        const stream = Buffer.concat(
          sent.map(({ headers, payload }) => encodeMessage(headers, Buffer.from(payload))),
        )
        expect(
          feed(stream, cuts).map(({ headers, payload }) => ({ headers, payload: new Uint8Array(payload) })),
        ).toEqual(sent.map(({ headers, payload }) => ({ headers: { ...headers }, payload })))
      }),
    )
  })

  test('with one bit changed is refused, and nothing after it is read', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.nat({ max: 7 }), ({ headers, payload }, place, bit) => {
        const stream = encodeMessage(headers, Buffer.from(payload))
        const at = place % stream.length
        stream.writeUInt8(stream.readUInt8(at) ^ (1 << bit), at)
        expect(() => feed(stream, [at])).toThrow()
      }),
    )
  })

  test('of random bytes is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.array(fc.nat()), (noise, cuts) => {
        expect(() => feed(Buffer.from(noise), cuts)).toThrow()
      }),
    )
  })
})

/** With right checksums, so that only the lengths are at fault. */
function prelude(total: number, headers: number): Buffer {
  const start = Buffer.alloc(12)
  start.writeUInt32BE(total, 0)
  start.writeUInt32BE(headers, 4)
  start.writeUInt32BE(crc32(start.subarray(0, 8)), 8)
  return start
}

test.each([
  ['longer than a message may be', prelude(24 * 1024 * 1024 + 1, 0)],
  ['of four gigabytes', prelude(0xffffffff, 0)],
  ['with more headers than there may be', prelude(200_000, 128 * 1024 + 1)],
  ['with headers that are longer than it is', prelude(100, 100)],
  ['shorter than its own frame', prelude(15, 0)],
  ['of no length at all', prelude(0, 0)],
])('a message %s is refused by its first twelve bytes', (_, start) => {
  expect(() => new EventStreamSplitter().push(start)).toThrow()
})

test.each([
  ['a name that is longer than the headers', [200, 0x61]],
  ['a value that is longer than the headers', [1, 0x61, 7, 0xff, 0xff, 0x62]],
  ['a type that there is not', [1, 0x61, 77]],
  ['a type and no value', [1, 0x61, 4, 0]],
])('headers with %s are refused', (_, header) => {
  expect(() => feed(encodeMessage(Buffer.from(header), Buffer.alloc(0)), [])).toThrow()
})

test('headers of every other type are passed over', () => {
  const others = [
    [0, []],
    [1, []],
    [2, [1]],
    [3, [1, 2]],
    [4, [1, 2, 3, 4]],
    [5, [1, 2, 3, 4, 5, 6, 7, 8]],
    [6, [0, 2, 9, 9]],
    [8, [1, 2, 3, 4, 5, 6, 7, 8]],
    [9, Array.from({ length: 16 }, () => 7)],
  ] as const
  const header = others.flatMap(([type, value]) => [1, 0x61, type, ...value])
  const text = [1, 0x62, 7, 0, 2, 0x68, 0x69]
  const [read] = feed(encodeMessage(Buffer.from([...header, ...text]), Buffer.alloc(0)), [])
  expect(read?.headers).toEqual({ b: 'hi' })
})

test('a stream that ends in the middle of a message is not complete', () => {
  const splitter = new EventStreamSplitter()
  const whole = encodeMessage({}, Buffer.from('payload'))
  expect(splitter.push(whole.subarray(0, -1))).toEqual([])
  expect(() => splitter.end()).toThrow('in the middle')
})

describe("Bedrock's stream", () => {
  const chunk = (event: string) =>
    encodeMessage(
      { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
      Buffer.from(JSON.stringify({ bytes: Buffer.from(event).toString('base64'), p: 'abcd' })),
    )
  const decode = (...messages: Buffer[]) => {
    const decoder = new BedrockStreamDecoder(endpoints.messages)
    const text = decoder.push(Buffer.concat(messages)).toString()
    return text + decoder.end().toString()
  }

  test("becomes the model's own events, byte for byte", () => {
    const event = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ünï 1.0"}}'
    expect(decode(chunk(event), chunk('{"type":"message_stop"}'))).toBe(
      `event: content_block_delta\ndata: ${event}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`,
    )
  })

  test('cannot smuggle a line end into an event', () => {
    expect(decode(chunk('{"type":"x\\ny",\n\r\n"a":1}'))).toBe('data: {"type":"x\\ny", "a":1}\n\n')
  })

  test.each([
    ['throttlingException', 'rate_limit_error'],
    ['validationException', 'invalid_request_error'],
    ['modelStreamErrorException', 'api_error'],
  ])('ends with an error event of the dialect after a %s', (name, type) => {
    const exception = encodeMessage(
      { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' },
      Buffer.from('{"message":"Too many tokens"}'),
    )
    expect(decode(exception)).toBe(
      `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: 'Too many tokens' } })}\n\n`,
    )
  })

  test('tells of an error of the framing too', () => {
    const error = encodeMessage(
      { ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'it broke' },
      Buffer.alloc(0),
    )
    expect(decode(error)).toContain('"message":"it broke"')
  })

  test('is refused where an event is not a JSON object', () => {
    for (const event of ['', '[1]', '{"type":', 'data: x']) expect(() => decode(chunk(event))).toThrow()
  })
})
