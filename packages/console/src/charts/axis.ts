import type { Interval } from '../time/span'
import { localTimeIn } from '../time/zone'

export interface TimeTick {
  /** The index of the labelled point. */
  at: number
  text: string
}

interface Started {
  start: Date
}

const roundSteps: Record<Interval, readonly number[]> = {
  minute: [1, 5, 10, 15, 30, 60],
  hour: [1, 2, 3, 6, 12, 24],
  day: [1, 2, 3, 5, 10, 15],
  week: [1, 2, 4, 8, 13, 26, 52],
  month: [1, 2, 3, 6, 12],
}

/**
 * The axis labels: as many as fit, at round local times (06:00, not 07:13). A label at the start of a day, month or year
 * names it.
 */
export function timeTicks(
  points: readonly Started[],
  interval: Interval,
  timeZone: string,
  maxTicks: number,
): TimeTick[] {
  const localTimes = points.map(({ start }) => localTimeIn(start, timeZone))
  const steps = roundSteps[interval]
  const chosen = (step: number) => {
    const ticks: TimeTick[] = []
    for (const [at, wall] of localTimes.entries()) {
      const before = localTimes[at - 1]
      const date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day))
      const isNewDay = before?.day !== wall.day
      const isNewMonth = before?.month !== wall.month
      if (interval === 'minute' && wall.minute % step === 0) ticks.push({ at, text: clock(wall) })
      if (interval === 'hour' && wall.hour % step === 0)
        ticks.push({ at, text: isNewDay && before ? dayMonth(date) : clock(wall) })
      if (interval === 'day' && (wall.day - 1) % step === 0 && (wall.day === 1 || wall.day + step <= 33))
        ticks.push({ at, text: isNewMonth || ticks.length === 0 ? dayMonth(date) : String(wall.day) })
      if (interval === 'week' && at % step === 0) ticks.push({ at, text: dayMonth(date) })
      if (interval === 'month' && (wall.month - 1) % step === 0)
        ticks.push({ at, text: wall.month === 1 || ticks.length === 0 ? monthYear(date) : month(date) })
    }
    return ticks
  }
  for (const step of steps) {
    const ticks = chosen(step)
    if (ticks.length <= maxTicks) return ticks
  }
  const ticks = chosen(steps.at(-1) ?? 1)
  const every = Math.ceil(ticks.length / Math.max(1, maxTicks))
  return ticks.filter((_, n) => n % every === 0)
}

/** The full name of a point: Mon 3 Nov; 3 Nov, 14:00 to 15:00; November 2026. */
export function nameOfPoint(point: { start: Date; end: Date }, interval: Interval, timeZone: string): string {
  const { start, end } = point
  const format = (at: Date, options: Intl.DateTimeFormatOptions) =>
    at.toLocaleString('en-GB', { ...options, timeZone })
  const day = { day: 'numeric', month: 'short' } as const
  const time = { hour: '2-digit', minute: '2-digit' } as const
  if (interval === 'minute') return `${format(start, day)}, ${format(start, time)}`
  if (interval === 'hour') return `${format(start, day)}, ${format(start, time)} to ${format(end, time)}`
  if (interval === 'week') return `Week of ${format(start, day)}`
  if (interval === 'month') return format(start, { month: 'long', year: 'numeric' })
  return format(start, { weekday: 'short', ...day })
}

const two = (value: number) => String(value).padStart(2, '0')
const clock = ({ hour, minute }: { hour: number; minute: number }) => `${two(hour)}:${two(minute)}`
const inUtc = (date: Date, options: Intl.DateTimeFormatOptions) =>
  date.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' })
const dayMonth = (date: Date) => inUtc(date, { day: 'numeric', month: 'short' })
const month = (date: Date) => inUtc(date, { month: 'short' })
const monthYear = (date: Date) => inUtc(date, { month: 'short', year: 'numeric' })
