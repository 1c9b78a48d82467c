export type Period = 'daily' | 'weekly' | 'monthly' | 'total'

/** From `start`, up to but not including `end`; a period without an end runs for good. */
export interface Span {
  start: Date
  end: Date | null
}

/** The period that a moment falls into, by the calendar in UTC. Weeks begin on Monday, as ISO 8601 has it. */
export function periodAt(period: Period, at: Date): Span {
  const year = at.getUTCFullYear()
  const month = at.getUTCMonth()
  const day = at.getUTCDate()
  switch (period) {
    case 'daily':
      return span(Date.UTC(year, month, day), Date.UTC(year, month, day + 1))
    case 'weekly': {
      const monday = day - ((at.getUTCDay() + 6) % 7)
      return span(Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7))
    }
    case 'monthly':
      return span(Date.UTC(year, month), Date.UTC(year, month + 1))
    case 'total':
      return { start: new Date(0), end: null }
  }
}

const span = (startMs: number, endMs: number): Span => ({ start: new Date(startMs), end: new Date(endMs) })
