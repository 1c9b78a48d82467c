import { cx } from '../../components'
import { formatInteger } from '../../format'
import { bucketParts, countCalls } from './bucket-counts'
import { formatBucketRange } from './format-bucket'
import type { DensityBucket } from './use-density'

export function BucketTooltip({
  bucket,
  chosen,
  share,
  timeZone,
}: {
  bucket: DensityBucket
  chosen: DensityBucket | null
  share: number
  timeZone: string
}) {
  const shown = chosen ?? bucket
  const side = share < 0.15 ? 'left-0' : share > 0.85 ? 'right-0' : '-translate-x-1/2'
  return (
    <div
      aria-hidden
      className={cx(
        'pointer-events-none absolute top-full z-10 mt-1 rounded-md border border-rule-2 bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap shadow-float',
        side,
      )}
      style={share < 0.15 || share > 0.85 ? undefined : { left: `${share * 100}%` }}
    >
      <div className="num font-medium">{formatBucketRange(shown, timeZone)}</div>
      <div className="num flex gap-2.5 text-ink-2">
        {countCalls(shown) === 0 && 'no calls'}
        {bucketParts.map(({ name, fill, text }) =>
          shown[name] === 0 ? null : (
            <span key={name} className="inline-flex items-center gap-1">
              <span className="h-2.5 w-0.5" style={{ background: fill }} />
              {formatInteger(shown[name])} {text}
            </span>
          ),
        )}
      </div>
    </div>
  )
}
