import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commitTo, commitYielding, newCommitmentKey } from './commitment.js'

const hmacOf = (key: Buffer, bytes: Buffer) => createHmac('sha256', key).update(bytes).digest('hex')

test('a commitment is an HMAC, however long the body is', async () => {
  const limit = 16 * 1024
  const anyLength = fc.oneof(
    fc.nat(300),
    fc.integer({ min: limit - 2, max: limit + 2 }),
    fc.nat(3 * 1024 * 1024),
  )
  await fc.assert(
    fc.asyncProperty(anyLength, fc.nat(255), async (length, byte) => {
      const key = newCommitmentKey()
      const bytes = Buffer.alloc(length, byte)
      const expected = hmacOf(key, bytes)
      expect(commitTo(key, bytes)).toBe(expected)
      expect(await commitYielding(key, bytes, async () => undefined)).toBe(expected)
    }),
  )
})
