/** The search parameters of the page. */
export interface ComplianceSearch {
  /** The number of days before now; ignored if a month is set. */
  days?: number
  /** A month in UTC, `2026-11`. */
  period?: string
  /** The framework of the pack in the side panel. */
  pack?: string
}

export function readComplianceSearch({ days, period, pack }: Record<string, unknown>): ComplianceSearch {
  const read: ComplianceSearch = {}
  if (typeof period === 'string' && /^2\d{3}-(0[1-9]|1[0-2])$/.test(period)) read.period = period
  else if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= 366) read.days = days
  if (typeof pack === 'string' && pack !== '') read.pack = pack
  return read
}

export const defaultDays = 30
