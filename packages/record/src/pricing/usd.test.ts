import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { picosFromUsd, priceFromUsd } from './usd.js'

describe('priceFromUsd', () => {
  it('converts every amount of whole picos exactly, where float multiplication would not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (picos) => {
        const digits = String(picos).padStart(7, '0')
        const usd = Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`)
        expect(priceFromUsd({ inputUsdPerMTok: usd }).rates.input).toBe(picos)
      }),
    )
  })

  it('takes the input rate for a cache without a discount, and twice the input for what is kept an hour', () => {
    expect(priceFromUsd({ inputUsdPerMTok: 2.5, outputUsdPerMTok: 10 })).toEqual({
      rates: { input: 2_500_000, output: 10_000_000, cached: 2_500_000 },
    })
    expect(
      priceFromUsd({ inputUsdPerMTok: 3, outputUsdPerMTok: 15, cacheWriteUsdPerMTok: 3.75 }).rates,
    ).toEqual({
      input: 3_000_000,
      output: 15_000_000,
      cached: 3_000_000,
      written: 3_750_000,
      writtenHour: 6_000_000,
    })
  })

  it('carries audio, images, longer input, tiers and fees', () => {
    const price = priceFromUsd({
      inputUsdPerMTok: 2,
      outputUsdPerMTok: 12,
      audioInputUsdPerMTok: 32,
      audioOutputUsdPerMTok: 64,
      imageUsd: 0.039,
      longer: [
        { aboveInputTokens: 200_000, inputUsdPerMTok: 4, outputUsdPerMTok: 18, cacheReadUsdPerMTok: 0.4 },
      ],
      tiers: { priority: { inputUsdPerMTok: 3, outputUsdPerMTok: 20 }, us: { factor: 1.1 } },
      feesUsd: { web_search: 0.01, web_fetch: 0 },
    })
    expect(price).toEqual({
      rates: {
        input: 2_000_000,
        output: 12_000_000,
        cached: 2_000_000,
        audioIn: 32_000_000,
        audioOut: 64_000_000,
        image: 39_000_000_000,
      },
      longer: [
        { aboveInputTokens: 200_000, rates: { input: 4_000_000, output: 18_000_000, cached: 400_000 } },
      ],
      tiers: {
        priority: { rates: { input: 3_000_000, output: 20_000_000, cached: 3_000_000 } },
        us: { permille: 1_100 },
      },
      fees: { web_search: 10_000_000_000, web_fetch: 0 },
    })
  })

  it.each([
    [0.0000001, 'input price 1e-7 has more than 6 decimal places'],
    [-1, 'input price -1 is not an amount'],
    [Number.NaN, 'input price NaN is not an amount'],
    [1e300, 'input price 1e+300 is too large'],
  ])('refuses %d in words', (usd, message) => {
    expect(() => priceFromUsd({ inputUsdPerMTok: usd })).toThrow(message)
  })

  it('says where in the price the fault is', () => {
    const longer = [{ aboveInputTokens: 5, inputUsdPerMTok: -1 }]
    const make = (more: object) => () => priceFromUsd({ inputUsdPerMTok: 1, ...more })
    expect(make({ tiers: { flex: { inputUsdPerMTok: 1, longer } } })).toThrow(
      'tier flex: above 5 tokens: input price -1',
    )
    expect(make({ tiers: { us: { factor: 1.0001 } } })).toThrow('tier us: factor 1.0001 has more than 3')
    expect(make({ tiers: { us: {} } })).toThrow('tier us: has neither rates nor a factor')
    expect(make({ tiers: { us: { outputUsdPerMTok: 1 } } })).toThrow('tier us: has neither rates')
    expect(make({ feesUsd: { web_search: -1 } })).toThrow('fee of web_search -1')
    expect(
      make({ longer: [7, 7].map((aboveInputTokens) => ({ aboveInputTokens, inputUsdPerMTok: 1 })) }),
    ).toThrow('thresholds of longer input must ascend')
  })
})

describe('picosFromUsd', () => {
  it('reads scientific notation exactly', () => {
    expect([1.5e-7, 2.8e-9, 3.625e-9, 0.00001875].map((usd) => picosFromUsd('rate', usd))).toEqual([
      150_000, 2_800, 3_625, 18_750_000,
    ])
  })
})
