import { totalOf } from '../layout'
import { Swatch } from '../legend'
import type { ChartSeries, TimePoint } from '../types'

interface ChartTooltipProps {
  point: TimePoint
  title: string
  shown: readonly ChartSeries[]
  /** Whether all series are shown, so that a total makes sense. */
  isWhole: boolean
  format(value: number): string
  beforeName: string
  /** The horizontal centre of the point. */
  x: number
  width: number
}

/** All values of a point and their total, on the side of the point with more room. */
export function ChartTooltip({
  point,
  title,
  shown,
  isWhole,
  format,
  beforeName,
  x,
  width,
}: ChartTooltipProps) {
  const total = totalOf(point, shown)
  const values = shown.filter(({ id }) => (point.values?.[id] ?? 0) > 0)
  const isRight = x > width / 2
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-10 min-w-44 rounded-md border border-rule-2 bg-raised px-2.5 py-2 text-xs shadow-float"
      style={isRight ? { right: width - x + 14 } : { left: x + 14 }}
    >
      <div className="mb-1 font-medium">{title}</div>
      {total === null ? (
        point.forecast === null || point.forecast === undefined ? (
          <div className="text-ink-3">unknown</div>
        ) : (
          <Line name="expected" value={format(point.forecast)} />
        )
      ) : (
        <>
          {[...values].reverse().map(({ id, name, ink }) => (
            <Line
              key={id}
              swatch={<Swatch ink={ink} />}
              name={name}
              value={format(point.values?.[id] ?? 0)}
            />
          ))}
          <div className="mt-1 border-t border-rule pt-1 font-medium">
            <Line name="total" value={format(total)} />
          </div>
          {isWhole && point.forecast !== null && point.forecast !== undefined && point.forecast > total && (
            <Line name="forecast for the whole interval" value={format(point.forecast)} isQuiet />
          )}
        </>
      )}
      {isWhole && point.before !== null && point.before !== undefined && (
        <Line name={beforeName} value={format(point.before)} isQuiet />
      )}
    </div>
  )
}

function Line({
  swatch,
  name,
  value,
  isQuiet = false,
}: {
  swatch?: React.ReactNode
  name: string
  value: string
  isQuiet?: boolean
}) {
  return (
    <div className={`flex items-center gap-1.5 leading-5 ${isQuiet ? 'text-ink-3' : ''}`}>
      {swatch}
      <span className="max-w-40 truncate">{name}</span>
      <span className="num ml-auto pl-4">{value}</span>
    </div>
  )
}
