import '../charts.css'
import { useId, useMemo, useState } from 'react'
import { nameOfPoint } from '../axis'
import { Patterns } from '../colors/patterns'
import { type ChartLayout, layOut, totalOf } from '../layout'
import type { ChartSeries, TimePoint, TimeSeriesProps } from '../types'
import { useWidth } from '../use-width'
import { Areas, Bars, Before, Forecast } from './marks'
import { PointLinks } from './points'
import { ChartTooltip } from './tooltip'
import { ValuesTable } from './values-table'

/**
 * Stacked values over time. The chart is one labelled image with a link per point on top. The links lead to calls, show values on
 * hover, tap and focus, and form a single tab stop with arrow-key navigation.
 */
export default function TimeSeries(props: TimeSeriesProps) {
  const { label, series, points, interval, timeZone, kind = 'bars', height = 240, only = [] } = props
  const { ref, width } = useWidth<HTMLDivElement>()
  const prefix = useId()
  const [active, setActive] = useState<number | null>(null)
  const shown = useMemo(
    () =>
      series
        .map((each, n) => ({ ...each, n }))
        .filter(
          ({ id }) => only.length === 0 || only.includes(id) || !series.some((s) => only.includes(s.id)),
        ),
    [series, only],
  )
  const layout = useMemo(() => layOut(props, shown, width, height), [props, shown, width, height])
  const isWhole = shown.length === series.length
  const nowAt = props.now ? points.findIndex(({ end }) => end > (props.now ?? end)) : -1
  const at = active !== null && active < points.length ? active : null
  return (
    <figure className="m-0" ref={ref} style={{ height }}>
      {width > 0 && (
        <div className="relative" style={{ height }}>
          <svg role="img" aria-label={label} width={width} height={height} className="block">
            <Patterns prefix={prefix} inks={series.map(({ ink }) => ink)} />
            <Grid layout={layout} />
            {kind === 'bars' ? (
              <Bars points={points} shown={shown} layout={layout} prefix={prefix} active={at} />
            ) : (
              <Areas points={points} shown={shown} layout={layout} prefix={prefix} active={at} />
            )}
            {isWhole && <Forecast points={points} shown={shown} layout={layout} />}
            {isWhole && <Before points={points} shown={shown} layout={layout} isStepped={kind === 'bars'} />}
            {nowAt >= 0 && <Now at={nowAt} layout={layout} interval={interval} note={props.nowNote} />}
          </svg>
          <PointLinks
            points={points}
            layout={layout}
            active={at}
            onActive={setActive}
            nameOf={(point) => describe(point, shown, props)}
            label={`${label} Use the arrow keys to move between points.`}
          />
          {at !== null && points[at] && (
            <ChartTooltip
              point={points[at]}
              title={nameOfPoint(points[at], interval, timeZone)}
              shown={shown}
              isWhole={isWhole}
              format={props.format}
              beforeName={props.beforeName ?? 'previous period'}
              x={layout.x(at) + layout.step / 2}
              width={width}
            />
          )}
          <ValuesTable {...props} shown={shown} />
        </div>
      )}
    </figure>
  )
}

function describe(point: TimePoint, shown: readonly ChartSeries[], props: TimeSeriesProps): string {
  const name = nameOfPoint(point, props.interval, props.timeZone)
  const total = totalOf(point, shown)
  if (total !== null) return `${name}: ${props.format(total)}`
  const { forecast } = point
  return forecast === null || forecast === undefined
    ? `${name}: unknown`
    : `${name}: ${props.format(forecast)} forecast`
}

function Grid({ layout }: { layout: ChartLayout }) {
  const { left, width, base, y, yTicks, xTicks, x, step } = layout
  return (
    <g className="num" fontSize="11" fill="var(--ink-3)">
      {yTicks.map(({ value, text }) => {
        const at = Math.round(y(value)) + 0.5
        return (
          <g key={value}>
            <line
              x1={left}
              x2={width}
              y1={at}
              y2={at}
              stroke={value === 0 ? 'var(--rule-2)' : 'var(--rule)'}
            />
            <text x={left - 8} y={at} dy="0.32em" textAnchor="end">
              {text}
            </text>
          </g>
        )
      })}
      {xTicks.map(({ at, text }) => (
        <text
          key={at}
          x={Math.min(width - text.length * 3.2, Math.max(left + text.length * 3.2, x(at) + step / 2))}
          y={base + 17}
          textAnchor="middle"
        >
          {text}
        </text>
      ))}
    </g>
  )
}

const nowNames = { minute: 'now', hour: 'now', day: 'today', week: 'this week', month: 'this month' }

function Now({
  at,
  layout,
  interval,
  note,
}: {
  at: number
  layout: ChartLayout
  interval: TimeSeriesProps['interval']
  note?: string | undefined
}) {
  const { x, top, base, width } = layout
  const right = Math.min(width - 1, Math.round(x(at + 1))) + 0.5
  const isLate = right > width * 0.7
  // A letter is about six pixels wide at 11 px. If the note does not fit, the line alone is shown.
  const hasRoom = (note?.length ?? 0) * 5.8 + 50 < (isLate ? right : width - right)
  return (
    <g fontSize="11">
      <line x1={right} x2={right} y1={2} y2={base} stroke="var(--ink-3)" strokeDasharray="2 3" />
      <text
        x={right + (isLate ? -6 : 6)}
        y={top - 8}
        textAnchor={isLate ? 'end' : 'start'}
        fill="var(--ink)"
        fontWeight="600"
      >
        {nowNames[interval]}
        {note && hasRoom && (
          <tspan dx="8" fill="var(--ink-3)" fontWeight="400">
            {note}
          </tspan>
        )}
      </text>
    </g>
  )
}
