import { useQuery } from '@tanstack/react-query'
import { ChartSkeleton, paintOf, TimeSeries } from './charts'
import { ErrorState } from './components'
import { formatUsd, formatUsdShort } from './format'
import type { CallsSearch } from './pages/calls/search'
import type { Interval } from './time/span'
import { type UsageQuery, usageQuery } from './usage'

export interface SpendChartProps {
  /** Selects the calls whose spend is charted. */
  filter: Omit<CallsSearch, 'call' | 'tags' | 'outcome'>
  /** A tag that the calls must have. */
  tag?: { name: string; value: string }
  from: Date
  to: Date
  interval: Interval
  timeZone: string
  height?: number
}

const spend = [{ id: 'spend', name: 'spend', ink: paintOf(0) }]

/** Spend over time; each bar links to its calls. */
export function SpendChart({ filter, tag, from, to, interval, timeZone, height = 120 }: SpendChartProps) {
  const query: UsageQuery & Record<`tag.${string}`, string> = {
    ...filter,
    ...(tag && { [`tag.${tag.name}`]: tag.value }),
    from: from.toISOString(),
    ...(to.getTime() < Date.now() && { to: to.toISOString() }),
    interval,
    timeZone,
  }
  const usage = useQuery(usageQuery(query))
  if (usage.error && !usage.data) return <ErrorState error={usage.error} retry={() => void usage.refetch()} />
  if (!usage.data) return <ChartSkeleton height={height} />
  const { series, totals } = usage.data
  const points = series.map(({ ts, spendUsd }, n) => {
    const span = { start: new Date(ts), end: new Date(series[n + 1]?.ts ?? to) }
    const tags = tag && { tags: [`${tag.name}=${tag.value}`] }
    return {
      ...span,
      values: { spend: spendUsd },
      calls: { from: span.start, to: span.end, filter: { ...filter, ...tags } },
    }
  })
  return (
    <TimeSeries
      label={`Spend by ${interval}, ${formatUsd(totals.spendUsd)} in total.`}
      series={spend}
      points={points}
      interval={interval}
      timeZone={timeZone}
      height={height}
      format={formatUsd}
      formatAxis={formatUsdShort}
    />
  )
}
