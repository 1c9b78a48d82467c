import { startOfDate, wallClockAt } from './time-zone.js'

/** Ranges that end now. */
export const ranges = ['1h', '24h', '7d', '30d', '90d', 'mtd'] as const
export const namedSpans = [...ranges, 'last-month'] as const
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const
type Range = (typeof ranges)[number]
export type NamedSpan = (typeof namedSpans)[number]
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

const defaultIntervals: Record<Range, Interval> = {
  '1h': 'minute',
  '24h': 'hour',
  '7d': 'day',
  '30d': 'day',
  '90d': 'day',
  mtd: 'day',
}

/** Returns a range with its default points, or with those of another interval. */
export function spanOf(range: Range, now: Date, timeZone = 'UTC', interval?: Interval): Span {
  const shown = interval ?? defaultIntervals[range]
  const nowMs = now.getTime()
  const { from, end } = boundsOf(range, nowMs, timeZone)
  // With shorter intervals than its own a range also ends with the current one.
  const endMs = Math.max(from + 1, Math.min(end, nextStart(timeZone, shown, nowMs)))
  return split(timeZone, shown, from, shown === defaultIntervals[range] ? end : endMs)
}

function boundsOf(range: Range, nowMs: number, timeZone: string): { from: number; end: number } {
  const end = nextStart(timeZone, defaultIntervals[range], nowMs)
  const { year, month, day } = wallClockAt(timeZone, nowMs)
  switch (range) {
    case '1h':
      return { from: end - 60 * minuteMs, end }
    case '24h':
      return { from: end - 24 * hourMs, end }
    case 'mtd':
      return { from: startOfDate(timeZone, year, month, 1), end }
    default:
      return { from: startOfDate(timeZone, year, month, day + 1 - Number.parseInt(range, 10)), end }
  }
}

/** Returns the calendar month before the one of `now`. */
export function lastMonth(now: Date, timeZone: string): { from: number; to: number } {
  const { year, month } = wallClockAt(timeZone, now.getTime())
  return { from: startOfDate(timeZone, year, month - 1, 1), to: startOfDate(timeZone, year, month, 1) }
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
