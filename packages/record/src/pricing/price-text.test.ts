import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyPrice } from '../../../../test/harness/service/prices.js'
import { canonicalPrice, priceHash, readPrice } from './price-text.js'

const rates = { input: 1, output: 2 }

describe('a price as text', () => {
  it('is the same for the same price, however its members are ordered', () => {
    const price = { rates: { output: 2, input: 1 }, fees: { b: 1, a: 0 } }
    expect(canonicalPrice(price)).toBe('{"fees":{"a":0,"b":1},"rates":{"input":1,"output":2}}')
    expect(priceHash(price)).toBe(createHash('sha256').update(canonicalPrice(price)).digest('hex'))
    expect(priceHash({ rates })).not.toBe(priceHash({ rates: { input: 2, output: 1 } }))
  })

  it('can be read again', () => {
    fc.assert(
      fc.property(anyPrice, (price) => {
        expect(readPrice(JSON.parse(canonicalPrice(price)))).toEqual(price)
      }),
    )
  })
})

describe('readPrice', () => {
  it.each([
    ['nothing', null],
    ['a list', []],
    ['no rates', {}],
    ['rates without output', { rates: { input: 1 } }],
    ['a rate that is no number', { rates: { ...rates, cached: '1' } }],
    ['a fraction', { rates: { ...rates, cached: 0.5 } }],
    ['less than nothing', { rates: { ...rates, input: -1 } }],
    ['more than an integer holds', { rates: { ...rates, input: 2 ** 53 } }],
    ['an unknown kind', { rates: { ...rates, video: 1 } }],
    ['an unknown member', { rates, currency: 'EUR' }],
    [
      'thresholds out of order',
      { rates, longer: [2, 1].map((aboveInputTokens) => ({ aboveInputTokens, rates })) },
    ],
    [
      'the same threshold twice',
      { rates, longer: [1, 1].map((aboveInputTokens) => ({ aboveInputTokens, rates })) },
    ],
    ['a threshold without rates', { rates, longer: [{ aboveInputTokens: 1 }] }],
    ['a tier of nothing', { rates, tiers: { flex: null } }],
    [
      'a tier with a threshold but no rates',
      { rates, tiers: { flex: { longer: [{ aboveInputTokens: 1, rates }] } } },
    ],
    ['a tier with an unknown member', { rates, tiers: { flex: { factor: 2 } } }],
    ['a tier whose name joins two', { rates, tiers: { 'fast+us': { permille: 1 } } }],
    ['fees that are no amounts', { rates, fees: { web_search: null } }],
  ])('refuses %s', (_, json) => {
    expect(readPrice(json)).toBeNull()
  })

  it('takes a price with all that it can have', () => {
    const longer = [{ aboveInputTokens: 5, rates }]
    const price = {
      rates,
      longer,
      tiers: { flex: { rates, longer, permille: 500 } },
      fees: { web_search: 1 },
    }
    expect(readPrice(price)).toEqual(price)
  })
})
