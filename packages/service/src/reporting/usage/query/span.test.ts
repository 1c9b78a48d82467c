import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type namedSpans, rollingRanges, spanOf } from './span.js'

const stepMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2400-01-01'), noInvalidDate: true })
const isoStarts = (range: (typeof namedSpans)[number], now: string) =>
  spanOf(range, new Date(now)).starts.map((start) => start.toISOString())

test('a span has no gaps, starts on an interval and ends with the current one', () => {
  fc.assert(
    fc.property(moments, fc.constantFrom(...rollingRanges, 'today', 'wtd', 'mtd', 'qtd'), (now, range) => {
      const { interval, from, end, starts } = spanOf(range, now)
      const step = stepMs[interval] ?? 0
      expect(starts[0]).toEqual(from)
      expect(from.getTime() % step).toBe(0)
      for (const [i, start] of starts.entries()) expect(start.getTime()).toBe(from.getTime() + i * step)
      expect(end.getTime()).toBe(from.getTime() + starts.length * step)
      expect(now.getTime()).toBeGreaterThanOrEqual(end.getTime() - step)
      expect(now.getTime()).toBeLessThan(end.getTime())
    }),
  )
})

test('the month to date starts on its first day and has one point for each day', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const starts = isoStarts('mtd', now.toISOString())
      expect(starts).toHaveLength(now.getUTCDate())
      expect(starts[0]).toBe(`${now.toISOString().slice(0, 7)}-01T00:00:00.000Z`)
    }),
  )
})

test.each([
  ['1h', 'minute', 60],
  ['24h', 'hour', 24],
  ['7d', 'day', 7],
  ['30d', 'day', 30],
  ['90d', 'day', 90],
] as const)('%s is shown by the %s, in %d points', (range, interval, points) => {
  const span = spanOf(range, new Date('2026-03-29T01:30:00Z'))
  expect(span.interval).toBe(interval)
  expect(span.starts).toHaveLength(points)
})

describe('days of the calendar', () => {
  test('a leap day is a day of its own', () => {
    const starts = isoStarts('7d', '2028-03-03T12:00:00Z')
    expect(starts).toContain('2028-02-29T00:00:00.000Z')
    expect(starts[0]).toBe('2028-02-26T00:00:00.000Z')
    expect(isoStarts('7d', '2100-03-03T12:00:00Z')[0]).toBe('2100-02-25T00:00:00.000Z')
  })

  test('thirty days can cross the end of a year', () => {
    expect(isoStarts('30d', '2027-01-01T00:00:00.000Z')[0]).toBe('2026-12-03T00:00:00.000Z')
  })

  test('the last millisecond of a day belongs to it, the next one to the next', () => {
    expect(isoStarts('mtd', '2026-11-30T23:59:59.999Z').at(-1)).toBe('2026-11-30T00:00:00.000Z')
    expect(isoStarts('mtd', '2026-12-01T00:00:00.000Z')).toEqual(['2026-12-01T00:00:00.000Z'])
  })
})
