import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { seed } from '../../../../../../test/harness/run/seed.js'
import { intervals, split } from './span.js'
import { isTimeZone, knownZones, startOfDate, wallClockAt } from './time-zone.js'

// Compared with a second method: the formatted date of every quarter of an hour.
const formats = new Map<string, Intl.DateTimeFormat>()
function dateOf(timeZone: string, ms: number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  formats.set(timeZone, format)
  return format.format(ms)
}

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'America/Santiago',
]
const quarterMs = 15 * 60_000
const moments = fc.integer({
  min: Date.UTC(2010, 0, 1) / quarterMs,
  max: Date.UTC(2035, 0, 1) / quarterMs,
})

/** The first quarter of an hour in which a date, or a later one, is on the calendar. */
function firstQuarterOf(timeZone: string, date: string): number {
  for (let ms = Date.parse(`${date}T00:00:00Z`) - 16 * 3_600_000; ; ms += quarterMs)
    if (dateOf(timeZone, ms) >= date) return ms
}

test('a date begins with the first quarter of an hour that has it on the calendar', () => {
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (quarter, timeZone) => {
      const date = dateOf(timeZone, quarter * quarterMs)
      const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
      expect(new Date(startOfDate(timeZone, year, month, day)).toISOString(), `${date} in ${timeZone}`).toBe(
        new Date(firstQuarterOf(timeZone, date)).toISOString(),
      )
    }),
    { seed },
  )
})

describe('where the clock is changed at midnight', () => {
  test.each([
    ['America/Sao_Paulo', [2018, 11, 4], '2018-11-04T03:00:00.000Z'], // 00:00 is skipped
    ['America/Sao_Paulo', [2018, 2, 18], '2018-02-18T03:00:00.000Z'], // 23:00 comes twice
    ['Asia/Beirut', [2022, 3, 27], '2022-03-26T22:00:00.000Z'],
    ['America/Havana', [2022, 11, 6], '2022-11-06T04:00:00.000Z'], // 00:00 comes twice
    ['Pacific/Apia', [2011, 12, 30], '2011-12-30T10:00:00.000Z'], // the whole date is skipped
    ['Pacific/Apia', [2011, 12, 31], '2011-12-30T10:00:00.000Z'],
    ['Europe/Berlin', [2026, 3, 29], '2026-03-28T23:00:00.000Z'],
    ['Asia/Kolkata', [2026, 3, 29], '2026-03-28T18:30:00.000Z'],
  ] as const)('%s, %j begins at %s', (timeZone, [year, month, day], expected) => {
    expect(new Date(startOfDate(timeZone, year, month, day)).toISOString()).toBe(expected)
  })
})

test('intervals have no gaps, end with the span, and begin at whole local units', () => {
  fc.assert(
    fc.property(
      moments,
      fc.constantFrom(...zones),
      fc.constantFrom(...intervals),
      fc.integer({ min: 1, max: 24 }),
      (quarter, timeZone, interval, length) => {
        const hours = { minute: 0.25, hour: 6, day: 24, week: 7 * 24, month: 30 * 24 }[interval]
        const fromMs = quarter * quarterMs + 123
        const { starts, from, end } = split(timeZone, interval, fromMs, fromMs + length * hours * 3_600_000)
        expect(starts[0]).toEqual(from)
        for (const [i, start] of starts.entries()) {
          expect(start.getTime()).toBeLessThan((starts[i + 1] ?? end).getTime())
          if (i === 0) continue
          const { hour, minute, second, day } = wallClockAt(timeZone, start.getTime())
          expect(second).toBe(0)
          const previous = (starts[i - 1] ?? from).getTime()
          if (interval === 'minute') expect(start.getTime() % 60_000).toBe(0)
          // A zone that moves by half an hour has one shorter or longer hour.
          if (interval === 'hour') expect([0, 30]).toContain(minute)
          if (interval === 'day' || interval === 'week' || interval === 'month') {
            // Midnight, or where the clock jumped over it.
            if (hour !== 0 || minute !== 0)
              expect(dateOf(timeZone, start.getTime())).not.toBe(dateOf(timeZone, start.getTime() - 1))
            expect(dateOf(timeZone, previous)).not.toBe(dateOf(timeZone, start.getTime()))
          }
          if (interval === 'month') expect(day).toBe(1)
          if (interval === 'week')
            expect(new Date(`${dateOf(timeZone, start.getTime())}T00:00:00Z`).getUTCDay()).toBe(1)
        }
      },
    ),
    { seed, numRuns: propertyRuns / 2 },
  )
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
  ['2026-10-26', 24],
])('%s in Berlin has %d hours', (date, hours) => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const from = startOfDate('Europe/Berlin', year, month, day)
  const end = startOfDate('Europe/Berlin', year, month, day + 1)
  expect(split('Europe/Berlin', 'hour', from, end).starts).toHaveLength(hours)
})

test('every name in the IANA database is a time zone, including old ones; nothing else is', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'America/Argentina/Ushuaia', 'Etc/GMT+5'])
    expect(isTimeZone(name), name).toBe(true)
  for (const name of ['', 'Berlin', '+01:00', 'Europe/Berlin ', 'Mars/Olympus', 'x'.repeat(99)])
    expect(isTimeZone(name), name).toBe(false)
})

test('a zone is cached once, whatever the case of its name', () => {
  // Old names, for which Intl prefers other ones.
  for (const name of ['Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/ComodRivadavia', 'Europe/Berlin']) {
    expect(isTimeZone(name)).toBe(true)
    const before = knownZones()
    for (let i = 0; i < name.length; i++) {
      const spelt = name.slice(0, i).toLowerCase() + name.slice(i).toUpperCase()
      expect(isTimeZone(spelt), spelt).toBe(true)
      expect(wallClockAt(spelt, firstMoment)).toEqual(wallClockAt(name, firstMoment))
    }
    expect(knownZones()).toBe(before)
  }
})

const firstMoment = Date.UTC(2026, 0, 1)
