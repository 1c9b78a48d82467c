import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RollingWindow } from './rolling-window.js'

it('holds at most one bucket per millisecond, whatever the traffic', () => {
  const window = new RollingWindow(100)
  for (let eighth = 0; eighth < 8 * 1_000; eighth++) {
    const nowMs = eighth / 8
    window.prune(nowMs)
    window.add(nowMs, 1)
    expect(window.bucketCount).toBeLessThanOrEqual(101)
  }
  expect(window.total).toBeGreaterThanOrEqual(800)
  expect(window.total).toBeLessThan(808)
})

it('keeps its sum while it grows, empties and grows again', () => {
  const window = new RollingWindow(500)
  for (let round = 0; round < 5; round++) {
    const startMs = round * 10_000
    for (let ms = 0; ms < 500; ms++) {
      window.prune(startMs + ms)
      window.add(startMs + ms, ms)
    }
    expect(window.total).toBe((499 * 500) / 2)
    window.prune(startMs + 500 + 249)
    expect(window.bucketCount).toBe(250)
    window.prune(startMs + 999)
    expect(window.total).toBe(0)
  }
})

it('frees its end at once when everything is given back', () => {
  const window = new RollingWindow(60_000)
  for (let ms = 0; ms < 1_000; ms++) window.add(ms, 5)
  for (let ms = 0; ms < 1_000; ms++) window.add(ms, -5)
  expect(window.bucketCount).toBe(0)
  expect(window.resetMs(1_000)).toBe(0)
})

const arbitraryAdmissions = fc.array(
  fc.record({
    gapEighths: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 40 })),
    claimed: fc.integer({ min: 0, max: 3 }),
    used: fc.integer({ min: 0, max: 5 }),
    settledAs: fc.nat(),
  }),
  { minLength: 1, maxLength: 80 },
)

it('counts corrections at the moment of their admission, in whatever order they come', () => {
  fc.assert(
    fc.property(arbitraryAdmissions, (admissions) => {
      const window = new RollingWindow(60_000)
      let nowMs = 0
      const entries = admissions.map(({ gapEighths, ...rest }) => {
        nowMs += gapEighths / 8
        window.add(nowMs, rest.claimed)
        return { atMs: nowMs, ...rest }
      })
      for (const { atMs, claimed, used } of entries.toSorted((a, b) => a.settledAs - b.settledAs)) {
        window.add(atMs, used - claimed)
      }
      expect(window.total).toBe(sumUsed(entries))
      for (const { atMs } of entries) {
        window.prune(atMs + 60_000)
        expect(window.total).toBeLessThanOrEqual(sumUsed(entries.filter((entry) => entry.atMs > atMs - 1)))
        expect(window.total).toBeGreaterThanOrEqual(sumUsed(entries.filter((entry) => entry.atMs > atMs)))
      }
      expect(window.bucketCount).toBe(0)
    }),
  )
})

function sumUsed(entries: readonly { used: number }[]): number {
  return entries.reduce((total, { used }) => total + used, 0)
}

it('never makes anyone wait longer than the window, at any fraction of a millisecond', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (nowMs) => {
      const window = new RollingWindow(60_000)
      window.add(nowMs, 1)
      expect(window.waitMs(1, 1, nowMs)).toBe(60_000)
      expect(window.resetMs(nowMs)).toBe(60_000)
    }),
    { examples: [[5_600.123456789], [65_000.1], [123.456]] },
  )
})

it('does not exist without a duration', () => {
  expect(() => new RollingWindow(0)).toThrow(RangeError)
  expect(() => new RollingWindow(Number.NaN)).toThrow(RangeError)
})
