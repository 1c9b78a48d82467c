import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCounts, anyPrice, anyTier, tokens } from '../../../../test/harness/service/prices.js'
import { costLines, costNanos, unpricedKinds } from './cost.js'
import type { Counts } from './counts.js'
import type { Price, Rates } from './price.js'

const sonnet: Price = {
  rates: {
    input: 3_000_000,
    output: 15_000_000,
    cached: 300_000,
    written: 3_750_000,
    writtenHour: 6_000_000,
  },
  fees: { web_search: 10_000_000_000, web_fetch: 0 },
}
const voice: Price = {
  rates: {
    input: 2_500_000,
    output: 10_000_000,
    cached: 1_250_000,
    audioIn: 32_000_000,
    audioOut: 64_000_000,
  },
}
const mini: Rates = { input: 150_000, output: 600_000, cached: 75_000 }

describe('costNanos', () => {
  it('prices each kind of token at its own rate', () => {
    const counts = { input: 1_000, cached: 600, written: 100, writtenHour: 40, output: 50, reasoning: 20 }
    expect(costNanos(sonnet, counts, null)).toBe(
      300 * 3_000 + 600 * 300 + 60 * 3_750 + 40 * 6_000 + 50 * 15_000,
    )
    expect(costNanos(voice, { input: 100, audioIn: 30, output: 50, audioOut: 20 }, null)).toBe(
      70 * 2_500 + 30 * 32_000 + 30 * 10_000 + 20 * 64_000,
    )
  })

  it('is never below the exact price and less than a nano-dollar above it', () => {
    fc.assert(
      fc.property(anyPrice, anyCounts, (price, counts) => {
        const cost = BigInt(costNanos({ rates: price.rates }, { ...counts, tools: {} }, null)) * 1_000n
        const exact = exactPicos(price.rates, counts)
        expect(cost >= exact && cost < exact + 1_000n).toBe(true)
      }),
    )
  })

  it('charges a whole nano-dollar for a call that costs a thousandth of one', () => {
    expect(costNanos({ rates: { input: 1, output: 1 } }, { input: 1 }, null)).toBe(1)
  })

  it('never falls when more is used', () => {
    const grows = fc.constantFrom('input', 'output', 'images')
    fc.assert(
      fc.property(anyPrice, anyCounts, grows, tokens, ({ longer: _, ...price }, counts, kind, more) => {
        const larger = { ...counts, [kind]: counts[kind] + more }
        expect(costNanos(price, larger, null)).toBeGreaterThanOrEqual(costNanos(price, counts, null))
      }),
    )
  })

  it('charges the whole call at the last rates whose threshold its input passes', () => {
    const price: Price = {
      rates: mini,
      longer: [
        { aboveInputTokens: 128_000, rates: { input: 300_000, output: 1_200_000 } },
        { aboveInputTokens: 256_000, rates: { input: 600_000, output: 2_400_000 } },
      ],
    }
    expect(costNanos(price, { input: 128_000, output: 10 }, null)).toBe(128_000 * 150 + 10 * 600)
    expect(costNanos(price, { input: 128_001, output: 10 }, null)).toBe(128_001 * 300 + 10 * 1_200)
    expect(costNanos(price, { input: 256_001, output: 10 }, null)).toBe(256_001 * 600 + 10 * 2_400)
  })

  it('believes the totals, and the most expensive parts first, when the parts exceed them', () => {
    expect(costNanos(sonnet, { input: 100, cached: 500, written: 40 }, null)).toBe(40 * 3_750 + 60 * 300)
    expect(costNanos(sonnet, { input: 100, written: 70, writtenHour: 900 }, null)).toBe(
      70 * 6_000 + 30 * 3_000,
    )
    expect(costNanos(voice, { input: 100, cached: 90, audioIn: 80, output: 5, audioOut: 9 }, null)).toBe(
      80 * 32_000 + 20 * 1_250 + 5 * 64_000,
    )
  })

  it('survives counts that are no counts', () => {
    const counts = { input: Number.NaN, cached: -5, written: 0.5, output: 1.2, tools: { web_search: -1 } }
    expect(costNanos(sonnet, counts, null)).toBe(2 * 15_000)
    expect(costNanos(sonnet, { output: Number.POSITIVE_INFINITY }, null)).toBe(Number.MAX_SAFE_INTEGER)
    expect(costNanos(sonnet, { tools: { web_search: Number.MAX_VALUE } }, null)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('adds the fee for each use of a hosted tool, and nothing for one that is free', () => {
    expect(costNanos(sonnet, { input: 1, tools: { web_search: 3, web_fetch: 9 } }, null)).toBe(
      3_000 + 30_000_000,
    )
  })

  it('prices images that the model put out', () => {
    expect(costNanos({ rates: { ...mini, image: 39_000_000_000 } }, { images: 2 }, null)).toBe(78_000_000)
  })
})

describe('tiers', () => {
  const price: Price = {
    rates: mini,
    longer: [{ aboveInputTokens: 1_000, rates: { input: 300_000, output: 1_200_000 } }],
    tiers: {
      priority: { rates: { input: 250_000, output: 1_000_000 } },
      flex: {
        rates: { input: 75_000, output: 300_000 },
        longer: [{ aboveInputTokens: 1_000, rates: { input: 150_000, output: 600_000 } }],
      },
      us: { permille: 1_100 },
      fast: { permille: 6_000 },
    },
    fees: { web_search: 10_000_000_000 },
  }

  it('replaces the rates, and those for longer input with its own', () => {
    expect(costNanos(price, { input: 10, output: 10 }, 'priority')).toBe(2_500 + 10_000)
    expect(costNanos(price, { input: 2_000 }, 'priority')).toBe(2_000 * 250)
    expect(costNanos(price, { input: 2_000 }, 'flex')).toBe(2_000 * 150)
  })

  it('multiplies the rates, not the fees, and rounds once', () => {
    expect(costNanos(price, { input: 1, tools: { web_search: 1 } }, 'us')).toBe(165 + 10_000_000)
    expect(
      costNanos({ rates: { input: 1, output: 1 }, tiers: { us: { permille: 1_100 } } }, { input: 910 }, 'us'),
    ).toBe(2)
    expect(costNanos(price, { input: 2_000 }, 'us')).toBe(2_000 * 330)
  })

  it('joins several by a plus, in any order, and counts none twice', () => {
    expect(costNanos(price, { input: 100 }, 'fast+us')).toBe(100 * 150 * 6.6)
    expect(costNanos(price, { input: 100 }, 'us+priority')).toBe(100 * 275)
    expect(costNanos(price, { input: 100 }, 'us+us')).toBe(100 * 165)
  })

  it('prices a tier that it does not know as the most expensive one', () => {
    expect(costNanos(price, { input: 100 }, 'scale')).toBe(100 * 900)
    expect(costNanos(price, { input: 100 }, 'scale+us')).toBe(100 * 990)
    expect(costNanos(price, { input: 100 }, 'toString')).toBe(100 * 900)
    expect(costNanos({ rates: mini }, { input: 100 }, 'scale')).toBe(100 * 150)
  })
})

describe('what the price does not name', () => {
  it('is priced at the highest rate of its direction', () => {
    expect(costNanos({ rates: { input: 2_000, output: 9_000 } }, { input: 10, cached: 10 }, null)).toBe(20)
    expect(costNanos(voice, { input: 10, written: 10 }, null)).toBe(10 * 2_500)
    expect(costNanos({ rates: { ...mini, written: 187_500 } }, { input: 10, audioIn: 10 }, null)).toBe(1_875)
    expect(costNanos({ rates: mini }, { output: 10, audioOut: 10 }, null)).toBe(6_000)
  })

  it('costs the highest fee, and without any fee as much as 10,000 tokens', () => {
    expect(costNanos(sonnet, { tools: { shell: 1 } }, null)).toBe(10_000_000)
    expect(costNanos({ rates: mini }, { tools: { shell: 2 } }, null)).toBe(2 * 10_000 * 600)
    expect(costNanos({ rates: mini }, { images: 1 }, null)).toBe(10_000 * 600)
    expect(costNanos({ rates: mini, fees: { a: 1_000 } }, { tools: { constructor: 1 } }, null)).toBe(1)
  })

  it('is told', () => {
    const counts: Counts = {
      input: 10,
      cached: 1,
      written: 1,
      writtenHour: 1,
      audioIn: 1,
      output: 9,
      audioOut: 1,
      images: 1,
      tools: { web_search: 1, shell: 1, unused: 0 },
    }
    expect(unpricedKinds(sonnet, counts, 'fast+us')).toEqual([
      'audioIn',
      'audioOut',
      'images',
      'tools.shell',
      'tier.fast',
      'tier.us',
    ])
    expect(unpricedKinds(voice, { input: 5, audioIn: 2, output: 3 }, null)).toEqual([])
  })
})

describe('costLines', () => {
  it('names each kind that was used, its number without the others, and its rate', () => {
    const counts = { input: 1_000, cached: 600, output: 50, tools: { web_search: 2, web_fetch: 0 } }
    expect(costLines(sonnet, counts, null)).toEqual([
      { kind: 'input', count: 400, picosEach: 3_000_000, picos: 1_200_000_000 },
      { kind: 'cached', count: 600, picosEach: 300_000, picos: 180_000_000 },
      { kind: 'output', count: 50, picosEach: 15_000_000, picos: 750_000_000 },
      { kind: 'tools.web_search', count: 2, picosEach: 10_000_000_000, picos: 20_000_000_000 },
    ])
  })

  it('adds up to the cost, in any tier', () => {
    fc.assert(
      fc.property(anyPrice, anyCounts, anyTier, (price, counts, tier) => {
        const picos = costLines(price, counts, tier).reduce((sum, line) => sum + line.picos, 0)
        const cost = costNanos(price, counts, tier)
        // Doubles hold 15 digits of a sum.
        expect(Math.abs(cost - picos / 1_000)).toBeLessThanOrEqual(1 + cost * 1e-12)
      }),
    )
  })
})

function exactPicos(price: Rates, counts: Counts): bigint {
  const rates = withEveryKind(price)
  const {
    input = 0,
    cached = 0,
    written = 0,
    writtenHour = 0,
    audioIn = 0,
    output = 0,
    audioOut = 0,
  } = counts
  const parts: [number, number][] = [
    [input - cached - written - audioIn, rates.input],
    [cached, rates.cached],
    [written - writtenHour, rates.written],
    [writtenHour, rates.writtenHour],
    [audioIn, rates.audioIn],
    [output - audioOut, rates.output],
    [audioOut, rates.audioOut],
    [counts.images ?? 0, rates.image],
  ]
  return parts.reduce((sum, [count, rate]) => sum + BigInt(count) * BigInt(rate), 0n)
}

function withEveryKind(rates: Rates): Required<Rates> {
  const text = Math.max(rates.input, rates.cached ?? 0, rates.written ?? 0, rates.writtenHour ?? 0)
  const kinds = {
    cached: text,
    written: text,
    writtenHour: text,
    audioIn: text,
    audioOut: rates.output,
    ...rates,
  }
  const image = 10_000 * Math.max(text, kinds.audioIn, kinds.output, kinds.audioOut)
  return { image, ...kinds }
}
