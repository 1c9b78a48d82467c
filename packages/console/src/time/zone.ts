interface LocalTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  return format
}

/** The local date and time in a time zone. */
export function localTimeIn(at: Date, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return { year, month, day, hour, minute, second }
}

/** The moment at which a day starts in a time zone. `month` counts from 1; days and months may overflow. */
export function midnight(year: number, month: number, day: number, timeZone: string): Date {
  const asIfUtc = Date.UTC(year, month - 1, day)
  // The offset depends on the moment itself, so two steps are needed near a clock change.
  let at = asIfUtc
  for (let step = 0; step < 2; step += 1) at = asIfUtc - offsetMs(new Date(at), timeZone)
  return new Date(at)
}

function offsetMs(at: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTimeIn(at, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1_000) * 1_000
}

export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** A moment in the format of `<input type="datetime-local">`, in the browser's time zone. */
export const toLocalInput = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
