import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { toCallsSearch } from '../../calls-link'
import { formatInteger } from '../../format'
import type { Interval } from '../../time/span'
import { nameOfPoint } from '../axis'

export interface CallBar {
  start: Date
  end: Date
  calls: number
  blocked: number
  failed: number
}

export interface CallBarsProps {
  /** The accessible name. */
  label: string
  bars: readonly CallBar[]
  interval: Interval
  timeZone: string
  height?: number
  className?: string
}

/** Calls as bars, one per interval, coloured by outcome. Each bar links to its calls. */
export function CallBars({ label, bars, interval, timeZone, height = 44, className }: CallBarsProps) {
  const max = Math.max(1, ...bars.map(({ calls }) => calls))
  const [at, setAt] = useState<number | null>(null)
  const [stop, setStop] = useState<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const tabAt = Math.min(stop ?? bars.length - 1, bars.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1, Home: -bars.length, End: bars.length }[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = list.current?.children[Math.min(bars.length - 1, Math.max(0, tabAt + move))]
    if (next instanceof HTMLElement) next.focus()
  }
  const shown = at === null ? undefined : bars[at]
  return (
    <div className={className}>
      <div
        ref={list}
        role="group"
        aria-label={label}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setAt(null)}
        className="flex items-end border-b border-rule-2"
        style={{ height }}
      >
        {bars.map((bar, n) => (
          <Link
            key={bar.start.getTime()}
            to="/calls"
            search={toCallsSearch({ from: bar.start, to: bar.end })}
            preload={false}
            aria-label={describe(bar, interval, timeZone)}
            tabIndex={n === tabAt ? 0 : -1}
            onFocus={() => {
              setStop(n)
              setAt(n)
            }}
            onBlur={() => setAt(null)}
            onPointerEnter={() => setAt(n)}
            className="group flex h-full min-w-0 flex-1 flex-col items-center justify-end"
          >
            <StackedBar bar={bar} max={max} height={height} isQuiet={at !== null && at !== n} />
          </Link>
        ))}
      </div>
      <p aria-hidden className="m-0 mt-1.5 h-4 text-2xs text-ink-3">
        {shown
          ? describe(shown, interval, timeZone)
          : bars[0] && `${nameOfPoint(bars[0], interval, timeZone)} until now`}
      </p>
    </div>
  )
}

/** Failed and blocked calls are at the bottom and at least two pixels high, so that a single one stays visible. */
function StackedBar({
  bar,
  max,
  height,
  isQuiet,
}: {
  bar: CallBar
  max: number
  height: number
  isQuiet: boolean
}) {
  const { calls, blocked, failed } = bar
  if (calls === 0) return null
  const full = Math.max(3, (calls / max) * height)
  const part = (count: number) => (count === 0 ? 0 : Math.max(2, (count / calls) * full))
  const isTotal = { failed: failed === calls, blocked: blocked === calls }
  return (
    <span
      className="flex w-[72%] min-w-px max-w-[7px] flex-col-reverse transition-opacity"
      style={{ height: full, opacity: isQuiet ? 0.45 : 1 }}
    >
      <span className="shrink-0 bg-bad" style={{ height: isTotal.failed ? '100%' : part(failed) }} />
      <span className="shrink-0 bg-warn" style={{ height: isTotal.blocked ? '100%' : part(blocked) }} />
      <span className="min-h-0 flex-1 bg-ink-2" />
    </span>
  )
}

function describe(bar: CallBar, interval: Interval, timeZone: string): string {
  const { calls, blocked, failed } = bar
  const parts = [`${formatInteger(calls)} ${calls === 1 ? 'call' : 'calls'}`]
  if (blocked > 0) parts.push(`${formatInteger(blocked)} blocked`)
  if (failed > 0) parts.push(`${formatInteger(failed)} failed`)
  return `${nameOfPoint(bar, interval, timeZone)}: ${parts.join(', ')}`
}
