import { startOfDate, wallClockAt } from './time-zone.js'

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Each unit of the calendar as a range: the current one up to now, and the previous one. */
export const calendarRanges = {
  today: { unit: 'day', isOver: false, interval: 'hour' },
  yesterday: { unit: 'day', isOver: true, interval: 'hour' },
  wtd: { unit: 'week', isOver: false, interval: 'day' },
  'last-week': { unit: 'week', isOver: true, interval: 'day' },
  mtd: { unit: 'month', isOver: false, interval: 'day' },
  'last-month': { unit: 'month', isOver: true, interval: 'day' },
  qtd: { unit: 'quarter', isOver: false, interval: 'day' },
  'last-quarter': { unit: 'quarter', isOver: true, interval: 'day' },
  ytd: { unit: 'year', isOver: false, interval: 'month' },
  'last-year': { unit: 'year', isOver: true, interval: 'month' },
} as const satisfies Record<string, { unit: Unit; isOver: boolean; interval: 'hour' | 'day' | 'month' }>
export type CalendarRange = keyof typeof calendarRanges

export const isCalendarRange = (range: string): range is CalendarRange => Object.hasOwn(calendarRanges, range)

/** Returns when the unit that contains a time began, or the unit `back` units before it. */
export function startOfUnit(timeZone: string, unit: Unit, ms: number, back = 0): number {
  const { year, month, day } = wallClockAt(timeZone, ms)
  switch (unit) {
    case 'day':
      return startOfDay(timeZone, { year, month, day }, back)
    case 'week': {
      // Weeks start on Monday, as in ISO 8601.
      const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
      return startOfDate(timeZone, year, month, day - sinceMonday - 7 * back)
    }
    case 'month':
      return startOfDate(timeZone, year, month - back, 1)
    case 'quarter':
      return startOfDate(timeZone, year, month - ((month - 1) % 3) - 3 * back, 1)
    case 'year':
      return startOfDate(timeZone, year - back, 1, 1)
  }
}

/** A date that a zone skipped has no length, so that it is not the day before another. */
function startOfDay(
  timeZone: string,
  { year, month, day }: { year: number; month: number; day: number },
  back: number,
): number {
  let start = startOfDate(timeZone, year, month, day)
  for (let offset = 1, left = back; left > 0; offset++) {
    const earlier = startOfDate(timeZone, year, month, day - offset)
    if (earlier < start) left--
    start = earlier
  }
  return start
}
