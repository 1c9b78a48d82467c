import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../../../../../test/harness/run/seed.js'
import { type Coverage, coverPoints, type Source } from './pieces.js'

const minuteMs = 60_000
const stepMs: Record<Source, number> = {
  usage_days: 86_400_000,
  usage_hours: 3_600_000,
  usage_minutes: minuteMs,
  summary_days: 86_400_000,
  summary_hours: 3_600_000,
  calls: 1,
}
const firstDay = Date.UTC(2026, 0, 1)

const coverage: fc.Arbitrary<Coverage> = fc
  .record({
    callsOnly: fc.boolean(),
    days: fc.subarray([0, 1, 2, 3, 4]),
    minutes: fc.nat(5 * 1_440),
    rareHours: fc.uniqueArray(fc.nat(5 * 24 - 1), { maxLength: 4 }),
    summaries: fc.constantFrom(
      { days: 'usage_days', hoursOfDays: 'usage_hours' } as const,
      { days: 'summary_days', hoursOfDays: 'usage_hours' } as const,
      { days: 'summary_days', hoursOfDays: 'summary_hours' } as const,
    ),
  })
  .map(({ callsOnly, days, minutes, summaries, rareHours }) => ({
    callsOnly,
    ...summaries,
    hoursOfCalls: rareHours.toSorted((a, b) => a - b).map((hour) => firstDay + hour * stepMs.usage_hours),
    closedDays: new Set(
      days
        .filter((day) => !rareHours.some((hour) => Math.floor(hour / 24) === day))
        .map((day) => firstDay + day * stepMs.usage_days),
    ),
    minutesFromMs: firstDay + minutes * minuteMs,
  }))
const allDimensions = { days: 'usage_days', hoursOfDays: 'usage_hours', hoursOfCalls: [] } as const
// Mostly on quarters of an hour, as time zones are.
const moment = fc.oneof(
  fc.nat(5 * 96).map((quarters) => firstDay + quarters * 15 * minuteMs),
  fc.nat(5 * stepMs.usage_days).map((ms) => firstDay + ms),
)

test('every millisecond of a point is read exactly once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(moment, { minLength: 2, maxLength: 12 }),
      coverage,
      fc.array(moment, { maxLength: 20 }),
      (unsorted, covered, probes) => {
        const edges = unsorted.toSorted((a, b) => a - b)
        const end = edges.at(-1) ?? 0
        const pieces = coverPoints(edges.slice(0, -1), end, covered)
        for (const { source, fromMs, toMs } of pieces) {
          expect(fromMs % stepMs[source]).toBe(0)
          expect(toMs % stepMs[source]).toBe(0)
          if (source === 'usage_days' || source.startsWith('summary_'))
            for (
              let day = Math.floor(fromMs / stepMs.usage_days) * stepMs.usage_days;
              day < toMs;
              day += stepMs.usage_days
            )
              expect(covered.closedDays.has(day)).toBe(true)
          if (source !== 'calls')
            for (const hour of covered.callsOnly ? [] : covered.hoursOfCalls)
              expect(toMs <= hour || fromMs >= hour + stepMs.usage_hours).toBe(true)
          if (source === 'usage_minutes') expect(fromMs).toBeGreaterThanOrEqual(covered.minutesFromMs)
        }
        // How often a call at that time is counted in each point.
        for (const at of [...probes, ...edges, ...edges.map((edge) => edge - 1)]) {
          for (const [point, start] of edges.slice(0, -1).entries()) {
            const count = pieces
              .filter((piece) => piece.point === point && at >= piece.fromMs && at < piece.toMs)
              .reduce((sum, { sign }) => sum + sign, 0)
            expect(count).toBe(at >= start && at < (edges[point + 1] ?? 0) ? 1 : 0)
          }
        }
      },
    ),
    { seed },
  )
})

test('a report over ninety local days reads a fraction of the hours', () => {
  const hours = (pieces: ReturnType<typeof coverPoints>) =>
    pieces
      .filter(({ source }) => source === 'usage_hours')
      .reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / stepMs.usage_hours, 0)
  const closedDays = new Set(Array.from({ length: 100 }, (_, day) => firstDay + day * stepMs.usage_days))
  // Berlin in winter.
  const starts = Array.from({ length: 90 }, (_, day) => firstDay + day * stepMs.usage_days - 3_600_000)
  const end = firstDay + 90 * stepMs.usage_days - 3_600_000
  const pieces = coverPoints(starts, end, {
    ...allDimensions,
    callsOnly: false,
    closedDays,
    minutesFromMs: Infinity,
  })
  expect(hours(pieces)).toBeLessThanOrEqual(2 * 90)
  expect(pieces.filter(({ source }) => source === 'calls')).toEqual([])
})

test('a century is covered without visiting each of its days', () => {
  let looks = 0
  class CountedSet extends Set<number> {
    override has(day: number): boolean {
      looks += 1
      return super.has(day)
    }
  }
  const closedDays = new CountedSet([firstDay, firstDay + 2 * stepMs.usage_days])
  const [from, end] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)]
  const pieces = coverPoints([from], end, {
    ...allDimensions,
    callsOnly: false,
    closedDays,
    minutesFromMs: Infinity,
  })
  expect(pieces.map(({ source, fromMs, toMs }) => [source, fromMs, toMs])).toEqual([
    ['usage_hours', from, firstDay],
    ['usage_days', firstDay, firstDay + stepMs.usage_days],
    ['usage_hours', firstDay + stepMs.usage_days, firstDay + 2 * stepMs.usage_days],
    ['usage_days', firstDay + 2 * stepMs.usage_days, firstDay + 3 * stepMs.usage_days],
    ['usage_hours', firstDay + 3 * stepMs.usage_days, end],
  ])
  expect(looks).toBe(3)
})
