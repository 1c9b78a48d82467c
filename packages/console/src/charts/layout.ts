import { scaleLinear } from 'd3-scale'
import { type TimeTick, timeTicks } from './axis'
import type { TimePoint, TimeSeriesProps } from './types'

const top = 18
/** Wider bars look like blocks. */
const maxBarWidth = 88
const bottom = 24

/** The approximate width of tabular figures at 11 px. */
const charWidth = 6.4

export interface ChartLayout {
  width: number
  height: number
  left: number
  top: number
  /** The y coordinate of zero. */
  base: number
  /** The distance between two points. */
  step: number
  barWidth: number
  /** The left edge of the nth point. */
  x(n: number): number
  y(value: number): number
  yTicks: { value: number; text: string }[]
  xTicks: TimeTick[]
}

/** The sum of the shown series at a point; null if unknown. */
export const totalOf = (point: TimePoint, shown: readonly { id: string }[]): number | null =>
  point.values === null ? null : shown.reduce((sum, { id }) => sum + (point.values?.[id] ?? 0), 0)

export function layOut(
  props: TimeSeriesProps,
  shown: readonly { id: string }[],
  width: number,
  height: number,
): ChartLayout {
  const { points, interval, timeZone, formatAxis, isWhole } = props
  const isFiltered = shown.length < props.series.length
  const max = points.reduce(
    (most, point) =>
      Math.max(
        most,
        totalOf(point, shown) ?? 0,
        isFiltered ? 0 : (point.forecast ?? 0),
        isFiltered ? 0 : (point.before ?? 0),
      ),
    0,
  )
  const base = height - bottom
  const y = scaleLinear()
    .domain([0, max || 1])
    .nice(4)
    .range([base, top])
  const ticks = max === 0 ? [0] : y.ticks(4)
  const values = isWhole ? ticks.filter(Number.isInteger) : ticks
  // Either all labels have cents or none.
  const isRound = values.every(Number.isInteger)
  const yTicks = values.map((value) => {
    const text = formatAxis(value)
    return { value, text: isRound ? text.replace(/\.0+$/, '') : text }
  })
  const left = Math.ceil(Math.max(...yTicks.map(({ text }) => text.length)) * charWidth) + 12
  const step = Math.max(0, width - left) / Math.max(1, points.length)
  const gap = Math.min(10, Math.max(1, step * 0.2))
  const widestTick = interval === 'day' ? 46 : 58
  return {
    width,
    height,
    left,
    top,
    base,
    step,
    barWidth: Math.max(1, Math.min(maxBarWidth, step - gap)),
    x: (n) => left + n * step,
    y: (value) => y(value),
    yTicks,
    xTicks: timeTicks(points, interval, timeZone, Math.max(2, Math.floor((width - left) / widestTick))),
  }
}
