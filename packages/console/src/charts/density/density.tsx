import { type KeyboardEvent, memo, type PointerEvent, useRef, useState } from 'react'
import { cx } from '../../components'
import { formatDay, formatInteger, plural } from '../../format'
import type { Span } from '../../time/span'
import { localTimeIn } from '../../time/zone'
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
        {buckets && <CallBars buckets={buckets} height={height} />}
        <div className="absolute inset-x-0 bottom-0 h-px bg-rule-2" />
      </div>
      <Axis buckets={buckets} timeZone={timeZone} />
      {shown && buckets && (
        <BucketTooltip
          bucket={shown}
          share={((at ?? 0) + 0.5) / count}
          timeZone={timeZone}
          chosen={chosen && chosen.anchor !== chosen.head ? sumOf(buckets, chosen) : null}
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

// Memoised, because the pointer moves far more often than the data changes.
const CallBars = memo(function CallBars({
  buckets,
  height,
}: {
  buckets: readonly DensityBucket[]
  height: number
}) {
  const busiest = Math.max(1, ...buckets.map(sum))
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
        return parts.map(({ name, fill }) => {
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

const parts = [
  { name: 'ok', fill: 'var(--ink-2)', text: 'ok' },
  { name: 'redacted', fill: 'var(--warn)', text: 'redacted' },
  { name: 'blocked', fill: 'var(--warn)', text: 'blocked' },
  { name: 'failed', fill: 'var(--bad)', text: 'failed' },
] as const

type BucketCounts = Pick<DensityBucket, 'ok' | 'redacted' | 'blocked' | 'failed'>

const sum = ({ ok, redacted, blocked, failed }: BucketCounts) => ok + redacted + blocked + failed

function sumOf(buckets: readonly DensityBucket[], { anchor, head }: { anchor: number; head: number }) {
  const part = buckets.slice(Math.min(anchor, head), Math.max(anchor, head) + 1)
  const total: BucketCounts = { ok: 0, redacted: 0, blocked: 0, failed: 0 }
  for (const bucket of part) for (const { name } of parts) total[name] += bucket[name]
  const first = part[0]
  const last = part.at(-1)
  return first && last ? { ...total, fromMs: first.fromMs, toMs: last.toMs } : null
}

function BucketTooltip({
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
  const told = chosen ?? bucket
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
      <div className="num font-medium">{formatBucketRange(told, timeZone)}</div>
      <div className="num flex gap-2.5 text-ink-2">
        {sum(told) === 0 && 'no calls'}
        {parts.map(({ name, fill, text }) =>
          told[name] === 0 ? null : (
            <span key={name} className="inline-flex items-center gap-1">
              <span className="h-2.5 w-0.5" style={{ background: fill }} />
              {formatInteger(told[name])} {text}
            </span>
          ),
        )}
      </div>
    </div>
  )
}

const describe = (bucket: DensityBucket, timeZone: string) =>
  `${formatBucketRange(bucket, timeZone)}: ${plural(sum(bucket), 'call')}${parts
    .slice(1)
    .map(({ name, text }) => (bucket[name] === 0 ? '' : `, ${formatInteger(bucket[name])} ${text}`))
    .join('')}`

const clockFormats = new Map<string, Intl.DateTimeFormat>()
function clock(ms: number, timeZone: string, withSeconds: boolean): string {
  const name = `${timeZone} ${withSeconds}`
  let format = clockFormats.get(name)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      ...(withSeconds && { second: '2-digit' }),
      timeZone,
    })
    clockFormats.set(name, format)
  }
  return format.format(ms)
}

const dayMs = 86_400_000

/** 16 Nov 14:00 – 14:10. Whole days are shown without a time. */
function formatBucketRange(
  { fromMs, toMs }: Pick<DensityBucket, 'fromMs' | 'toMs'>,
  timeZone: string,
): string {
  const day = (ms: number) => formatDay(new Date(ms), timeZone)
  const withSeconds = toMs - fromMs < 60_000
  const from = clock(fromMs, timeZone, withSeconds)
  const to = clock(toMs, timeZone, withSeconds)
  if (day(fromMs) === day(toMs - 1) && toMs - fromMs < dayMs) return `${day(fromMs)} ${from} – ${to}`
  return `${day(fromMs)} ${from} – ${day(toMs)} ${to}`
}

/** The time labels below the bars. */
function Axis({ buckets, timeZone }: { buckets: readonly DensityBucket[] | undefined; timeZone: string }) {
  const first = buckets?.[0]
  const last = buckets?.at(-1)
  const marks = first && last ? axisMarks(first.fromMs, last.toMs, timeZone) : []
  return (
    <div aria-hidden className="num relative h-5 overflow-hidden text-2xs text-ink-3">
      {marks.map(({ share, text }, n) => (
        <span
          key={text + share}
          className={cx(
            'absolute top-0.5',
            n % 2 === 1 && 'max-sm:hidden',
            share > 0.03 && '-translate-x-1/2',
          )}
          style={{ left: `${share * 100}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  )
}

const hourMs = 3_600_000
const markSteps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 5, 7, 14, 28].map((days) => days * dayMs),
]
const maxMarks = 8

/** Round local times. */
function axisMarks(fromMs: number, toMs: number, timeZone: string) {
  const length = toMs - fromMs
  const step = markSteps.find((each) => length / each <= maxMarks) ?? length / maxMarks
  const wall = localTimeIn(new Date(fromMs), timeZone)
  const offset =
    Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second) -
    Math.floor(fromMs / 1_000) * 1_000
  const marks = []
  for (let ms = Math.ceil((fromMs + offset) / step) * step - offset; ms < toMs; ms += step) {
    const share = (ms - fromMs) / length
    if (share > 0.97) break
    const isMidnight = (ms + offset) % dayMs === 0
    const text =
      step >= dayMs || (isMidnight && length > dayMs / 2)
        ? formatDay(new Date(ms), timeZone)
        : clock(ms, timeZone, length < 5 * 60_000)
    marks.push({ share, text })
  }
  return marks
}
