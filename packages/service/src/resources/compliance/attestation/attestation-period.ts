import { invalidField } from '../../../shared/errors.js'

/** The time that an attestation covers; `toTs` is exclusive. */
export interface Period {
  label: string
  days: number
  fromTs: string
  toTs: string
}

const dayMs = 86_400_000
export const defaultDays = 30

/** Returns the last days up to now, or a calendar month in UTC. */
export function readPeriod({ days, period }: { days?: number; period?: string }, now: Date): Period {
  if (days !== undefined && period !== undefined) throw invalidField('period', 'goes without days')
  return period === undefined ? lastDays(days ?? defaultDays, now) : calendarMonth(period)
}

function lastDays(days: number, now: Date): Period {
  const fromTs = new Date(now.getTime() - days * dayMs).toISOString()
  return { label: `last-${days}-days`, days, fromTs, toTs: now.toISOString() }
}

function calendarMonth(month: string): Period {
  const from = new Date(`${month}-01T00:00:00.000Z`)
  const to = new Date(from)
  to.setUTCMonth(to.getUTCMonth() + 1)
  const days = Math.round((to.getTime() - from.getTime()) / dayMs)
  return { label: month, days, fromTs: from.toISOString(), toTs: to.toISOString() }
}
