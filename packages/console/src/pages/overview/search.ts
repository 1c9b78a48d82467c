export const breakdowns = ['team', 'key', 'user', 'model'] as const
export type Breakdown = (typeof breakdowns)[number]

/** What the address says of this page, beside the time range. */
export interface OverviewSearch {
  /** Where it goes: by what. */
  by?: Breakdown
  /** The models that the plot shows; none means all. */
  only?: string[]
  /** The period before is drawn, too. */
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
