import { area, curveMonotoneX, curveStep, line } from 'd3-shape'
import { patternId } from '../colors/patterns'
import { type ChartLayout, totalOf } from '../layout'
import type { ChartSeries, TimePoint } from '../types'

interface MarksProps {
  points: readonly TimePoint[]
  /** The shown series with their pattern numbers. */
  shown: readonly (ChartSeries & { n: number })[]
  layout: ChartLayout
  prefix: string
  /** The point under the pointer; the others are dimmed. */
  active: number | null
}

/** One stacked column per point, with a thin gap between parts so that they differ without colour. */
export function Bars({ points, shown, layout, prefix, active }: MarksProps) {
  const { x, y, base, step, barWidth } = layout
  const inset = (step - barWidth) / 2
  return points.map((point, n) => {
    if (point.values === null) return null
    const total = totalOf(point, shown) ?? 0
    const left = x(n) + inset
    let sum = 0
    return (
      <g key={point.start.getTime()} opacity={active === null || active === n ? 1 : 0.55}>
        {total === 0 && <rect x={left} y={base - 1} width={barWidth} height={1} fill="var(--rule-2)" />}
        {shown.map(({ id, n: ink }) => {
          const value = point.values?.[id] ?? 0
          if (value <= 0) return null
          const bottom = y(sum)
          sum += value
          const height = bottom - y(sum)
          const gap = height > 2.5 && sum < total ? 1 : 0
          return (
            <rect
              key={id}
              x={left}
              y={bottom - height + gap}
              width={barWidth}
              height={Math.max(height - gap, 0.75)}
              fill={`url(#${patternId(prefix, ink)})`}
            />
          )
        })}
      </g>
    )
  })
}

/** Stacked areas, for many points. Unknown values leave a gap. */
export function Areas({ points, shown, layout, prefix, active }: MarksProps) {
  const { x, y, step, top, base } = layout
  const stacked = points.map((point) => {
    let sum = 0
    return shown.map(({ id }) => {
      const from = sum
      sum += point.values?.[id] ?? 0
      return [from, sum] as const
    })
  })
  return (
    <>
      {shown.map(({ id, n: ink }, k) => {
        const shape = area<TimePoint>()
          .defined(({ values }) => values !== null)
          .x((_, n) => x(n) + step / 2)
          .y0((_, n) => y(stacked[n]?.[k]?.[0] ?? 0))
          .y1((_, n) => y(stacked[n]?.[k]?.[1] ?? 0))
          .curve(curveMonotoneX)
        return (
          <path
            key={id}
            d={shape([...points]) ?? ''}
            fill={`url(#${patternId(prefix, ink)})`}
            stroke="var(--ground)"
            strokeWidth="1"
          />
        )
      })}
      {active !== null && (
        <line
          x1={x(active) + step / 2}
          x2={x(active) + step / 2}
          y1={top}
          y2={base}
          stroke="var(--ink)"
          strokeWidth="1"
        />
      )}
    </>
  )
}

interface TotalsProps {
  points: readonly TimePoint[]
  shown: readonly ChartSeries[]
  layout: ChartLayout
}

/** The forecast as outlines, above the known part of an interval or alone. */
export function Forecast({ points, shown, layout }: TotalsProps) {
  const { x, y, base, step, barWidth } = layout
  const inset = (step - barWidth) / 2
  return points.map((point, n) => {
    const { forecast } = point
    if (forecast === undefined || forecast === null) return null
    const known = totalOf(point, shown) ?? 0
    if (forecast <= known) return null
    const left = x(n) + inset + 0.5
    const right = x(n) + inset + barWidth - 0.5
    const top = Math.round(y(forecast)) + 0.5
    const bottom = known > 0 ? y(known) : base
    return (
      <path
        key={point.start.getTime()}
        d={`M${left} ${bottom}V${top}H${right}V${bottom}`}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth="1"
        strokeDasharray="3 3"
      />
    )
  })
}

/** The previous period as a thin line. */
export function Before({ points, layout, isStepped }: TotalsProps & { isStepped: boolean }) {
  const { x, y, step } = layout
  const shape = line<TimePoint>()
    .defined(({ before }) => before !== undefined && before !== null)
    .x((_, n) => x(n) + step / 2)
    .y(({ before }) => y(before ?? 0))
    .curve(isStepped ? curveStep : curveMonotoneX)
  return (
    <path
      d={shape([...points]) ?? ''}
      fill="none"
      stroke="var(--ink)"
      strokeOpacity="0.55"
      strokeWidth="1.25"
      strokeLinejoin="round"
    />
  )
}
