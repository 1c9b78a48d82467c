import { localTimeIn, midnight } from './zone'

export const ranges = [
  '1h',
  '24h',
  '7d',
  '30d',
  '90d',
  'today',
  'yesterday',
  'week',
  'last-week',
  'month',
  'last-month',
] as const
export type Range = (typeof ranges)[number]

export const rangeNames: Record<Range, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'This week',
  'last-week': 'Last week',
  month: 'This month',
  'last-month': 'Last month',
}

export const isRange = (value: unknown): value is Range => ranges.some((range) => range === value)

export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** A half-open interval: `to` is exclusive. */
export interface Span {
  from: Date
  to: Date
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const lengths: Partial<Record<Range, number>> = {
  '1h': hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
}

/** The current span of a range. It ends at the current minute, so that queries stay the same for a minute. */
export function spanOf(range: Range, now: Date, timeZone: string): Span {
  const to = new Date(Math.ceil((now.getTime() + 1) / minuteMs) * minuteMs)
  const length = lengths[range]
  if (length !== undefined) return { from: new Date(to.getTime() - length), to }
  const { year, month, day } = localTimeIn(now, timeZone)
  // Weeks start on Monday, as in reports.
  const monday = day - ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7)
  const at = (dayOfMonth: number) => midnight(year, month, dayOfMonth, timeZone)
  switch (range) {
    case 'yesterday':
      return { from: at(day - 1), to: at(day) }
    case 'week':
      return { from: at(monday), to }
    case 'last-week':
      return { from: at(monday - 7), to: at(monday) }
    case 'month':
      return { from: at(1), to }
    case 'last-month':
      return { from: midnight(year, month - 1, 1, timeZone), to: at(1) }
    default:
      return { from: at(day), to }
  }
}

/** True for a range that ended before now. */
export const isOver = (range: Range): boolean => range === 'yesterday' || range.startsWith('last-')

/** An interval that gives a chart at most about 200 points. */
export function intervalFor({ from, to }: Span): Interval {
  const length = to.getTime() - from.getTime()
  if (length <= 3 * hourMs) return 'minute'
  if (length <= 3 * dayMs) return 'hour'
  if (length <= 120 * dayMs) return 'day'
  return length <= 900 * dayMs ? 'week' : 'month'
}
