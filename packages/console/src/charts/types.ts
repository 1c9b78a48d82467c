import type { CallsOf } from '../calls-link'
import type { Interval } from '../time/span'

/** How a series is painted: a colour of the theme, and a pattern for print and for those who ask for more contrast. */
export interface Paint {
  color: string
  /** Which of the patterns; 0 is none. */
  pattern: number
}

export interface ChartSeries {
  id: string
  name: string
  ink: Paint
}

export interface TimePoint {
  start: Date
  /** Not part of it. */
  end: Date
  /** By the id of the series. Null where nothing is known, which is not zero: the future, or before anything was counted. */
  values: Readonly<Record<string, number>> | null
  /** What the whole interval is expected to come to, where it is not over yet. */
  forecast?: number | null
  /** The same interval of the period before. */
  before?: number | null
  /** The calls that sum to it. */
  calls?: CallsOf | null
}

export interface TimeSeriesProps {
  /** The answer, for who cannot see the plot: spend by day, most on 3 November with $431.20. */
  label: string
  /** Bottom first: the largest. */
  series: readonly ChartSeries[]
  points: readonly TimePoint[]
  interval: Interval
  timeZone: string
  kind?: 'bars' | 'area'
  height?: number
  /** Of one value, with all digits that matter. */
  format(value: number): string
  /** Of the axis, short. */
  formatAxis(value: number): string
  /** The values are counts: no half steps on the axis. */
  isWhole?: boolean
  /** Where what is known ends; drawn as a line. */
  now?: Date | null
  /** Beside the line: forecast from here. */
  nowNote?: string
  /** What the line of the period before is called. */
  beforeName?: string
  /** The series that are shown; none means all of them. */
  only?: readonly string[]
}
