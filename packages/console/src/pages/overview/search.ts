export const breakdowns = ['team', 'key', 'user', 'model'] as const
export type Breakdown = (typeof breakdowns)[number]

/** The search parameters of the overview, without the time range. */
export interface OverviewSearch {
  /** The dimension of the spend breakdown. */
  by?: Breakdown
  /** The series shown in the chart; all if absent. */
  only?: string[]
  /** Also draws the previous period. */
  before?: true
}

export function readOverviewSearch({ by, only, before }: Record<string, unknown>): OverviewSearch {
  const read: OverviewSearch = {}
  const breakdown = breakdowns.find((each) => each === by)
  if (breakdown) read.by = breakdown
  const ids = Array.isArray(only) ? only.filter((id): id is string => typeof id === 'string') : []
  if (ids.length > 0) read.only = ids
  if (before === true) read.before = true
  return read
}
