import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Period, periodAt } from './period.js'

test.each<[Period, string, string, string]>([
  ['daily', '2026-11-15T23:59:59.999Z', '2026-11-15', '2026-11-16'],
  ['daily', '2024-02-28T12:00:00Z', '2024-02-28', '2024-02-29'],
  ['daily', '2023-12-31T12:00:00Z', '2023-12-31', '2024-01-01'],
  ['weekly', '2026-11-15T23:59:59.999Z', '2026-11-09', '2026-11-16'],
  ['weekly', '2026-11-16T00:00:00.000Z', '2026-11-16', '2026-11-23'],
  ['weekly', '2025-01-01T00:00:00Z', '2024-12-30', '2025-01-06'],
  ['monthly', '2024-02-29T10:00:00Z', '2024-02-01', '2024-03-01'],
  ['monthly', '2023-02-28T23:59:59.999Z', '2023-02-01', '2023-03-01'],
  ['monthly', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['monthly', '2100-02-28T00:00:00Z', '2100-02-01', '2100-03-01'],
])('the %s period of %s runs from %s to %s', (period, at, start, end) => {
  const bounds = periodAt(period, new Date(at))
  expect(new Date(bounds.startMs).toISOString()).toBe(`${start}T00:00:00.000Z`)
  expect(new Date(bounds.endMs ?? 0).toISOString()).toBe(`${end}T00:00:00.000Z`)
})

test('a total never ends', () => {
  expect(periodAt('total', new Date())).toEqual({ startMs: 0, endMs: null })
})

test('every time is in its period, and the end of a period is the start of the next one', () => {
  const moments = fc.date({ min: new Date('1999-01-01'), max: new Date('2101-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, fc.constantFrom<Period>('daily', 'weekly', 'monthly'), (at, period) => {
      const { startMs, endMs } = periodAt(period, at)
      if (endMs === null) throw new Error('has no end')
      expect(startMs <= at.getTime() && at.getTime() < endMs).toBe(true)
      expect(periodAt(period, new Date(endMs)).startMs).toBe(endMs)
      expect(periodAt(period, new Date(endMs - 1)).startMs).toBe(startMs)
      if (period === 'weekly') expect(new Date(startMs).getUTCDay()).toBe(1)
    }),
  )
})
