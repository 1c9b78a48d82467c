import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { boundByBytes } from './byte-bound.js'
import { createTokenCounter, type TokenCounter } from './token-counter.js'

let counter: TokenCounter
beforeAll(async () => {
  counter = await createTokenCounter()
})
afterAll(() => counter.close())

// U+FDFA has 3 bytes, and 33 once it is normalised.
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-ascii' }),
  fc
    .array(fc.constantFrom('\ufdfa', '\ud800', '漢', 'é', 'a', ' '), { maxLength: 40 })
    .map((parts) => parts.join('')),
)

test.each(['o200k', 'cl100k', 'claude', 'bytes'] as const)(
  'texts never have more tokens than this, nor are expected to have: %s',
  async (tokenizer) => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (texts) => {
        const counted = await counter.measure(texts, tokenizer)
        const { estimate, bound } = boundByBytes(texts, tokenizer)
        expect(bound).toBeGreaterThanOrEqual(counted.bound)
        expect(estimate).toBeGreaterThanOrEqual(counted.estimate)
      }),
      { numRuns: propertyRuns },
    )
  },
)
