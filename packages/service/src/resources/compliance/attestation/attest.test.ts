import fc from 'fast-check'
import { expect, test } from 'vitest'
import { floorPercent } from './attest.js'

test('a percentage is rounded down to a tenth: only all is 100', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.nat(), (whole, seed) => {
      const part = seed % (whole + 1)
      const pct = floorPercent(part, whole)
      expect(pct === 100).toBe(part === whole)
      expect(Number.isInteger(Number((pct * 10).toFixed(6)))).toBe(true)
      expect(pct / 100).toBeLessThanOrEqual(part / whole + Number.EPSILON)
      expect(part / whole - pct / 100).toBeLessThan(0.0011)
    }),
  )
  expect(floorPercent(0, 0)).toBe(0)
  expect(floorPercent(2, 3)).toBe(66.6)
  expect(floorPercent(999_999, 1_000_000)).toBe(99.9)
})
