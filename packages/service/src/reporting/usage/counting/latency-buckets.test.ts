import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bucketOf,
  latencyBucketCount,
  percentileOfBuckets,
  readBuckets,
  writeBuckets,
} from './latency-buckets.js'
import { addSum, addToBucket, emptySum } from './usage-sum.js'

// Mostly some seconds, sometimes up to an hour.
const latencyMs = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_600_000 }))
const latencies = fc.array(latencyMs, { minLength: 1, maxLength: 300 })

function histogramOf(values: readonly number[]) {
  const sum = emptySum()
  for (const value of values) addToBucket(sum.latencyBuckets, bucketOf(value), 1)
  return sum
}

function exactPercentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0
}

test('every latency up to an hour is within a ninth of the middle of its bucket', () => {
  for (let ms = 0; ms <= 3_600_000; ms = ms < 50_000 ? ms + 1 : ms + 97) {
    const read = percentileOfBuckets(histogramOf([ms]).latencyBuckets, 50)
    if (Math.abs(read - ms) > ms / 9) throw new Error(`${ms} ms is read as ${read} ms`)
  }
})

test('a percentile of any calls is within a ninth of the exact one', () => {
  fc.assert(
    fc.property(latencies, fc.constantFrom(1, 50, 95, 99, 100), (values, percent) => {
      const exact = exactPercentile(values, percent)
      expect(
        Math.abs(percentileOfBuckets(histogramOf(values).latencyBuckets, percent) - exact),
      ).toBeLessThanOrEqual(exact / 9)
    }),
  )
})

test('merged histograms equal one histogram of all calls', () => {
  fc.assert(
    fc.property(latencies, latencies, (some, others) => {
      const merged = histogramOf(some)
      addSum(merged, histogramOf(others))
      expect(merged.latencyBuckets).toEqual(histogramOf([...some, ...others]).latencyBuckets)
    }),
  )
})

test('as numbers of the database histograms add up to the histogram of all calls', () => {
  const asNumber = (values: readonly number[]) => {
    const [digits = '0', exponent = '0'] = writeBuckets(histogramOf(values).latencyBuckets).split('e')
    return BigInt(digits) * 10n ** BigInt(exponent)
  }
  fc.assert(
    fc.property(latencies, latencies, (some, others) => {
      expect(readBuckets(String(asNumber(some) + asNumber(others)))).toEqual(
        histogramOf([...some, ...others]).latencyBuckets,
      )
    }),
  )
  expect(writeBuckets([])).toBe('0')
})

test('the highest latency has a bucket, and a percentile of no calls is 0', () => {
  expect(bucketOf(Number.MAX_SAFE_INTEGER)).toBe(latencyBucketCount - 1)
  expect(percentileOfBuckets([], 95)).toBe(0)
  expect(percentileOfBuckets([0, 0, 0], 50)).toBe(0)
})
