import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseReportQuery } from './report-query.js'
import { spanOf } from './span.js'

const parse = (query: object, now: string) =>
  parseReportQuery({ ...query, tenantId: 't', own: null }, new Date(now))
const boundsOf = (range: string, now: string, timeZone = 'UTC') => {
  const { span, previous } = parse({ range, timeZone, compare: 'previous' }, now)
  return [span.from, span.end, previous?.from, previous?.to].map((at) => at?.toISOString().slice(0, 16))
}

test.each([
  ['today', '2026-03-04T00:00', '2026-03-04T10:00', '2026-03-03T00:00', '2026-03-03T09:30'],
  ['yesterday', '2026-03-03T00:00', '2026-03-04T00:00', '2026-03-02T00:00', '2026-03-03T00:00'],
  ['wtd', '2026-03-02T00:00', '2026-03-05T00:00', '2026-02-23T00:00', '2026-02-25T09:30'],
  ['last-week', '2026-02-23T00:00', '2026-03-02T00:00', '2026-02-16T00:00', '2026-02-23T00:00'],
  ['mtd', '2026-03-01T00:00', '2026-03-05T00:00', '2026-02-01T00:00', '2026-02-04T09:30'],
  ['last-month', '2026-02-01T00:00', '2026-03-01T00:00', '2026-01-01T00:00', '2026-02-01T00:00'],
  ['qtd', '2026-01-01T00:00', '2026-03-05T00:00', '2025-10-01T00:00', '2025-12-02T09:30'],
  ['last-quarter', '2025-10-01T00:00', '2026-01-01T00:00', '2025-07-01T00:00', '2025-10-01T00:00'],
  ['ytd', '2026-01-01T00:00', '2026-04-01T00:00', '2025-01-01T00:00', '2025-03-04T09:30'],
  ['last-year', '2025-01-01T00:00', '2026-01-01T00:00', '2024-01-01T00:00', '2025-01-01T00:00'],
])('on a Wednesday %s starts at %s and is compared with the one before', (range, ...expected) => {
  expect(boundsOf(range, '2026-03-04T09:30:00Z')).toEqual(expected)
})

test('a week, a day and a quarter are those of the time zone', () => {
  // Monday in Auckland, Sunday in UTC; the clocks there went back on the 5th of April.
  const now = '2026-04-05T13:00:00Z'
  expect(boundsOf('yesterday', now, 'Pacific/Auckland').slice(0, 2)).toEqual([
    '2026-04-04T11:00',
    '2026-04-05T12:00',
  ])
  expect(boundsOf('last-week', now, 'Pacific/Auckland').slice(0, 2)).toEqual([
    '2026-03-29T11:00',
    '2026-04-05T12:00',
  ])
  expect(boundsOf('last-quarter', now, 'Pacific/Auckland').slice(0, 2)).toEqual([
    '2025-12-31T11:00',
    '2026-03-31T11:00',
  ])
})

test('yesterday is the last date that existed where a date was skipped', () => {
  // Samoa had no 30th of December 2011.
  const [from, end] = boundsOf('yesterday', '2011-12-30T12:00:00Z', 'Pacific/Apia')
  expect([from, end]).toEqual(['2011-12-29T10:00', '2011-12-30T10:00'])
})

test('the previous unit ends where the current one starts, in every zone and at every moment', () => {
  const moments = fc.date({
    min: new Date('2005-01-01'),
    max: new Date('2090-01-01'),
    noInvalidDate: true,
  })
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kolkata')
  const pairs = fc.constantFrom(
    ...([
      ['today', 'yesterday'],
      ['wtd', 'last-week'],
      ['mtd', 'last-month'],
      ['qtd', 'last-quarter'],
      ['ytd', 'last-year'],
    ] as const),
  )
  fc.assert(
    fc.property(moments, zones, pairs, (now, zone, [current, last]) => {
      const [toDate, before] = [spanOf(current, now, zone), spanOf(last, now, zone)]
      expect(before.end).toEqual(toDate.from)
      expect(before.from.getTime()).toBeLessThan(before.end.getTime())
      expect(toDate.from.getTime()).toBeLessThanOrEqual(now.getTime())
      expect(toDate.end.getTime()).toBeGreaterThan(now.getTime())
    }),
  )
})
