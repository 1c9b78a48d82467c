import { cx } from '../components'

export interface SparklineProps {
  /** The accessible name. */
  label: string
  /** Null for unknown values, which leave a gap. */
  values: readonly (number | null)[]
  /** A second, thinner line, such as the median below a percentile. */
  second?: readonly (number | null)[]
  color?: string
  className?: string
}

/** A small line chart without axes. Zero is at the bottom, and it fills the available width. */
export function Sparkline({ label, values, second, color = 'var(--series-1)', className }: SparklineProps) {
  const max = Math.max(...[...values, ...(second ?? [])].map((value) => value ?? 0), 0)
  const end = Math.max(1, values.length - 1)
  const y = (value: number) => (max === 0 ? 98 : 98 - (value / max) * 95)
  const runs = runsOf(values)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${end} 100`}
      preserveAspectRatio="none"
      className={cx('block h-10 w-full overflow-hidden', className)}
    >
      {runs.map((run) => {
        const path = run.map(([at, value]) => `${at} ${y(value)}`).join('L')
        const [first, last] = [run[0]?.[0] ?? 0, run.at(-1)?.[0] ?? 0]
        return (
          <g key={first}>
            <path d={`M${first} 100L${path}L${last} 100Z`} fill={color} fillOpacity="0.12" />
            <Line d={`M${path}${run.length === 1 ? 'h0.01' : ''}`} color={color} width={1.5} />
          </g>
        )
      })}
      {second &&
        runsOf(second).map((run) => (
          <Line
            key={run[0]?.[0] ?? 0}
            d={`M${run.map(([at, value]) => `${at} ${y(value)}`).join('L')}`}
            color={color}
            width={1}
          />
        ))}
    </svg>
  )
}

const Line = ({ d, color, width }: { d: string; color: string; width: number }) => (
  <path
    d={d}
    fill="none"
    stroke={color}
    strokeWidth={width}
    strokeLinejoin="round"
    strokeLinecap="round"
    vectorEffect="non-scaling-stroke"
  />
)

/** The runs of known values. */
function runsOf(values: readonly (number | null)[]): [number, number][][] {
  const runs: [number, number][][] = []
  for (const [at, value] of values.entries()) {
    if (value === null) continue
    const run = runs.at(-1)
    if (run?.at(-1)?.[0] === at - 1) run.push([at, value])
    else runs.push([[at, value]])
  }
  return runs
}
