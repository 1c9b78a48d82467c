import { useMemo } from 'react'
import { type Measure, paintOf, paintOfOutcome, stackReport, useModelPaints } from '../../charts'
import type { Usage, UsageGroup } from '../../usage'
import { type Dimension, filterOfGroup, nameOfGroup } from '../../usage-dimensions'
import type { CallsSearch } from '../calls/search'

/** The chart data. Models and outcomes have fixed colours; other groups are coloured by position. */
export function useChart(
  report: Usage | undefined,
  by: readonly Dimension[],
  measure: Measure,
  only: readonly string[],
  filter: CallsSearch,
  before: Usage | undefined,
) {
  const modelInk = useModelPaints()
  const dimensions = by.join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: dimensions are compared by their names
  return useMemo(() => {
    if (!report || !modelInk) return undefined
    const inkFor = (group: UsageGroup, n: number) => {
      if (dimensions === 'model') return modelInk(group.key)
      return dimensions === 'outcome' ? paintOfOutcome(group.key) : paintOf(n)
    }
    const plot = stackReport({
      report,
      measure,
      paintOf: inkFor,
      nameOf: (group) => nameOfGroup(by, group),
      filterOf: (group) => filterOfGroup(by, group),
      only,
      filter,
    })
    if (!before) return plot
    const points = plot.points.map((point, i) => ({ ...point, before: before.series[i]?.[measure] ?? null }))
    return { ...plot, points }
  }, [report, modelInk, dimensions, measure, only, filter, before])
}
