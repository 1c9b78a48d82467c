import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { callsSearch } from '../calls-link'
import { formatInteger } from '../format'
import type { Interval } from '../time/span'
import { nameOfPoint } from './axis'

export interface Notch {
  start: Date
  end: Date
  calls: number
  blocked: number
  failed: number
}

export interface NotchesProps {
  /** What it shows, for who cannot see it. */
  label: string
  notches: readonly Notch[]
  interval: Interval
  timeZone: string
  height?: number
  className?: string
}

/** Calls as notches in a stick, one per interval; the cut is as deep as it was busy, and has the colour of what went wrong. Each leads to its calls. */
export function Notches({ label, notches, interval, timeZone, height = 44, className }: NotchesProps) {
  const max = Math.max(1, ...notches.map(({ calls }) => calls))
  const [at, setAt] = useState<number | null>(null)
  const [stop, setStop] = useState<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const tabAt = Math.min(stop ?? notches.length - 1, notches.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1, Home: -notches.length, End: notches.length }[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = list.current?.children[Math.min(notches.length - 1, Math.max(0, tabAt + move))]
    if (next instanceof HTMLElement) next.focus()
  }
  const shown = at === null ? undefined : notches[at]
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
        {notches.map((notch, n) => (
          <Link
            key={notch.start.getTime()}
            to="/calls"
            search={callsSearch({ from: notch.start, to: notch.end })}
            preload={false}
            aria-label={describe(notch, interval, timeZone)}
            tabIndex={n === tabAt ? 0 : -1}
            onFocus={() => {
              setStop(n)
              setAt(n)
            }}
            onBlur={() => setAt(null)}
            onPointerEnter={() => setAt(n)}
            className="group flex h-full min-w-0 flex-1 flex-col items-center justify-end"
          >
            <Cut notch={notch} max={max} height={height} isQuiet={at !== null && at !== n} />
          </Link>
        ))}
      </div>
      <p aria-hidden className="m-0 mt-1.5 h-4 text-2xs text-ink-3">
        {shown
          ? describe(shown, interval, timeZone)
          : notches[0] && `${nameOfPoint(notches[0], interval, timeZone)} until now`}
      </p>
    </div>
  )
}

/** What failed and was blocked lies at the bottom, at least two pixels of it: one of a thousand must be seen. */
function Cut({
  notch,
  max,
  height,
  isQuiet,
}: {
  notch: Notch
  max: number
  height: number
  isQuiet: boolean
}) {
  const { calls, blocked, failed } = notch
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

function describe(notch: Notch, interval: Interval, timeZone: string): string {
  const { calls, blocked, failed } = notch
  const parts = [`${formatInteger(calls)} ${calls === 1 ? 'call' : 'calls'}`]
  if (blocked > 0) parts.push(`${formatInteger(blocked)} blocked`)
  if (failed > 0) parts.push(`${formatInteger(failed)} failed`)
  return `${nameOfPoint(notch, interval, timeZone)}: ${parts.join(', ')}`
}
