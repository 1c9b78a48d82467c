import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceFromUsdPerMTok, ratesFromUsdPerToken } from './price.js'

describe('priceFromUsdPerMTok', () => {
  it('converts every amount of whole picos exactly, where float multiplication would not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (picos) => {
        const digits = String(picos).padStart(7, '0')
        const usd = Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`)
        expect(priceFromUsdPerMTok({ inputUsdPerMTok: usd }).inputPicosPerToken).toBe(picos)
      }),
    )
  })

  it('takes the input price for a cache price that is unknown', () => {
    expect(priceFromUsdPerMTok({ inputUsdPerMTok: 2.5, outputUsdPerMTok: 10 })).toEqual({
      inputPicosPerToken: 2_500_000,
      outputPicosPerToken: 10_000_000,
      cacheReadPicosPerToken: 2_500_000,
      cacheWritePicosPerToken: 2_500_000,
    })
  })

  it('carries the long-context rates with their threshold', () => {
    const longContext = {
      aboveInputTokens: 200_000,
      inputUsdPerMTok: 4,
      outputUsdPerMTok: 18,
      cacheReadUsdPerMTok: 0.4,
    }
    expect(
      priceFromUsdPerMTok({ inputUsdPerMTok: 2, outputUsdPerMTok: 12, longContext }).longContext,
    ).toEqual({
      aboveInputTokens: 200_000,
      inputPicosPerToken: 4_000_000,
      outputPicosPerToken: 18_000_000,
      cacheReadPicosPerToken: 400_000,
      cacheWritePicosPerToken: 4_000_000,
    })
  })

  it.each([
    [0.0000001, 'input price 1e-7 is finer than 1e-12 USD per token'],
    [-1, 'input price -1 is not a number of dollars'],
    [Number.NaN, 'input price NaN is not a number of dollars'],
    [1e300, 'input price 1e+300 is too large'],
  ])('refuses %d in words', (usd, message) => {
    expect(() => priceFromUsdPerMTok({ inputUsdPerMTok: usd })).toThrow(message)
  })
})

describe('ratesFromUsdPerToken', () => {
  it('reads scientific notation exactly', () => {
    expect(
      ratesFromUsdPerToken({ input: 1.5e-7, output: 2.8e-9, cacheRead: 3.625e-9, cacheWrite: 0.00001875 }),
    ).toEqual({
      inputPicosPerToken: 150_000,
      outputPicosPerToken: 2_800,
      cacheReadPicosPerToken: 3_625,
      cacheWritePicosPerToken: 18_750_000,
    })
  })
})
