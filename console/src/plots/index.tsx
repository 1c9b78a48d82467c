import { lazy, Suspense } from 'react'
import { Skeleton } from '../parts'
import type { TimeSeriesProps } from './types'

export { inkOf, inkOfOutcome, restInk } from './ink'
export { Legend, type LegendProps, Swatch } from './legend'
export { type Notch, Notches, type NotchesProps } from './notches'
export { useModelInk } from './series-colours'
export { HorizontalShare, type ShareProps } from './share'
export { Sparkline, type SparklineProps } from './sparkline'
export { groupId, type Measure, restId, stackReport } from './stacked'
export type { Ink, PlotSeries, TimePoint, TimeSeriesProps } from './types'

const LazyTimeSeries = lazy(() => import('./time-series'))

/** Values over time, stacked; comes when it is needed, into the place that is kept for it. */
export function TimeSeries(props: TimeSeriesProps) {
  const { height = 240 } = props
  return (
    <Suspense fallback={<PlotSkeleton height={height} />}>
      <LazyTimeSeries {...props} />
    </Suspense>
  )
}

export const PlotSkeleton = ({ height = 240 }: { height?: number }) => (
  <div style={{ height }} className="flex">
    <Skeleton className="h-full w-full" />
  </div>
)
