import type { SpendAccount } from '../../../shared/spend-account.js'

export type Period = 'daily' | 'weekly' | 'monthly' | 'total'

type PeriodBounds = Pick<SpendAccount, 'startMs' | 'endMs'>

/** Returns the calendar period, in UTC, that contains a time. Weeks start on Monday, as in ISO 8601. */
export function periodAt(period: Period, at: Date): PeriodBounds {
  const year = at.getUTCFullYear()
  const month = at.getUTCMonth()
  const day = at.getUTCDate()
  switch (period) {
    case 'daily':
      return { startMs: Date.UTC(year, month, day), endMs: Date.UTC(year, month, day + 1) }
    case 'weekly': {
      const monday = day - ((at.getUTCDay() + 6) % 7)
      return { startMs: Date.UTC(year, month, monday), endMs: Date.UTC(year, month, monday + 7) }
    }
    case 'monthly':
      return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
    case 'total':
      return { startMs: 0, endMs: null }
  }
}
