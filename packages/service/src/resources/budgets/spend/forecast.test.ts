import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seed } from '../../../../../../test/harness/run/seed.js'
import { forecastNanos } from './forecast.js'

const dayMs = 86_400_000
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs
/** 10 on working days, 1 at weekends. */
const office = (day: number) => ([0, 6].includes(new Date(day * dayMs).getUTCDay()) ? 1 : 10)

// A Monday at noon; the month has 11 working days and 4 days of weekends left after it.
const monday = {
  nowMs: Date.parse('2026-11-16T12:00:00Z'),
  endMs: Date.parse('2026-12-01T00:00:00Z'),
  spentNanos: 100,
  firstDay: dayOf('2026-01-01'),
  spentOn: office,
}

test('weekends are expected to be weekends, and of today the rest', () => {
  expect(forecastNanos(monday)).toBe(100 + 5 + 10 * 10 + 4 * 1)
})

test('of a day, the rest of the day is expected', () => {
  expect(forecastNanos({ ...monday, endMs: Date.parse('2026-11-17T00:00:00Z') })).toBe(105)
})

test('what was before the last four weeks does not count', () => {
  const spentOn = (day: number) => (day < dayOf('2026-10-19') ? 1_000 : office(day))
  expect(forecastNanos({ ...monday, spentOn })).toBe(forecastNanos(monday))
})

describe('there is nothing to go by', () => {
  test.each([
    ['without any spend', { firstDay: null }],
    ['with spend for six whole days', { firstDay: dayOf('2026-11-10') }],
    ['in a period that never ends', { endMs: null }],
  ])('%s', (_, change) => {
    expect(forecastNanos({ ...monday, ...change })).toBeNull()
  })

  test('but with seven whole days there is', () => {
    expect(forecastNanos({ ...monday, firstDay: dayOf('2026-11-09') })).toBe(209)
  })
})

test('it is never less than what is spent, and more is left of a longer period', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -5, max: 1_000 }), { minLength: 28, maxLength: 28 }),
      fc.nat(10_000),
      fc.nat(dayMs - 1),
      fc.integer({ min: 1, max: 31 }),
      (days, spentNanos, ms, left) => {
        const nowMs = monday.nowMs - (monday.nowMs % dayMs) + ms
        const today = Math.floor(nowMs / dayMs)
        const spentOn = (day: number) => days[today - 1 - day] ?? 0
        const at = (endDays: number) =>
          forecastNanos({ ...monday, nowMs, spentNanos, spentOn, endMs: (today + endDays) * dayMs }) ?? -1
        expect(at(left)).toBeGreaterThanOrEqual(spentNanos)
        expect(at(left + 1)).toBeGreaterThanOrEqual(at(left))
      },
    ),
    { seed },
  )
})
