import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { KnownCounts } from './known-counts.js'
import { createTokenCounter, type TokenCounter } from './token-counter.js'

let counter: TokenCounter
beforeAll(async () => {
  counter = await createTokenCounter()
})
afterAll(() => counter.close())

const prose = 'Tally sticks were split in two, so that neither party could alter the count alone.\n'
const nothing = { estimate: 0, bound: 0 }
const counted = { estimate: 600, bound: 700 }

test('a conversation that grows has the counts of its texts, whatever is remembered of it', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.integer({ min: 0, max: 60 }).map((times) => prose.repeat(times)),
    fc.lorem({ mode: 'sentences', maxCount: 30 }),
  )
  const conversation = fc.array(text, { minLength: 10, maxLength: 60 })
  const change = fc.record({ keep: fc.nat(60), further: fc.array(text, { maxLength: 5 }) })
  const tokenizers = fc.constantFrom('o200k' as const, 'claude' as const, 'bytes' as const)
  await fc.assert(
    fc.asyncProperty(
      conversation,
      fc.array(change, { maxLength: 4 }),
      tokenizers,
      async (first, changes, tokenizer) => {
        let texts = first
        for (const { keep, further } of [{ keep: first.length, further: [] }, ...changes]) {
          texts = [...texts.slice(0, keep), ...further]
          expect(await counter.forTenant('org_a').measure(texts, tokenizer)).toEqual(
            await counter.measure(texts, tokenizer),
          )
        }
      },
    ),
    { numRuns: propertyRuns / 5 },
  )
})

describe('what is remembered', () => {
  const texts = ['one two', 'three', ...Array.from({ length: 50 }, (_, i) => `${i}: ${prose}`)]

  function remembered() {
    const known = new KnownCounts()
    const { unknown } = known.addKnown(texts, 'o200k', 'org_a', { ...nothing })
    known.remember(
      unknown,
      unknown.flatMap((group) => group.texts.map(() => counted)),
    )
    return known
  }
  const unknownIn = (
    known: KnownCounts,
    asked: readonly string[],
    tokenizer: 'o200k' | 'claude',
    tenantId: string,
  ) => {
    const total = { ...nothing }
    const { unknown, rest } = known.addKnown(asked, tokenizer, tenantId, total)
    return { texts: [...unknown.flatMap((group) => group.texts), ...rest], total }
  }

  test('is the unchanged beginning: only the texts after it are counted', () => {
    const known = remembered()
    const { texts: further, total } = unknownIn(known, [...texts, 'and then?'], 'o200k', 'org_a')
    expect(further.length).toBeLessThan(30)
    expect(further.at(-1)).toBe('and then?')
    const times = texts.length + 1 - further.length
    expect(total).toEqual({ estimate: 600 * times, bound: 700 * times })
  })

  test('is of one tenant, one tokenizer and exactly these texts', () => {
    const known = remembered()
    expect(unknownIn(known, texts, 'o200k', 'org_b').texts).toEqual(texts)
    expect(unknownIn(known, texts, 'claude', 'org_a').texts).toEqual(texts)
    // The same characters, divided differently.
    const divided = ['one', 'two three', ...texts.slice(2)]
    expect(unknownIn(known, divided, 'o200k', 'org_a').texts.slice(0, 2)).toEqual(divided.slice(0, 2))
  })
})
