import type { CallSelection } from '../calls-link'
import type { Interval } from '../time/span'

/** A theme colour, and a pattern for print and high contrast. */
export interface Paint {
  color: string
  /** The pattern number; 0 is none. */
  pattern: number
}

export interface ChartSeries {
  id: string
  name: string
  ink: Paint
}

export interface TimePoint {
  start: Date
  /** Exclusive. */
  end: Date
  /** Values by series ID. Null means unknown, which is not zero: the future, or before the first data. */
  values: Readonly<Record<string, number>> | null
  /** The forecast for an interval that is not over yet. */
  forecast?: number | null
  /** The value of the same interval in the previous period. */
  before?: number | null
  /** The calls that the value sums up. */
  calls?: CallSelection | null
}

export interface TimeSeriesProps {
  /** The accessible name, which states the result: spend by day, most on 3 November with $431.20. */
  label: string
  /** Bottom first, which is the largest. */
  series: readonly ChartSeries[]
  points: readonly TimePoint[]
  interval: Interval
  timeZone: string
  kind?: 'bars' | 'area'
  height?: number
  /** Formats a value with all significant digits. */
  format(value: number): string
  /** Formats an axis label. */
  formatAxis(value: number): string
  /** The values are counts, so the axis has no fractions. */
  isWhole?: boolean
  /** The end of the known data, drawn as a line. */
  now?: Date | null
  /** The label of that line, such as: forecast from here. */
  nowNote?: string
  /** The name of the line of the previous period. */
  beforeName?: string
  /** The shown series; all if absent. */
  only?: readonly string[]
}
