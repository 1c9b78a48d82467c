const formats = new Map<string, { clock: Intl.DateTimeFormat; day: Intl.DateTimeFormat }>()

/** Formats are cached by time zone, because creating one takes longer than rendering a row. */
function createFormats(timeZone: string) {
  let found = formats.get(timeZone)
  if (!found) {
    found = {
      clock: new Intl.DateTimeFormat('en-GB', {
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        timeZone,
      }),
      day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone }),
    }
    formats.set(timeZone, found)
  }
  return found
}

/** The local time and day, such as 14:02:51 and 16 Nov. */
export function formatLocal(at: string | Date, timeZone: string): { clock: string; day: string } {
  const moment = typeof at === 'string' ? Date.parse(at) : at
  const { clock, day } = createFormats(timeZone)
  return { clock: clock.format(moment), day: day.format(moment) }
}
