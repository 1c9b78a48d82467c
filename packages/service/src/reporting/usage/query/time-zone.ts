// Calendar arithmetic in a time zone, based on the only operation that `Intl` offers: the local time at an instant.
// Instants are in milliseconds since the epoch.

// Keyed by lower-case names: a caller could otherwise fill the memory with spellings that differ only in case.
// Bounded: time zones of the IANA database, in lower case.
const formats = new Map<string, ZoneFormat>()

interface ZoneFormat {
  format: Intl.DateTimeFormat
  /** The order in which it writes its numbers. */
  order: (keyof WallClock)[]
}

/** Throws a RangeError for a name that is not a time zone. */
function formatOf(timeZone: string): ZoneFormat {
  const name = timeZone.toLowerCase()
  const known = formats.get(name)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const order = format.formatToParts(0).flatMap(({ type }) => (isClockField(type) ? [type] : []))
  const made = { format, order }
  formats.set(name, made)
  return made
}

/** Returns how many zones have been used so far. */
export const knownZones = (): number => formats.size

/**
 * True for a name of the IANA database, in any case; false for an offset such as +01:00, which has no daylight
 * saving.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

export interface WallClock {
  year: number
  /** From 1. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

export function wallClockAt(timeZone: string, ms: number): WallClock {
  if (timeZone === 'UTC') {
    const at = new Date(ms)
    return {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
    }
  }
  // Parsed from the text, because `formatToParts` takes three times as long.
  const { format, order } = formatOf(timeZone)
  const numbers = format.format(ms).match(/\d+/g) ?? []
  const clock: WallClock = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const [i, field] of order.entries()) clock[field] = Number(numbers[i])
  return clock
}

const clockFields: readonly string[] = ['year', 'month', 'day', 'hour', 'minute', 'second']
const isClockField = (type: string): type is keyof WallClock => clockFields.includes(type)

/** Returns what is added to UTC to get local time. */
function offsetAt(timeZone: string, ms: number): number {
  if (timeZone === 'UTC') return 0
  const { year, month, day, hour, minute, second } = wallClockAt(timeZone, ms)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000
}

/**
 * Returns when a local date begins. At a change of the clock midnight may occur twice: the first one counts. It may
 * also be skipped: then the date begins at the change. `month` is from 1; days beyond the month continue in the
 * next, as in `Date.UTC`.
 */
export function startOfDate(timeZone: string, year: number, month: number, day: number): number {
  const midnight = Date.UTC(year, month - 1, day)
  if (timeZone === 'UTC') return midnight
  const dayMs = 86_400_000
  const before = offsetAt(timeZone, midnight - dayMs)
  const after = offsetAt(timeZone, midnight + dayMs)
  const found = [...new Set([before, after])]
    .filter((offset) => offsetAt(timeZone, midnight - offset) === offset)
    .map((offset) => midnight - offset)
  if (found.length > 0) return Math.min(...found)
  // Skipped: the first time with another offset, to the second.
  let [low, high] = [midnight - dayMs, midnight + dayMs]
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000
    if (offsetAt(timeZone, middle) === before) low = middle
    else high = middle
  }
  return high
}
