import { lazy, Suspense } from 'react'
import { Skeleton } from '../parts'
import type { TimeSeriesProps } from './types'

export { inkOf, inkOfOutcome, restInk } from './ink'
export { Legend, Swatch } from './legend'
export { Notches } from './notches'
export { useModelInk } from './series-colours'
export { HorizontalShare } from './share'
export { Sparkline } from './sparkline'
export { groupId, type Measure, stackReport } from './stacked'
export type { Ink, TimePoint, TimeSeriesProps } from './types'

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
