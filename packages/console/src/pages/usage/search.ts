import type { Interval } from '../../time/span'
import { type Dimension, isNamedDimension, isTagDimension } from '../../usage-dimensions'
import { type CallsSearch, readCallsSearch } from '../calls/search'

export const measures = ['spend', 'calls', 'tokens'] as const
export type UsageMeasure = (typeof measures)[number]

export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const satisfies readonly Interval[]

/** The search parameters of the usage page, without the time range: filters of calls, and display options. */
export interface UsageSearch extends Omit<CallsSearch, 'call'> {
  /** One or two dimensions. */
  by?: Dimension[]
  measure?: UsageMeasure
  /** The default depends on the length of the span. */
  interval?: Interval
  plot?: 'area'
  compare?: true
  /** The series shown in the chart; all if absent. */
  only?: string[]
}

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { call: _, ...filters } = readCallsSearch(search)
  const read: UsageSearch = filters
  const given = Array.isArray(search.by) ? search.by : [search.by]
  const by = [
    ...new Set(
      given.filter(
        (name): name is Dimension =>
          typeof name === 'string' && (isNamedDimension(name) || isTagDimension(name)),
      ),
    ),
  ].slice(0, 2)
  if (by.length > 0) read.by = by
  const measure = measures.find((each) => each === search.measure)
  if (measure) read.measure = measure
  const interval = intervals.find((each) => each === search.interval)
  if (interval) read.interval = interval
  if (search.plot === 'area') read.plot = 'area'
  if (search.compare === true) read.compare = true
  const only = Array.isArray(search.only) ? search.only.filter((id) => typeof id === 'string') : []
  if (only.length > 0) read.only = only
  return read
}
