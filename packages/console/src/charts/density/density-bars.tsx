import { memo } from 'react'
import { bucketParts, countCalls } from './bucket-counts'
import type { DensityBucket } from './use-density'

// Memoised, because the pointer moves far more often than the data changes.
export const DensityBars = memo(function CallBars({
  buckets,
  height,
}: {
  buckets: readonly DensityBucket[]
  height: number
}) {
  const busiest = Math.max(1, ...buckets.map(countCalls))
  const room = height - 2
  // Counts above zero stay visible beside much larger ones.
  const high = (calls: number) => (calls === 0 ? 0 : Math.max(2, (calls / busiest) * room))
  return (
    <svg
      aria-hidden
      className="pointer-events-none absolute inset-0 size-full"
      viewBox={`0 0 ${buckets.length} ${height}`}
      preserveAspectRatio="none"
    >
      {buckets.map((bucket, n) => {
        let top = height - 1
        return bucketParts.map(({ name, fill }) => {
          const tall = high(bucket[name])
          if (tall === 0) return null
          top -= tall
          return (
            <rect
              key={`${bucket.fromMs} ${name}`}
              x={n + 0.2}
              y={top}
              width={0.6}
              height={tall}
              fill={fill}
            />
          )
        })
      })}
    </svg>
  )
})
