import type { Paint } from '../types'

// Patterns over the colours, visible in print and for users who prefer more contrast; see charts.css.
const strokes = [
  '',
  'M0 8L8 0M-2 2L2 -2M6 10L10 6',
  'M2 0V8M6 0V8',
  'M0 0L8 8M-2 6L2 10M6 -2L10 2',
  'M0 2H8M0 6H8',
  'M0 0H8V8H0Z',
  'M4 1V3M4 5V7M0 1V3M0 5V7',
  'M0 0L8 8M0 8L8 0',
  'M1 4H3M5 4H7M1 0H3M5 0H7',
]

export const patternId = (prefix: string, n: number) => `${prefix}-${n}`

/** The SVG paint definitions of the series, in order. */
export const Patterns = ({ prefix, inks }: { prefix: string; inks: readonly Paint[] }) => (
  <defs>
    {inks.map(({ color, pattern }, n) => (
      <pattern
        // biome-ignore lint/suspicious/noArrayIndexKey: patterns are identified by their position
        key={n}
        id={patternId(prefix, n)}
        width="8"
        height="8"
        patternUnits="userSpaceOnUse"
      >
        <rect width="8" height="8" fill={color} />
        {pattern > 0 && <path d={strokes[pattern]} className="plot-pattern" fill="none" />}
      </pattern>
    ))}
  </defs>
)
