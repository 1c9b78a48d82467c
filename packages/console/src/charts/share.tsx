import { cx } from '../components'
import type { Paint } from './types'

export interface ShareProps {
  /** The accessible name, such as: gpt-5.6 61 %, claude-sonnet-5 39 %. */
  label: string
  parts: readonly { id: string; value: number; ink: Paint }[]
  /** The value of the full width; the sum of the parts by default. */
  max?: number
  className?: string
}

/** Parts of a whole in a horizontal bar. The remainder stays empty. */
export function HorizontalShare({ label, parts, max, className }: ShareProps) {
  const sum = parts.reduce((total, { value }) => total + value, 0)
  const whole = Math.max(max ?? sum, sum)
  return (
    <div
      role="img"
      aria-label={label}
      className={cx('flex h-2 w-full gap-px overflow-hidden rounded-sm', className)}
    >
      {parts
        .filter(({ value }) => value > 0)
        .map(({ id, value, ink }) => (
          <div
            key={id}
            className="h-full min-w-px"
            style={{ width: `${whole > 0 ? (value / whole) * 100 : 0}%`, background: ink.color }}
          />
        ))}
    </div>
  )
}
