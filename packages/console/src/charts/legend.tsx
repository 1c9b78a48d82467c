import './charts.css'
import { useId } from 'react'
import { cx } from '../components'
import { Patterns, patternId } from './colors/patterns'
import type { ChartSeries, Paint } from './types'

/** A colour sample of a series. */
export function Swatch({ ink }: { ink: Paint }) {
  const prefix = useId()
  return (
    <svg aria-hidden width="10" height="10" className="shrink-0">
      <Patterns prefix={prefix} inks={[ink]} />
      <rect width="10" height="10" rx="2" fill={`url(#${patternId(prefix, 0)})`} />
    </svg>
  )
}

export interface LegendProps {
  series: readonly ChartSeries[]
  /** The shown series; all if empty. */
  only: readonly string[]
  onOnly(only: string[]): void
}

/** The legend doubles as a filter: a click shows one series, further clicks add or remove others. */
export function Legend({ series, only, onOnly }: LegendProps) {
  const isFiltered = series.some(({ id }) => only.includes(id))
  return (
    <div role="group" aria-label="Filter by series" className="flex flex-wrap gap-x-1 gap-y-0.5">
      {series.map(({ id, name, ink }) => {
        const isChosen = only.includes(id)
        return (
          <button
            key={id}
            type="button"
            aria-pressed={isChosen}
            title={isChosen ? `Deselect ${name}` : `Select ${name}`}
            onClick={() => onOnly(isChosen ? only.filter((each) => each !== id) : [...only, id])}
            className={cx(
              'inline-flex h-6 max-w-48 items-center gap-1.5 rounded-sm px-1.5 text-xs hover:bg-sunken',
              isFiltered && !isChosen ? 'text-ink-3 [&_svg]:opacity-35' : 'text-ink-2',
              isChosen && 'font-medium !text-ink',
            )}
          >
            <Swatch ink={ink} />
            <span className="truncate">{name}</span>
          </button>
        )
      })}
      {isFiltered && (
        <button
          type="button"
          onClick={() => onOnly([])}
          className="h-6 rounded-sm px-1.5 text-xs text-accent hover:bg-sunken"
        >
          all
        </button>
      )}
    </div>
  )
}
