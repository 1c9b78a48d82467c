import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Price, Rates } from './price.js'
import { usdFromPrice } from './to-usd.js'
import { priceFromUsd } from './usd.js'

const picos = fc.nat({ max: 1_000_000_000 })
// A price that was read has the cache rates that follow from its others.
const rates: fc.Arbitrary<Rates> = fc.record(
  {
    input: picos,
    output: picos,
    cached: picos,
    written: picos,
    writtenHour: picos,
    audioIn: picos,
    audioOut: picos,
    image: picos,
  },
  { requiredKeys: ['input', 'output', 'cached', 'written', 'writtenHour'] },
)
const longer = fc
  .uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 3 })
  .chain((thresholds) =>
    fc.tuple(
      ...thresholds
        .toSorted((a, b) => a - b)
        .map((aboveInputTokens) => rates.map((each) => ({ aboveInputTokens, rates: each }))),
    ),
  )
const tier = fc.oneof(
  fc.record({ permille: fc.integer({ min: 1, max: 100_000 }) }),
  fc.record({ rates, longer, permille: fc.integer({ min: 1, max: 100_000 }) }, { requiredKeys: ['rates'] }),
)
const price: fc.Arbitrary<Price> = fc.record(
  {
    rates,
    longer,
    tiers: fc.dictionary(fc.constantFrom('batch', 'flex', 'priority'), tier, { minKeys: 1 }),
    fees: fc.dictionary(fc.constantFrom('web_search', 'code'), picos, { minKeys: 1 }),
  },
  { requiredKeys: ['rates'] },
)

test('a price that is shown in USD and read again is the same to the picodollar', () => {
  fc.assert(
    fc.property(price, (each) => {
      expect(priceFromUsd(usdFromPrice(each))).toEqual(each)
    }),
  )
})
