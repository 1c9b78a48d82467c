import type { CallSelection } from '../calls-link'
import type { Usage, UsageGroup } from '../usage'
import { otherPaint } from './colors/colors'
import type { ChartSeries, Paint, TimePoint } from './types'

export type Measure = 'spendUsd' | 'requests' | 'totalTokens'

/** The ID of the series that sums up all other groups; group IDs contain no parentheses. */
const restId = '(rest)'

interface StackOptions {
  report: Usage
  measure: Measure
  paintOf(group: UsageGroup, n: number): Paint
  nameOf(group: UsageGroup): string
  /** The filter for the calls of a group; null if there is none. */
  filterOf(group: UsageGroup): CallSelection['filter'] | null
  /** The shown series. A bar links to the calls of these series if a filter selects them. */
  only: readonly string[]
  /** The filter of the whole report. */
  filter?: CallSelection['filter']
}

export const groupId = ({ key, second }: UsageGroup) => JSON.stringify(second ? [key, second.key] : [key])

/** Converts a report with `groupSeries` to stacked series, largest first; the last one sums up all other groups. */
export function stackReport({ report, measure, paintOf, nameOf, filterOf, only, filter }: StackOptions): {
  series: ChartSeries[]
  points: TimePoint[]
} {
  const groups = report.groups.filter((group) => group.series !== undefined && group[measure] > 0)
  const others = report.otherSeries ?? []
  const series: ChartSeries[] = groups.map((group, n) => ({
    id: groupId(group),
    name: nameOf(group),
    ink: paintOf(group, n),
  }))
  if (others.some((point) => point[measure] > 0)) series.push({ id: restId, name: 'Other', ink: otherPaint })
  const values = new Map<string, Record<string, number>>()
  const addSeries = (id: string, points: NonNullable<UsageGroup['series']>) => {
    for (const point of points) {
      const at = values.get(point.ts) ?? {}
      values.set(point.ts, at)
      at[id] = point[measure]
    }
  }
  for (const group of groups) addSeries(groupId(group), group.series ?? [])
  addSeries(restId, others)
  const chosen = groups.filter((group) => only.includes(groupId(group)))
  const [alone] = chosen
  const ownFilter = only.length === 1 && alone ? filterOf(alone) : {}
  const points = report.series.map(({ ts }, i): TimePoint => {
    const start = new Date(ts)
    const end = new Date(report.series[i + 1]?.ts ?? report.to)
    return {
      start,
      end,
      values: values.get(ts) ?? {},
      calls: ownFilter === null ? null : { from: start, to: end, filter: { ...filter, ...ownFilter } },
    }
  })
  return { series, points }
}
