import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTo, bucketOf, type Histogram, percentileOf, relativeError } from './latency-percentiles.js'

const latencyMs = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_600_000 }))

function histogramOf(values: readonly number[]): Histogram {
  const histogram: Histogram = new Map()
  for (const value of values) addTo(histogram, bucketOf(value), 1)
  return histogram
}

test('every latency up to an hour is read within 3 %, and exactly below 17 ms', () => {
  for (let ms = 0; ms <= 3_600_000; ms = ms < 50_000 ? ms + 1 : ms + 97) {
    const read = percentileOf(histogramOf([ms]), 50) ?? Number.NaN
    if (!(Math.abs(read - ms) <= (ms < 17 ? 0 : ms * relativeError)))
      throw new Error(`${ms} ms is read as ${read} ms`)
  }
})

test('a percentile of any calls is within 3 % of the exact one', () => {
  fc.assert(
    fc.property(
      fc.array(latencyMs, { minLength: 1, maxLength: 300 }),
      fc.constantFrom(1, 50, 95, 99, 100),
      (values, percent) => {
        const sorted = values.toSorted((a, b) => a - b)
        const exact = sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0
        const read = percentileOf(histogramOf(values), percent) ?? Number.NaN
        expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact * relativeError + 0.05)
      },
    ),
  )
})

test('a percentile of no calls is null, not zero', () => {
  expect(percentileOf(new Map(), 95)).toBeNull()
})
