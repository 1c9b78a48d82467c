import { type CalendarRange, calendarRanges, isCalendarRange, startOfUnit } from './calendar-ranges.js'
import { startOfDate, wallClockAt } from './time-zone.js'

/** Ranges of a fixed length that end now. */
export const rollingRanges = ['1h', '24h', '7d', '30d', '90d'] as const
type RollingRange = (typeof rollingRanges)[number]
export type NamedSpan = RollingRange | CalendarRange
export const namedSpans: readonly NamedSpan[] = [
  ...rollingRanges,
  ...Object.keys(calendarRanges).filter(isCalendarRange),
]
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** A span in intervals: each starts where the previous one ends. */
export interface Span {
  interval: Interval
  from: Date
  /** Exclusive. For a span that ends now, the end of the current interval. */
  end: Date
  /** The start of each interval, oldest first; the first is `from`, even if no calendar interval starts there. */
  starts: Date[]
}

const minuteMs = 60_000
const hourMs = 3_600_000
export const maxPoints = 2_200

export class TooManyPointsError extends Error {}

const rollingIntervals: Record<RollingRange, Interval> = {
  '1h': 'minute',
  '24h': 'hour',
  '7d': 'day',
  '30d': 'day',
  '90d': 'day',
}

/** True for a range that ended before now, such as last week. */
export const isOver = (range: NamedSpan): boolean => isCalendarRange(range) && calendarRanges[range].isOver

/** Returns a range with its default points, or with those of another interval. */
export function spanOf(range: NamedSpan, now: Date, timeZone = 'UTC', interval?: Interval): Span {
  const own = isCalendarRange(range) ? calendarRanges[range].interval : rollingIntervals[range]
  const shown = interval ?? own
  const nowMs = now.getTime()
  const endOfPoint = nextStart(timeZone, own, nowMs)
  const { from, end } = isCalendarRange(range)
    ? calendarBounds(range, timeZone, nowMs, endOfPoint)
    : { from: rollingStart(range, timeZone, nowMs, endOfPoint), end: endOfPoint }
  // With shorter intervals than its own a range also ends with the current one.
  const endMs = Math.max(from + 1, Math.min(end, nextStart(timeZone, shown, nowMs)))
  return split(timeZone, shown, from, shown === own ? end : endMs)
}

function calendarBounds(range: CalendarRange, timeZone: string, nowMs: number, endOfPoint: number) {
  const { unit, isOver } = calendarRanges[range]
  const from = startOfUnit(timeZone, unit, nowMs)
  return isOver ? { from: startOfUnit(timeZone, unit, nowMs, 1), end: from } : { from, end: endOfPoint }
}

function rollingStart(range: RollingRange, timeZone: string, nowMs: number, end: number): number {
  if (range === '1h') return end - 60 * minuteMs
  if (range === '24h') return end - 24 * hourMs
  const { year, month, day } = wallClockAt(timeZone, nowMs)
  return startOfDate(timeZone, year, month, day + 1 - Number.parseInt(range, 10))
}

/** Returns every interval from `fromMs` up to `endMs`. */
export function split(timeZone: string, interval: Interval, fromMs: number, endMs: number): Span {
  const starts: Date[] = []
  for (let start = fromMs; start < endMs; start = nextStart(timeZone, interval, start)) {
    if (starts.length === maxPoints) throw new TooManyPointsError()
    starts.push(new Date(start))
  }
  return { interval, from: new Date(fromMs), end: new Date(endMs), starts }
}

/** Returns the interval that shows a span in a few dozen points. */
export function intervalFor(fromMs: number, endMs: number): Interval {
  const hours = (endMs - fromMs) / hourMs
  if (hours <= 3) return 'minute'
  if (hours <= 3 * 24) return 'hour'
  return hours <= 184 * 24 ? 'day' : 'month'
}

/** Returns the end of the interval that contains a time. Weeks start on Monday, as in ISO 8601. */
export function nextStart(timeZone: string, interval: Interval, ms: number): number {
  if (interval === 'minute') return (Math.floor(ms / minuteMs) + 1) * minuteMs
  const { year, month, day, minute } = wallClockAt(timeZone, ms)
  // Zones that are half an hour apart from UTC have their hours there, too.
  if (interval === 'hour') return (Math.floor(ms / minuteMs) + 60 - minute) * minuteMs
  if (interval === 'month') return startOfDate(timeZone, year, month + 1, 1)
  const toMonday = 7 - ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7)
  // A date that a zone skipped has no length; a date that occurred twice is one.
  for (let days = interval === 'week' ? toMonday : 1; ; days += interval === 'week' ? 7 : 1) {
    const start = startOfDate(timeZone, year, month, day + days)
    if (start > ms) return start
  }
}
