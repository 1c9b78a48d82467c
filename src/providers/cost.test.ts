import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Price } from './catalogue/price.js'
import { costNanos, type TokenUsage } from './cost.js'

const picos = fc.integer({ min: 0, max: 1_000_000_000 })
const rates = fc.tuple(picos, picos, picos, picos).map(([a, b, c, outputPicosPerToken]) => {
  const [cacheReadPicosPerToken = 0, inputPicosPerToken = 0, cacheWritePicosPerToken = 0] = [a, b, c].sort(
    (left, right) => left - right,
  )
  return { cacheReadPicosPerToken, inputPicosPerToken, cacheWritePicosPerToken, outputPicosPerToken }
})
const price: fc.Arbitrary<Price> = fc
  .tuple(rates, fc.option(fc.tuple(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1, max: 3 }))))
  .map(([base, long]) => {
    if (long === null) return base
    const [aboveInputTokens, factor] = long
    const dearer = {
      inputPicosPerToken: base.inputPicosPerToken * factor,
      outputPicosPerToken: base.outputPicosPerToken * factor,
      cacheReadPicosPerToken: base.cacheReadPicosPerToken * factor,
      cacheWritePicosPerToken: base.cacheWritePicosPerToken * factor,
    }
    return { ...base, longContext: { aboveInputTokens, ...dearer } }
  })
const tokens = fc.integer({ min: 0, max: 5_000_000 })
const anyUsage: fc.Arbitrary<TokenUsage> = fc.record({
  inputTokens: tokens,
  cachedTokens: tokens,
  cacheWriteTokens: tokens,
  outputTokens: tokens,
})
const possibleUsage = anyUsage.map((usage) => ({
  ...usage,
  inputTokens: usage.inputTokens + usage.cachedTokens + usage.cacheWriteTokens,
}))

function exactPicos(price: Price, usage: TokenUsage): bigint {
  const isLong = price.longContext !== undefined && usage.inputTokens > price.longContext.aboveInputTokens
  const rates = isLong && price.longContext ? price.longContext : price
  const plain = usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens
  const parts: [number, number][] = [
    [plain, rates.inputPicosPerToken],
    [usage.cachedTokens, rates.cacheReadPicosPerToken],
    [usage.cacheWriteTokens, rates.cacheWritePicosPerToken],
    [usage.outputTokens, rates.outputPicosPerToken],
  ]
  return parts.reduce((sum, [count, rate]) => sum + BigInt(count) * BigInt(rate), 0n)
}

const sonnet: Price = {
  inputPicosPerToken: 3_000_000,
  outputPicosPerToken: 15_000_000,
  cacheReadPicosPerToken: 300_000,
  cacheWritePicosPerToken: 3_750_000,
}

describe('costNanos', () => {
  it('prices what the cache keeps for an hour at twice the input', () => {
    const usage = { inputTokens: 1_000, cachedTokens: 0, cacheWriteTokens: 1_000, outputTokens: 0 }
    expect(costNanos(sonnet, usage)).toBe(3_750)
    expect(costNanos(sonnet, { ...usage, hourCacheWriteTokens: 400 })).toBe(600 * 3.75 + 400 * 6)
    expect(costNanos(sonnet, { ...usage, hourCacheWriteTokens: 5_000 })).toBe(6_000)
  })

  it('prices plain input, cache reads, cache writes and output each at their own rate', () => {
    const usage = { inputTokens: 1_000, cachedTokens: 600, cacheWriteTokens: 100, outputTokens: 50 }
    expect(costNanos(sonnet, usage)).toBe(300 * 3 + 600 * 0.3 + 100 * 3.75 + 50 * 15)
  })

  it('is never below the exact price and less than one micro-dollar above it', () => {
    fc.assert(
      fc.property(price, possibleUsage, (price, usage) => {
        const recorded = BigInt(costNanos(price, usage)) * 1_000_000n
        const exact = exactPicos(price, usage)
        expect(recorded >= exact && recorded < exact + 1_000_000n).toBe(true)
      }),
    )
  })

  it('never falls when there are more tokens of input, of cache writes or of output', () => {
    const grows = fc.constantFrom('inputTokens', 'cacheWriteTokens', 'outputTokens')
    fc.assert(
      fc.property(price, anyUsage, grows, tokens, (price, usage, count, more) => {
        const larger = { ...usage, [count]: usage[count] + more }
        expect(costNanos(price, larger)).toBeGreaterThanOrEqual(costNanos(price, usage))
      }),
    )
  })

  it('never rises when more of the same input came from the cache', () => {
    fc.assert(
      fc.property(price, anyUsage, tokens, (price, usage, more) => {
        const larger = { ...usage, cachedTokens: usage.cachedTokens + more }
        expect(costNanos(price, larger)).toBeLessThanOrEqual(costNanos(price, usage))
      }),
    )
  })

  it('charges a whole micro-dollar for a call that costs a millionth of one', () => {
    const cheapest = { ...sonnet, inputPicosPerToken: 1 }
    expect(
      costNanos(cheapest, { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }),
    ).toBe(1)
  })

  it('charges the whole call at the long-context rates once the input passes the threshold', () => {
    const long = { ...sonnet, inputPicosPerToken: 6_000_000, outputPicosPerToken: 22_500_000 }
    const price = { ...sonnet, longContext: { aboveInputTokens: 200_000, ...long } }
    const usage = { inputTokens: 200_000, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 10 }
    expect(costNanos(price, usage)).toBe(600_000 + 150)
    expect(costNanos(price, { ...usage, inputTokens: 200_001 })).toBe(1_200_006 + 225)
  })

  it('believes the input total, and the dearer part first, when the parts exceed it', () => {
    const usage = { inputTokens: 100, cachedTokens: 500, cacheWriteTokens: 40, outputTokens: 0 }
    expect(costNanos(sonnet, usage)).toBe(40 * 3.75 + 60 * 0.3)
  })

  it('survives counts that are no counts', () => {
    const usage = { inputTokens: Number.NaN, cachedTokens: -5, cacheWriteTokens: 0.5, outputTokens: 1.2 }
    expect(costNanos(sonnet, usage)).toBe(2 * 15)
    expect(costNanos(sonnet, { ...usage, outputTokens: Number.POSITIVE_INFINITY })).toBe(
      Number.MAX_SAFE_INTEGER,
    )
  })
})
