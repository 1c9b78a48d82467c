import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from './backoff.js'

/** That of webhooks. */
const delayAfterMs = (attempts: number, random: () => number) =>
  backoffMs({ baseMs: 5_000, capMs: 3_600_000 }, attempts, random)
const longest = () => 0
const shortest = () => 1 - Number.EPSILON

test('the delay doubles from 5 s to an hour and stays there', () => {
  const seconds = Array.from({ length: 13 }, (_, i) => delayAfterMs(i + 1, longest) / 1_000)
  expect(seconds).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600])
})

test('at every attempt, jitter takes off up to a fifth and adds nothing', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempts, random) => {
        const full = Math.min(3_600_000, 5_000 * 2 ** (attempts - 1))
        const delay = delayAfterMs(attempts, () => random)
        expect(delay).toBeLessThanOrEqual(full)
        expect(delay).toBeGreaterThanOrEqual(full * 0.8)
      },
    ),
  )
  expect(delayAfterMs(100, shortest)).toBe(2_880_000)
})
