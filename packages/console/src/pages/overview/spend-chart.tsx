import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ChartSkeleton, Legend, stackReport, type TimePoint, TimeSeries, useModelPaints } from '../../charts'
import { cx, ErrorState, Section } from '../../components'
import { formatUsd, formatUsdShort } from '../../format'
import type { ChosenSpan } from '../../time/use-span'
import type { Usage } from '../../usage'
import { filterOfGroup, nameOfGroup } from '../../usage-dimensions'
import type { OverviewSearch } from './search'

export interface ForecastDays {
  days: readonly { ts: string; forecastUsd: number | null }[]
  to: string
}

interface SpendChartProps {
  span: ChosenSpan
  report: Usage | undefined
  error: unknown
  retry(): void
  forecast: ForecastDays | undefined
  /** The previous period in the same intervals; undefined if it is not compared. */
  before: Usage | undefined
  search: OverviewSearch
}

const height = 260
const none: readonly string[] = []
const titles = {
  minute: 'per minute',
  hour: 'per hour',
  day: 'per day',
  week: 'per week',
  month: 'per month',
}

/** Spend over time by model, with a forecast to the end of the month. */
export function SpendChart({ span, report, error, retry, forecast, before, search }: SpendChartProps) {
  const navigate = useNavigate({ from: '/' })
  const paintOf = useModelPaints()
  const only = search.only ?? none
  const isMonth = span.range === 'month'
  const plot = useMemo(() => {
    if (!report || !paintOf) return undefined
    const stacked = stackReport({
      report,
      measure: 'spendUsd',
      paintOf: ({ key }) => paintOf(key),
      nameOf: (group) => nameOfGroup(['model'], group),
      filterOf: (group) => filterOfGroup(['model'], group),
      only,
    })
    const points = isMonth && forecast ? withForecast(stacked.points, forecast) : stacked.points
    return { series: stacked.series, points: before ? withBefore(points, before) : points }
  }, [report, paintOf, only, isMonth, forecast, before])
  const change = (next: Partial<OverviewSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const expected = forecast?.days.flatMap(({ forecastUsd }) => forecastUsd ?? []) ?? []
  const perDay = expected.length > 1 ? expected.reduce((sum, usd) => sum + usd, 0) / expected.length : null
  return (
    <Section
      title={`Spend, ${titles[report?.interval ?? 'day']}`}
      aside={
        <span className="flex flex-wrap items-center gap-x-1">
          {plot && (
            <Legend
              series={plot.series}
              only={only}
              onOnly={(ids) => change({ only: ids.length > 0 ? ids : undefined })}
            />
          )}
          <button
            type="button"
            aria-pressed={search.before === true}
            onClick={() => change({ before: search.before ? undefined : true })}
            className={cx(
              'inline-flex h-6 items-center gap-1.5 rounded-sm px-1.5 text-xs hover:bg-sunken',
              search.before ? 'font-medium text-ink' : 'text-ink-3',
            )}
          >
            <svg aria-hidden width="14" height="10">
              <path d="M0 5H14" stroke="currentColor" strokeWidth="1.5" />
            </svg>
            {isMonth ? 'last month' : 'previous period'}
          </button>
        </span>
      }
    >
      {error && !report ? (
        <ErrorState error={error} retry={retry} />
      ) : plot && report ? (
        <TimeSeries
          label={labelOfChart(report, plot.points, span.timeZone)}
          series={plot.series}
          points={plot.points}
          interval={report.interval}
          timeZone={span.timeZone}
          height={height}
          format={formatUsd}
          formatAxis={formatUsdShort}
          now={isMonth ? span.to : null}
          {...(perDay !== null && { nowNote: `forecast from here: ${formatUsd(perDay)} a day` })}
          beforeName={isMonth ? 'last month' : 'previous period'}
          only={only}
        />
      ) : (
        <ChartSkeleton height={height} />
      )}
    </Section>
  )
}

/** Adds the remaining days of the month with their forecast. */
function withForecast(points: readonly TimePoint[], { days, to }: ForecastDays): TimePoint[] {
  const known = new Map(points.map((point) => [point.start.getTime(), point]))
  return days.map(({ ts, forecastUsd }, i) => {
    const start = new Date(ts)
    const end = new Date(days[i + 1]?.ts ?? to)
    const point = known.get(start.getTime())
    if (point) return { ...point, end, forecast: forecastUsd }
    return { start, end, values: null, forecast: forecastUsd }
  })
}

/** Adds the previous period point by point: its first day beside the first day. */
const withBefore = (points: readonly TimePoint[], before: Usage): TimePoint[] =>
  points.map((point, i) => ({ ...point, before: before.series[i]?.spendUsd ?? null }))

function labelOfChart(report: Usage, points: readonly TimePoint[], timeZone: string): string {
  const most = report.series.reduce<Usage['series'][number] | null>(
    (top, point) => (point.spendUsd > (top?.spendUsd ?? 0) ? point : top),
    null,
  )
  const at =
    most && new Date(most.ts).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone })
  const all = `Spend by model, ${formatUsd(report.totals.spendUsd)} in total`
  return most
    ? `${all}; most on ${at} with ${formatUsd(most.spendUsd)}.`
    : `${all}, in ${points.length} intervals.`
}
