import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CollectedBytes, joinChunks } from './collected-bytes.js'

const chunks = fc.array(
  fc
    .tuple(fc.uint8Array({ maxLength: 900 }), fc.nat(100))
    .map(([bytes, times]) => Buffer.from(bytes.join().repeat(times))),
)

test('bytes are joined in order, however they are chunked', () => {
  fc.assert(
    fc.property(chunks, fc.nat(200_000), fc.boolean(), (pieces, announced, isTrue) => {
      const bytes = new CollectedBytes(isTrue ? Buffer.concat(pieces).length : announced)
      for (const piece of pieces) bytes.add(piece)
      const whole = Buffer.concat(pieces)
      expect(bytes.size).toBe(whole.length)
      expect(bytes.take().equals(whole)).toBe(true)
      expect(bytes.size).toBe(0)
    }),
  )
})

test('a reader gets the same bytes in fewer chunks', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, async (pieces) => {
      const joined = await buffer(joinChunks(Readable.from(pieces, { objectMode: false })))
      expect(joined.equals(Buffer.concat(pieces))).toBe(true)
    }),
  )
  const single = Array.from({ length: 100_000 }, () => Buffer.from('a'))
  let count = 0
  for await (const _ of joinChunks(Readable.from(single, { objectMode: false }))) count++
  expect(count).toBeLessThan(50)
})
