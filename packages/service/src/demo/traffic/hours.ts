import type { Habit, TimeZone } from '../company/company.js'
import type { Random } from './random.js'

const hourMs = 3_600_000

export interface TimeSpan {
  fromMs: number
  toMs: number
}

interface LocalHour {
  hour: number
  isWeekend: boolean
}

/** Draws a time at which a caller works, by the hour and weekday where the caller lives. */
export type DrawTime = (random: Random) => number

interface Hour extends TimeSpan {
  local: LocalHour
}

/** Returns the local hours of a span in a time zone; the first and the last may be shorter. */
export function readHours(span: TimeSpan, timeZone: TimeZone): Hour[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  const hours: Hour[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs; ) {
    const toMs = Math.min((Math.floor(fromMs / hourMs) + 1) * hourMs, span.toMs)
    const parts = format.formatToParts(fromMs)
    const read = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    const local = { hour: Number(read('hour')), isWeekend: ['Sat', 'Sun'].includes(read('weekday')) }
    hours.push({ fromMs, toMs, local })
    fromMs = toMs
  }
  return hours
}

/** Creates a function that draws times by the weights of the hours. Returns null if no hour has a weight. */
export function createTimes(hours: readonly Hour[], habit: Habit): DrawTime | null {
  const sums: number[] = []
  let total = 0
  for (const { fromMs, toMs, local } of hours) {
    total += (weightOf(habit, local) * (toMs - fromMs)) / hourMs
    sums.push(total)
  }
  if (total === 0) return null
  return (random) => {
    const wanted = random.next() * total
    let low = 0
    let high = hours.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    const drawn = hours[low]
    if (!drawn) throw new Error('there is no time to draw from')
    return Math.floor(random.between(drawn.fromMs, drawn.toMs))
  }
}

function weightOf(habit: Habit, local: LocalHour): number {
  const { hour, isWeekend } = local
  switch (habit) {
    // What customers use: in the evening too, and at weekends.
    case 'assistant':
      return (hour < 6 ? 0.08 : hour < 9 ? 0.5 : hour < 22 ? 1 : 0.35) * (isWeekend ? 0.6 : 1)
    case 'backend':
      return (hour < 7 ? 0.25 : hour < 20 ? 1 : 0.4) * (isWeekend ? 0.45 : 1)
    // By night, every night.
    case 'index':
    case 'agent':
      return hour >= 1 && hour < 4 ? 1 : 0
    case 'evaluation':
      return (hour >= 8 && hour < 23 ? 1 : 0.1) * (isWeekend ? 0.2 : 1)
    default:
      return officeHours(hour) * (isWeekend ? 0.05 : 1)
  }
}

function officeHours(hour: number): number {
  if (hour < 7 || hour >= 22) return 0.01
  if (hour < 9) return 0.35
  if (hour === 12) return 0.5
  return hour < 18 ? 1 : 0.12
}
