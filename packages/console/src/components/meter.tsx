import { cx } from './class-names'
import type { Tone } from './status'

const fills: Record<Tone, string> = {
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  accent: 'bg-accent',
  neutral: 'bg-ink-3',
}

export interface MeterProps {
  /** The accessible name, such as: spent 902.40 of 1,000 dollars. */
  label: string
  value: number
  /** The reserved amount, drawn lighter after the value. */
  reserved?: number
  max: number
  /** Position of the alert threshold. */
  threshold?: number
  /** The forecast for the end of the period. */
  forecast?: number | null
  tone?: Tone
  className?: string
}

/** A usage bar. It is capped at 100 %; the text beside it states any excess. */
export function Meter({
  label,
  value,
  reserved = 0,
  max,
  threshold,
  forecast,
  tone = 'accent',
  className,
}: MeterProps) {
  const share = (part: number) => `${max > 0 ? Math.min(100, Math.max(0, (part / max) * 100)) : 100}%`
  return (
    <div role="img" aria-label={label} className={cx('relative h-2 w-full min-w-16', className)}>
      <div className="absolute inset-0 overflow-hidden rounded-sm bg-rule">
        {forecast !== undefined && forecast !== null && (
          <div
            className={cx('absolute inset-y-0 left-0 opacity-20', fills[tone])}
            style={{ width: share(forecast) }}
          />
        )}
        {reserved > 0 && (
          <div
            className={cx('absolute inset-y-0 left-0 opacity-40', fills[tone])}
            style={{ width: share(value + reserved) }}
          />
        )}
        <div className={cx('absolute inset-y-0 left-0', fills[tone])} style={{ width: share(value) }} />
      </div>
      {threshold !== undefined && (
        <div aria-hidden className="absolute -inset-y-1 w-px bg-ink-2" style={{ left: share(threshold) }} />
      )}
      {forecast !== undefined && forecast !== null && forecast < max && (
        <div
          aria-hidden
          className="absolute -inset-y-1 w-0 border-l border-dashed border-ink-3"
          style={{ left: share(forecast) }}
        />
      )}
    </div>
  )
}
