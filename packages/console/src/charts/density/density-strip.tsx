import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { cx } from '../../components'
import { formatInteger, plural } from '../../format'
import type { Span } from '../../time/span'
import { bucketParts, countCalls, sumBuckets } from './bucket-counts'
import { BucketTooltip } from './bucket-tooltip'
import { DensityAxis } from './density-axis'
import { DensityBars } from './density-bars'
import { formatBucketRange } from './format-bucket'
import type { DensityBucket } from './use-density'

export interface DensityStripProps {
  /** Undefined while loading. */
  buckets: readonly DensityBucket[] | undefined
  timeZone: string
  height?: number
  /** Called with the brushed range. Without it the chart is not interactive. */
  onBrush?: (span: Span) => void
  /** Called on Escape to return to the previous range. */
  onBack?: () => void
  className?: string
}

/**
 * Calls over time as bars: black for successful calls, gold for blocked or redacted ones, red for failures. Dragging selects a range,
 * as do the arrow keys with Shift and Enter.
 */
export function DensityStrip({
  buckets,
  timeZone,
  height = 64,
  onBrush,
  onBack,
  className,
}: DensityStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  // The first and last index of the brushed buckets.
  const [chosen, setChosen] = useState<{ anchor: number; head: number } | null>(null)
  const drag = useRef<{ startX: number; isMoved: boolean } | null>(null)
  const count = buckets?.length ?? 0
  const shown = at === null ? null : buckets?.[Math.min(at, count - 1)]

  const bucketAt = (clientX: number) => {
    const box = strip.current?.getBoundingClientRect()
    if (!box || count === 0) return 0
    return Math.max(0, Math.min(count - 1, Math.floor(((clientX - box.left) / box.width) * count)))
  }
  const brush = (from: number, to: number) => {
    const first = buckets?.[Math.min(from, to)]
    const last = buckets?.[Math.max(from, to)]
    setChosen(null)
    if (first && last) onBrush?.({ from: new Date(first.fromMs), to: new Date(last.toMs) })
  }

  const onPointerDown = (event: PointerEvent) => {
    if (!onBrush || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { startX: event.clientX, isMoved: false }
    const n = bucketAt(event.clientX)
    setChosen({ anchor: n, head: n })
  }
  const onPointerMove = (event: PointerEvent) => {
    const n = bucketAt(event.clientX)
    setAt(n)
    if (!drag.current) return
    if (Math.abs(event.clientX - drag.current.startX) > 4) drag.current.isMoved = true
    setChosen((before) => before && { ...before, head: n })
  }
  const onPointerUp = () => {
    if (!drag.current || !chosen) return
    const { isMoved } = drag.current
    drag.current = null
    // A tap only highlights a bar; selecting requires dragging.
    if (isMoved) brush(chosen.anchor, chosen.head)
    else setChosen(null)
  }
  const onPointerCancel = () => {
    drag.current = null
    setChosen(null)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const from = at ?? count - 1
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: count - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      const next = Math.max(0, Math.min(count - 1, to))
      setAt(next)
      setChosen(event.shiftKey && onBrush ? { anchor: chosen?.anchor ?? from, head: next } : null)
    }
    if (event.key === 'Enter' && onBrush) {
      event.preventDefault()
      brush(chosen?.anchor ?? from, chosen?.head ?? from)
    }
    if (event.key === 'Escape' && (chosen || onBack)) {
      event.stopPropagation()
      if (chosen) setChosen(null)
      else onBack?.()
    }
  }

  return (
    <div className={cx('relative select-none', className)}>
      <div
        ref={strip}
        role="slider"
        tabIndex={0}
        aria-label={
          onBrush
            ? 'Calls over time. Use the arrow keys to move between bars, Shift and arrow keys to select a range, and Enter to show it.'
            : 'Calls over time'
        }
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={at ?? Math.max(0, count - 1)}
        aria-valuetext={shown ? describe(shown, timeZone) : undefined}
        aria-busy={buckets === undefined}
        className={cx('relative touch-pan-y rounded-sm', onBrush && 'cursor-crosshair')}
        style={{ height }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerCancel}
        onPointerLeave={() => !drag.current && setAt(null)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setAt(Math.max(0, count - 1))}
        onBlur={() => {
          setAt(null)
          setChosen(null)
        }}
        onKeyDown={onKeyDown}
      >
        {chosen && <BrushedRange from={chosen.anchor} to={chosen.head} count={count} />}
        {shown && !chosen && <BrushedRange from={at ?? 0} to={at ?? 0} count={count} isFaint />}
        {buckets && <DensityBars buckets={buckets} height={height} />}
        <div className="absolute inset-x-0 bottom-0 h-px bg-rule-2" />
      </div>
      <DensityAxis buckets={buckets} timeZone={timeZone} />
      {shown && buckets && (
        <BucketTooltip
          bucket={shown}
          share={((at ?? 0) + 0.5) / count}
          timeZone={timeZone}
          chosen={chosen && chosen.anchor !== chosen.head ? sumBuckets(buckets, chosen) : null}
        />
      )}
    </div>
  )
}

const BrushedRange = ({
  from,
  to,
  count,
  isFaint = false,
}: {
  from: number
  to: number
  count: number
  isFaint?: boolean
}) => (
  <div
    aria-hidden
    className={cx('absolute inset-y-0', isFaint ? 'bg-sunken' : 'border-x border-accent bg-accent-soft')}
    style={{
      left: `${(Math.min(from, to) / count) * 100}%`,
      width: `${((Math.abs(to - from) + 1) / count) * 100}%`,
    }}
  />
)

const describe = (bucket: DensityBucket, timeZone: string) =>
  `${formatBucketRange(bucket, timeZone)}: ${plural(countCalls(bucket), 'call')}${bucketParts
    .slice(1)
    .map(({ name, text }) => (bucket[name] === 0 ? '' : `, ${formatInteger(bucket[name])} ${text}`))
    .join('')}`
