import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMsSince, scaledMs } from '../../../../../test/harness/run/processor-time.js'
import { EventSplitter, writeEvent } from './sse.js'

const ending = fc.constantFrom('\n', '\r\n', '\r')
const text = fc.string({ unit: fc.constantFrom('a', ' ', ':', '{', '"', 'é', '😀', '\\n'), maxLength: 8 })
const line = fc.oneof(
  text.map((data) => ({ line: `data: ${data}`, data })),
  text.filter((data) => !data.startsWith(' ')).map((data) => ({ line: `data:${data}`, data })),
  text.map((comment) => ({ line: `: ${comment}`, data: null })),
  fc.constantFrom('id: 7', 'retry: 10', 'event: ping').map((other) => ({ line: other, data: null })),
)
const event = fc
  .record({ lines: fc.array(line, { minLength: 1, maxLength: 4 }), ending })
  .map(({ lines, ending: end }) => ({
    raw: `${lines.map((each) => each.line + end).join('')}${end}`,
    data: lines.flatMap(({ data }) => data ?? []).join('\n'),
  }))

/** The bytes in pieces, cut wherever the numbers say. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}

describe('a stream of events', () => {
  test('is cut at its blank lines in the same way however its chunks fall', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (events, places) => {
          const bytes = Buffer.from(events.map(({ raw }) => raw).join(''))
          for (const chunks of [[bytes], cut(bytes, places), [...bytes].map((byte) => Buffer.from([byte]))]) {
            const splitter = new EventSplitter()
            const seen = chunks.flatMap((chunk) => splitter.push(chunk))
            const read = seen.map(({ raw, data }) => ({ raw: raw.toString(), data }))
            // After a CR, an LF may still come.
            const rest = splitter.takeRest()
            if (rest) read.push({ raw: rest.raw.toString().slice(0, -2), data: rest.data })
            expect(rest === null || bytes.at(-1) === 0x0d).toBe(true)
            expect(read).toEqual(events)
          }
        },
      ),
    )
  })

  test('gives out every byte it was given, and none twice, whatever the bytes are', () => {
    const bytes = fc
      .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x3a), { maxLength: 40 })
      .map((each) => Buffer.from(each))
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 12 }), (all, places) => {
        const splitter = new EventSplitter()
        const raw = cut(all, places).flatMap((chunk) => splitter.push(chunk).map((each) => each.raw))
        const rest = splitter.takeRest()?.raw.subarray(0, -2) ?? Buffer.alloc(0)
        expect(Buffer.concat([...raw, rest])).toEqual(all)
      }),
    )
  })

  test('is read as the most generous of clients does: with a byte order mark before any line, by CR alone', () => {
    const splitter = new EventSplitter()
    const mark = '\ufeff'
    const text = `${mark}data: 1\r${mark}data\r\revent: e\r${mark}data:2\r\r\n: note\rdata : 3\r\n\r\n`
    const read = splitter.push(Buffer.from(text)).map(({ name, data }) => [name, data])
    expect(read).toEqual([
      ['', '1\n'],
      ['e', '2'],
      ['', ''],
    ])
  })

  test.each([
    ['', '', ':\n\n'],
    ['ping', '', ':\n\n'],
    ['', '[DONE] and more', 'data: [DONE]\n\n'],
    ['e', '{"a":\n1}', 'event: e\ndata: {"a": 1}\n\n'],
    ['', '{"a":"\u2028\u0085\u2029"}', 'data: {"a":"\\u2028\\u0085\\u2029"}\n\n'],
  ])('%j %j is written so that every client reads the same', (name, data, written) => {
    expect(writeEvent(name, data)).toBe(written)
  })

  test('that stops in the middle of an event leaves it as a rest', () => {
    const splitter = new EventSplitter()
    splitter.push(Buffer.from('data: 1\n\ndata: [DO'))
    splitter.push(Buffer.from('NE]\n'))
    expect(splitter.takeRest()?.data).toBe('[DONE]')
    expect(splitter.takeRest()).toBeNull()
  })

  test('whose event never ends is given up after 32 MiB, in time that grows no faster than its length', () => {
    const splitter = new EventSplitter()
    const chunk = Buffer.alloc(16 * 1024, 'x')
    const begun = process.cpuUsage()
    expect(() => {
      for (let i = 0; i < 3_000; i++) splitter.push(chunk)
    }).toThrow('too large')
    // Joining the pieces anew with each chunk would copy 32 GiB here.
    expect(processorMsSince(begun)).toBeLessThan(scaledMs(1_000))
  })
})
