// Chooses the rows that cover each part of a span. Whole days come from the closed days, whole hours from the
// hours, the rest from the calls themselves. Of closed days there are also summaries with fewer dimensions. A day that
// is divided by an interval of another time zone is not read hour by hour: its longer part is the day minus the hours
// of its shorter part. The same applies to an hour. Sums and histograms can be subtracted, so the result is exact.

export const sources = [
  'usage_days',
  'usage_hours',
  'usage_minutes',
  'summary_days',
  'summary_hours',
  'calls',
] as const
export type Source = (typeof sources)[number]

/** Rows from `fromMs` up to `toMs`, which are added to a point or subtracted from it. */
export interface Piece {
  source: Source
  fromMs: number
  toMs: number
  point: number
  sign: 1 | -1
}

/** The rows that may be read. */
export interface Coverage {
  /** True when only the calls can answer the query. */
  callsOnly: boolean
  closedDays: ReadonlySet<number>
  /** What answers for a closed day, and for the hours of one. */
  days: 'usage_days' | 'summary_days'
  hoursOfDays: 'usage_hours' | 'summary_hours'
  /** Hours that only the calls can answer, oldest first. */
  hoursOfCalls: readonly number[]
  /** The time from which the minutes can answer the query; Infinity for never. */
  minutesFromMs: number
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** Covers every point, which lasts from its start to the next one's. */
export function coverPoints(starts: readonly number[], endMs: number, coverage: Coverage): Piece[] {
  const days = boundsOf(coverage.closedDays)
  return starts.flatMap((fromMs, point) => {
    const parts = cover(fromMs, starts[point + 1] ?? endMs, coverage, days)
    return parts.map((part) => ({ ...part, point }))
  })
}

/**
 * Refusals by a rate limit are counted by the hour and assigned to its start; where minutes are stored, to that
 * of their minute. So each belongs to one point, however the points are divided. They are read by separate
 * pieces.
 */
export function coverRefusals(starts: readonly number[], endMs: number, coverage: Coverage): Piece[] {
  if (coverage.callsOnly) return []
  const minutesFrom = ceil(coverage.minutesFromMs, hourMs)
  const days = boundsOf(coverage.closedDays)
  // Refusals have an index where all dimensions are, which leaves few rows to read.
  const detailed = { ...coverage, days: 'usage_days', hoursOfDays: 'usage_hours', hoursOfCalls: [] } as const
  return starts.flatMap((fromMs, point) => {
    const toMs = starts[point + 1] ?? endMs
    const parts = cover(ceil(fromMs, hourMs), ceil(Math.min(toMs, minutesFrom), hourMs), detailed, days)
    const since = ceil(Math.max(fromMs, minutesFrom), minuteMs)
    const until = ceil(toMs, minuteMs)
    if (since < until) parts.push({ source: 'usage_minutes', fromMs: since, toMs: until, sign: 1 })
    return parts.map((part) => ({ ...part, point }))
  })
}

const ceil = (ms: number, stepMs: number): number => Math.ceil(ms / stepMs) * stepMs

type UnassignedPiece = Omit<Piece, 'point'>

/** From the first closed day up to the end of the last. */
interface Days {
  fromMs: number
  toMs: number
}

function boundsOf(closedDays: ReadonlySet<number>): Days {
  const days: Days = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY }
  for (const day of closedDays) {
    days.fromMs = Math.min(days.fromMs, day)
    days.toMs = Math.max(days.toMs, day + dayMs)
  }
  return days
}

/** Visits only the days with calls, not all days of a century, because it blocks the process in the meantime. */
function cover(fromMs: number, toMs: number, coverage: Coverage, days: Days): UnassignedPiece[] {
  if (coverage.callsOnly) return [{ source: 'calls', fromMs, toMs, sign: 1 }]
  const parts: UnassignedPiece[] = []
  let start = fromMs
  for (const hour of coverage.hoursOfCalls) {
    const [from, to] = [Math.max(start, hour), Math.min(toMs, hour + hourMs)]
    if (from >= to) continue
    parts.push(...coverCounted(start, from, coverage, days), {
      source: 'calls',
      fromMs: from,
      toMs: to,
      sign: 1,
    })
    start = to
  }
  return mergeAdjacent([...parts, ...coverCounted(start, toMs, coverage, days)])
}

function coverCounted(fromMs: number, toMs: number, coverage: Coverage, days: Days): UnassignedPiece[] {
  const parts: UnassignedPiece[] = []
  for (let start = fromMs; start < toMs; ) {
    const day = floor(start, dayMs)
    const isOutside = day < days.fromMs || day >= days.toMs
    const end = Math.min(toMs, isOutside ? (day < days.fromMs ? days.fromMs : toMs) : day + dayMs)
    parts.push(...(isOutside ? coverHours(start, end, coverage) : coverWithinDay(day, start, end, coverage)))
    start = end
  }
  return mergeAdjacent(parts)
}

function coverWithinDay(day: number, fromMs: number, toMs: number, coverage: Coverage): UnassignedPiece[] {
  if (!coverage.closedDays.has(day)) return coverHours(fromMs, toMs, coverage)
  const { days, hoursOfDays } = coverage
  if (!isLongerPart(day, dayMs, fromMs, toMs)) return coverHours(fromMs, toMs, coverage, hoursOfDays)
  const missing = [
    ...coverHours(day, fromMs, coverage, hoursOfDays),
    ...coverHours(toMs, day + dayMs, coverage, hoursOfDays),
  ]
  return [{ source: days, fromMs: day, toMs: day + dayMs, sign: 1 }, ...missing.map(negate)]
}

/** Returns the whole hours as one piece, whatever their number, and the parts of hours before and after them. */
function coverHours(
  fromMs: number,
  toMs: number,
  coverage: Coverage,
  source: Source = 'usage_hours',
): UnassignedPiece[] {
  if (fromMs >= toMs) return []
  const [firstMs, endMs] = [ceil(fromMs, hourMs), floor(toMs, hourMs)]
  const within = (hour: number, from: number, to: number) =>
    coverWithinHour(hour, { fromMs: from, toMs: to }, coverage, source)
  if (firstMs > endMs) return within(endMs, fromMs, toMs)
  const parts: UnassignedPiece[] = []
  if (fromMs < firstMs) parts.push(...within(firstMs - hourMs, fromMs, firstMs))
  if (firstMs < endMs) parts.push({ source, fromMs: firstMs, toMs: endMs, sign: 1 })
  if (endMs < toMs) parts.push(...within(endMs, endMs, toMs))
  return mergeAdjacent(parts)
}

function coverWithinHour(
  hour: number,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  coverage: Coverage,
  source: Source,
): UnassignedPiece[] {
  const onMinutes = fromMs % minuteMs === 0 && toMs % minuteMs === 0
  const isWhole = fromMs === hour && toMs === hour + hourMs
  if (!isWhole && onMinutes && fromMs >= coverage.minutesFromMs)
    return [{ source: 'usage_minutes', fromMs, toMs, sign: 1 }]
  if (!isLongerPart(hour, hourMs, fromMs, toMs)) return [{ source: 'calls', fromMs, toMs, sign: 1 }]
  const parts: UnassignedPiece[] = [{ source, fromMs: hour, toMs: hour + hourMs, sign: 1 }]
  if (fromMs > hour) parts.push({ source: 'calls', fromMs: hour, toMs: fromMs, sign: -1 })
  if (toMs < hour + hourMs) parts.push({ source: 'calls', fromMs: toMs, toMs: hour + hourMs, sign: -1 })
  return parts
}

/** The later of two equal halves counts as the longer one, so that exactly one of two parts does. */
const isLongerPart = (start: number, lengthMs: number, fromMs: number, toMs: number): boolean =>
  toMs - fromMs > lengthMs / 2 || (toMs - fromMs === lengthMs / 2 && toMs === start + lengthMs)

const floor = (ms: number, stepMs: number): number => Math.floor(ms / stepMs) * stepMs
const negate = (part: UnassignedPiece): UnassignedPiece => ({ ...part, sign: part.sign === 1 ? -1 : 1 })

/** Merges neighbours of one source into one piece: one range of an index. */
function mergeAdjacent(parts: readonly UnassignedPiece[]): UnassignedPiece[] {
  const result: UnassignedPiece[] = []
  for (const part of parts) {
    const last = result.findLast(({ source, sign }) => source === part.source && sign === part.sign)
    if (last?.toMs === part.fromMs) last.toMs = part.toMs
    else result.push({ ...part })
  }
  return result
}
