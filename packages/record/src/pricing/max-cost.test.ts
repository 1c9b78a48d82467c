import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/harness/run/property-runs.js'
import { anyCounts, anyPrice, anyTier, tokens } from '../../../../test/harness/service/prices.js'
import { costNanos } from './cost.js'
import type { Counts } from './counts.js'
import { type CostBound, maxCostNanos } from './max-cost.js'
import type { Price } from './price.js'

const sonnet: Price = {
  rates: {
    input: 3_000_000,
    output: 15_000_000,
    cached: 300_000,
    written: 3_750_000,
    writtenHour: 6_000_000,
  },
  longer: [{ aboveInputTokens: 200_000, rates: { input: 6_000_000, output: 22_500_000 } }],
  tiers: { fast: { permille: 6_000 } },
  fees: { web_search: 10_000_000_000 },
}
const plain: CostBound = { input: 1_000, output: 100, mayWriteHour: false, tools: {} }

/** Some counts that stay within the bound: each is a share of it. */
const share = fc.double({ min: 0, max: 1, noNaN: true })
const anyShares = fc.tuple(share, share, share, share, share, share, share, share, share)

function within(bound: CostBound, shares: readonly number[]): Counts {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = shares
  const part = (of: number, by: number) => Math.floor(of * by)
  const input = part(bound.input, a)
  const written = part(input, b)
  const output = part(bound.output, f)
  return {
    input,
    written,
    writtenHour: bound.mayWriteHour ? part(written, c) : 0,
    cached: part(input, d),
    audioIn: part(Math.min(bound.audioIn ?? 0, input), e),
    output,
    audioOut: part(Math.min(bound.audioOut ?? 0, output), g),
    images: part(bound.images ?? 0, h),
    tools: Object.fromEntries(Object.entries(bound.tools).map(([tool, uses]) => [tool, part(uses, i)])),
  }
}

const anyBound: fc.Arbitrary<CostBound> = fc
  .tuple(anyCounts, fc.boolean())
  .map(([{ input, audioIn, output, audioOut, images, tools }, mayWriteHour]) => {
    return { input, audioIn, output, audioOut, images, mayWriteHour, tools }
  })

describe('maxCostNanos', () => {
  it('is not passed by any call within the bound, in any of the tiers', () => {
    const anyTiers = fc.array(anyTier, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(anyPrice, anyBound, anyTiers, anyShares, fc.nat(), (price, bound, tiers, shares, at) => {
        const tier = tiers[at % tiers.length] ?? null
        expect(costNanos(price, within(bound, shares), tier)).toBeLessThanOrEqual(
          maxCostNanos(price, bound, tiers),
        )
      }),
      { numRuns: 10 * propertyRuns },
    )
  })

  it('never falls when the output grows', () => {
    fc.assert(
      fc.property(anyPrice, anyBound, anyTier, tokens, (price, bound, tier, more) => {
        const longer = { ...bound, output: bound.output + more }
        expect(maxCostNanos(price, longer, [tier])).toBeGreaterThanOrEqual(maxCostNanos(price, bound, [tier]))
      }),
    )
  })

  it('takes all input for written to the cache, for an hour only where the call may ask for that', () => {
    expect(maxCostNanos(sonnet, plain, [null])).toBe(1_000 * 3_750 + 100 * 15_000)
    expect(maxCostNanos(sonnet, { ...plain, mayWriteHour: true }, [null])).toBe(1_000 * 6_000 + 100 * 15_000)
  })

  it('takes the rates of longer input once the bound can reach them', () => {
    expect(maxCostNanos(sonnet, { ...plain, input: 200_000 }, [null])).toBe(200_000 * 3_750 + 100 * 15_000)
    expect(maxCostNanos(sonnet, { ...plain, input: 200_001 }, [null])).toBe(200_001 * 6_000 + 100 * 22_500)
  })

  it('takes the most expensive of the tiers, and adds the fees as they are', () => {
    const bound = { ...plain, tools: { web_search: 2 } }
    expect(maxCostNanos(sonnet, bound, [null, 'fast'])).toBe(6 * (1_000 * 3_750 + 100 * 15_000) + 20_000_000)
  })

  it('is zero for a model that costs nothing', () => {
    const free = { rates: { input: 0, output: 0 } }
    expect(maxCostNanos(free, { ...plain, tools: { web_search: 9 } }, [null, 'priority'])).toBe(0)
  })
})
