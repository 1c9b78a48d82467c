export type Period = 'daily' | 'weekly' | 'monthly' | 'total'

/** `end` is exclusive; null for a period that never ends. */
export interface PeriodBounds {
  start: Date
  end: Date | null
}

/** The calendar period, in UTC, that contains a time. Weeks start on Monday, as in ISO 8601. */
export function periodAt(period: Period, at: Date): PeriodBounds {
  const year = at.getUTCFullYear()
  const month = at.getUTCMonth()
  const day = at.getUTCDate()
  switch (period) {
    case 'daily':
      return bounds(Date.UTC(year, month, day), Date.UTC(year, month, day + 1))
    case 'weekly': {
      const monday = day - ((at.getUTCDay() + 6) % 7)
      return bounds(Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7))
    }
    case 'monthly':
      return bounds(Date.UTC(year, month), Date.UTC(year, month + 1))
    case 'total':
      return { start: new Date(0), end: null }
  }
}

const bounds = (startMs: number, endMs: number): PeriodBounds => ({
  start: new Date(startMs),
  end: new Date(endMs),
})
