import './charts.css'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import { toCallsSearch } from '../calls-link'
import { nameOfPoint } from './axis'
import { Patterns } from './colors/patterns'
import { type ChartLayout, layOut, totalOf } from './layout'
import { Areas, Bars, Before, Forecast } from './marks'
import { ChartTooltip } from './tooltip'
import type { ChartSeries, TimePoint, TimeSeriesProps } from './types'
import { useWidth } from './use-width'

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
          <Points
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

interface PointsProps {
  points: readonly TimePoint[]
  layout: ChartLayout
  active: number | null
  onActive(at: number | null): void
  nameOf(point: TimePoint): string
  label: string
}

function Points({ points, layout, active, onActive, nameOf, label }: PointsProps) {
  const list = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState<number | null>(null)
  const lastKnown = points.findLastIndex(({ values }) => values !== null)
  const tabAt = stop !== null && stop < points.length ? stop : Math.max(0, lastKnown)
  const onKeyDown = (event: KeyboardEvent) => {
    const by: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -points.length,
      End: points.length,
    }
    const move = by[event.key]
    if (event.key === 'Escape') onActive(null)
    if (move === undefined) return
    event.preventDefault()
    const next = Math.min(points.length - 1, Math.max(0, tabAt + move))
    setStop(next)
    const element = list.current?.children[next]
    if (element instanceof HTMLElement) element.focus()
  }
  /** On touch screens the first tap shows the values and the second follows the link. */
  const fingerShown = useRef<number | null>(null)
  return (
    <div
      ref={list}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      onPointerLeave={() => onActive(null)}
    >
      {points.map((point, n) => {
        const shared = {
          'aria-label': nameOf(point),
          tabIndex: n === tabAt ? 0 : -1,
          className: 'absolute -outline-offset-1',
          style: {
            left: layout.x(n),
            width: Math.max(layout.step, 1),
            top: layout.top,
            height: layout.base - layout.top,
          },
          onFocus: () => {
            setStop(n)
            onActive(n)
          },
          onBlur: () => onActive(null),
          onPointerEnter: (event: PointerEvent) => {
            if (event.pointerType === 'mouse') onActive(n)
          },
          onPointerDown: (event: PointerEvent) => {
            if (event.pointerType === 'mouse') return
            fingerShown.current = active === n ? null : n
            onActive(n)
          },
        }
        const { calls } = point
        const key = point.start.getTime()
        if (!calls) return <span key={key} role="img" {...shared} />
        return (
          <Link
            key={key}
            to="/calls"
            search={toCallsSearch(calls)}
            preload={false}
            {...shared}
            onClick={(event) => {
              if (fingerShown.current === n) event.preventDefault()
              fingerShown.current = null
            }}
          />
        )
      })}
    </div>
  )
}

/** The values as a table for screen readers. */
function ValuesTable({
  label,
  points,
  interval,
  timeZone,
  format,
  shown,
}: TimeSeriesProps & { shown: readonly ChartSeries[] }) {
  const known = points.filter(({ values }) => values !== null)
  return (
    // Tables do not shrink below their content, so the wrapper is hidden instead.
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {shown.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {known.map((point) => (
            <tr key={point.start.getTime()}>
              <th scope="row">{nameOfPoint(point, interval, timeZone)}</th>
              {shown.map(({ id }) => (
                <td key={id}>{format(point.values?.[id] ?? 0)}</td>
              ))}
              <td>{format(totalOf(point, shown) ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
