export const ranges = ['1h', '24h', '7d', '30d', '90d', 'mtd'] as const
export type Range = (typeof ranges)[number]
export type Interval = 'minute' | 'hour' | 'day'

/** A whole number of intervals in UTC; the last one is the current one. */
export interface Span {
  interval: Interval
  from: Date
  /** Exclusive: the end of the current interval. */
  end: Date
  /** The start of each interval, oldest first. */
  starts: Date[]
}

// Unix time has no leap seconds and UTC no daylight saving: every day is this long and starts at a multiple of it.
const lengthMs: Record<Interval, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

const shapes: Record<Exclude<Range, 'mtd'>, { interval: Interval; points: number }> = {
  '1h': { interval: 'minute', points: 60 },
  '24h': { interval: 'hour', points: 24 },
  '7d': { interval: 'day', points: 7 },
  '30d': { interval: 'day', points: 30 },
  '90d': { interval: 'day', points: 90 },
}

export function spanOf(range: Range, now: Date): Span {
  const { interval, points } =
    range === 'mtd' ? { interval: 'day' as const, points: now.getUTCDate() } : shapes[range]
  const stepMs = lengthMs[interval]
  const endMs = (Math.floor(now.getTime() / stepMs) + 1) * stepMs
  const fromMs = endMs - points * stepMs
  const starts = Array.from({ length: points }, (_, i) => new Date(fromMs + i * stepMs))
  return { interval, from: new Date(fromMs), end: new Date(endMs), starts }
}
