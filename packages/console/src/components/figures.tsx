import { useEffect, useState } from 'react'
import { formatInteger, formatMoment, formatRelative, formatUsd, formatUsdExactly } from '../format'
import { useTimeZone } from '../time/use-span'
import { cx } from './class-names'

/** Dollars rounded to the digits that matter, exact on hover. Null is shown as unknown, not as zero. */
export function Money({ usd, className }: { usd: number | null | undefined; className?: string }) {
  if (usd === null || usd === undefined) return <Unknown />
  return (
    <span className={cx('num', className)} title={formatUsdExactly(usd)}>
      {formatUsd(usd)}
    </span>
  )
}

export function Count({ value, className }: { value: number | null | undefined; className?: string }) {
  if (value === null || value === undefined) return <Unknown />
  return <span className={cx('num', className)}>{formatInteger(value)}</span>
}

/** A dash for a value that is not known. */
export const Unknown = () => <span className="text-ink-3">–</span>

/** A relative time, exact on hover. */
export function Time({ at, className }: { at: string | Date | null | undefined; className?: string }) {
  const timeZone = useTimeZone()
  const now = useNow()
  if (at === null || at === undefined) return <Unknown />
  const moment = new Date(at)
  return (
    <time
      dateTime={moment.toISOString()}
      title={formatMoment(moment, timeZone)}
      className={cx('whitespace-nowrap', className)}
    >
      {formatRelative(moment, now)}
    </time>
  )
}

let listeners = 0
let timer: ReturnType<typeof setInterval> | undefined
const ticks = new EventTarget()

/** The current time, updated every ten seconds by one timer for the whole page. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const tick = () => setNow(new Date())
    ticks.addEventListener('tick', tick)
    listeners += 1
    timer ??= setInterval(() => {
      if (!document.hidden) ticks.dispatchEvent(new Event('tick'))
    }, 10_000)
    return () => {
      ticks.removeEventListener('tick', tick)
      listeners -= 1
      if (listeners > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return now
}
