import { lazy, Suspense } from 'react'
import { Skeleton } from '../components'
import type { TimeSeriesProps } from './types'

export { otherPaint, paintOf, paintOfOutcome } from './colors/colors'
export { useModelPaints } from './colors/model-colors'
export { CallBars } from './density/call-bars'
export { Legend, Swatch } from './legend'
export { HorizontalShare } from './share'
export { Sparkline } from './sparkline'
export { groupId, type Measure, stackReport } from './stacked'
export type { Paint, TimePoint, TimeSeriesProps } from './types'

const LazyTimeSeries = lazy(() => import('./time-series/time-series'))

/** A lazily loaded time series, with a placeholder of the same size. */
export function TimeSeries(props: TimeSeriesProps) {
  const { height = 240 } = props
  return (
    <Suspense fallback={<ChartSkeleton height={height} />}>
      <LazyTimeSeries {...props} />
    </Suspense>
  )
}

export const ChartSkeleton = ({ height = 240 }: { height?: number }) => (
  <div style={{ height }} className="flex">
    <Skeleton className="h-full w-full" />
  </div>
)
