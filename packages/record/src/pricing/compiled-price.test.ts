import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/run/property-runs.js'
import { anyCounts, anyPrice, anyTier } from '../../../../test/harness/service/prices.js'
import { compilePrice } from './compiled-price.js'
import { costNanos, exactCostNanos } from './cost.js'
import type { Counts } from './counts.js'
import { exactMaxCostNanos, maxCostNanos } from './max-cost.js'

// From counts of ordinary calls to counts whose cost does not fit into a number.
const anyScale = fc.constantFrom(1, 1_000, 1e6, 1e9, 1e12)
const anyShuffledCounts = fc.tuple(anyCounts, anyCounts, anyScale).map(
  // Parts of other counts may exceed these totals.
  ([{ input, output }, parts, scale]): Counts & { tools: Record<string, number> } => ({
    ...parts,
    input: input * scale,
    output: output * scale,
    cached: parts.cached * scale,
    images: parts.images * scale,
  }),
)
const runs = { numRuns: 10 * propertyRuns }

test('numbers and BigInts give the same cost', () => {
  fc.assert(
    fc.property(anyPrice, anyShuffledCounts, anyTier, (price, counts, tier) => {
      expect(costNanos(price, counts, tier)).toBe(exactCostNanos(compilePrice(price), counts, tier))
    }),
    runs,
  )
})

test('numbers and BigInts give the same highest cost', () => {
  fc.assert(
    fc.property(anyPrice, anyShuffledCounts, anyTier, fc.boolean(), (price, counts, tier, mayWriteHour) => {
      const { input = 0, output = 0, audioIn, audioOut, images, tools } = counts
      const bound = { input, output, mayWriteHour, tools, audioIn: audioIn ?? 0, audioOut: audioOut ?? 0 }
      const tiers = [null, tier]
      const full = { ...bound, images: images ?? 0 }
      expect(maxCostNanos(price, full, tiers)).toBe(exactMaxCostNanos(compilePrice(price), full, tiers))
    }),
    runs,
  )
})

test('a price is compiled once', () => {
  const price = { rates: { input: 1, output: 2 } }
  expect(compilePrice(price)).toBe(compilePrice(price))
  expect(compilePrice(price).schedulesOf('fast')).toBe(compilePrice(price).schedulesOf('fast'))
})
