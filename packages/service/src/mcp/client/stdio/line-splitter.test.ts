import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter } from './line-splitter.js'

const maxBytes = 20
const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', '"'), maxLength: 20 })

test('lines are the same however their chunks fall, and those that are too long are told apart', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(), { maxLength: 12 }), (lines, places) => {
      const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(''))
      const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
        (a, b) => a - b,
      )
      const splitter = new LineSplitter(maxBytes)
      const seen = cuts.slice(1).flatMap((end, i) => splitter.push(bytes.subarray(cuts[i], end)))
      expect(seen).toHaveLength(lines.length)
      for (const [i, each] of seen.entries()) {
        const expected = Buffer.from(lines[i] ?? '')
        if (expected.length <= maxBytes) expect(each).toEqual({ line: expected })
        else expect(each).toHaveProperty('tooLong')
      }
    }),
  )
})

test('of a line that is too long, its beginning and its end are kept', () => {
  const splitter = new LineSplitter(1_000)
  const chunks = ['{"id":1,', ...Array.from({ length: 50 }, () => 'x'.repeat(1_000)), '"id":2}\nnext\n']
  const [long, next] = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)))
  expect(long).toMatchObject({ tooLong: expect.stringMatching(/^\{"id":1,x+ x+"id":2\}$/) })
  expect(next).toEqual({ line: Buffer.from('next') })
})

test('a line without an end is not read on for ever', () => {
  const splitter = new LineSplitter(1_000)
  expect(() => {
    for (let i = 0; i < 1_000; i++) splitter.push(Buffer.alloc(1_000, 'x'))
  }).toThrow('does not end')
})
