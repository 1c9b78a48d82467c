import { useWidth } from '../../../charts/use-width'
import { cx } from '../../../components'

export interface TallyStickProps {
  /** The accessible name. */
  label: string
  /** The halves are closed if they match and apart if they do not. */
  state: 'checking' | 'closed' | 'apart' | 'unknown'
  /** The share that was read so far, from 0 to 1. */
  read?: number
  /** The position of the fault, from 0 to 1; null if it has no single position. */
  faultAt?: number | null
  /** Varies the bars from record to record. */
  seed: string
}

const half = 22
const gap = 12
const top = 2
const bottom = top + 2 * half + gap
/** The size of the pointer to the fault. */
const pointer = 16

/**
 * Draws a notched stick that was split along its length. The bars of both halves meet where nothing was changed; those of the lower
 * half are displaced after the fault.
 */
export function TallyStick({ label, state, read = 1, faultAt = null, seed }: TallyStickProps) {
  const { ref, width } = useWidth<HTMLDivElement>()
  const random = createRandom(seed)
  const bars = randomNotches(width, random)
  const split = drawSplit(width, random)
  const readTo = width * read
  const fault = state === 'apart' ? (faultAt === null ? null : clamp(width * faultAt, 8, width - 8)) : null
  const shift = state === 'closed' ? gap / 2 : 0
  const lower = bars.map((x, i) => (fault !== null && x >= fault ? x + 2.5 + (i % 3) * 1.7 : x))
  const tone = tones[state]
  const height = bottom + (fault === null ? 2 : pointer)
  return (
    <div ref={ref} role="img" aria-label={label} data-stick={state} className={cx('w-full', tone.text)}>
      <svg width={width} height={height} aria-hidden className="block overflow-visible">
        <g
          className="transition-transform duration-500 ease-out"
          style={{ transform: `translateY(${shift}px)` }}
        >
          <path
            d={`M3 ${top} H${width - 3} Q${width} ${top} ${width} ${top + 3} V${top + half} ${split.leftward(top + half)} V${top + 3} Q0 ${top} 3 ${top} Z`}
            className="fill-raised stroke-current"
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
          {bars.map((x) => (
            <CallBar key={x} x={x} from={top + 1} to={top + half + split.at(x)} isRead={x <= readTo} />
          ))}
        </g>
        <g
          className={cx('transition-transform duration-500 ease-out', tone.lower)}
          style={{ transform: `translateY(${-shift}px)` }}
        >
          <path
            d={`M0 ${top + half + gap} ${split.rightward(top + half + gap)} V${top + 2 * half + gap - 3} Q${width} ${top + 2 * half + gap} ${width - 3} ${top + 2 * half + gap} H3 Q0 ${top + 2 * half + gap} 0 ${top + 2 * half + gap - 3} Z`}
            className="fill-raised stroke-current"
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
          {lower.map((x, i) => (
            <CallBar
              key={bars[i]}
              x={x}
              from={top + half + gap + split.at(x)}
              to={top + 2 * half + gap - 1}
              isRead={x <= readTo}
            />
          ))}
        </g>
        {fault !== null && (
          <g className="text-bad">
            <line
              x1={fault}
              x2={fault}
              y1={0}
              y2={bottom + 4}
              className="stroke-current"
              strokeWidth="1.5"
              strokeDasharray="3 3"
            />
            <path
              d={`M${fault - 5} ${height - 4} L${fault} ${height - 12} L${fault + 5} ${height - 4} Z`}
              className="fill-current"
            />
          </g>
        )}
      </svg>
    </div>
  )
}

const tones: Record<TallyStickProps['state'], { text: string; lower: string }> = {
  checking: { text: 'text-ink-2', lower: 'text-accent' },
  closed: { text: 'text-ok', lower: 'text-ok' },
  apart: { text: 'text-ink-2', lower: 'text-bad' },
  unknown: { text: 'text-ink-3', lower: 'text-ink-3' },
}

const CallBar = ({ x, from, to, isRead }: { x: number; from: number; to: number; isRead: boolean }) => (
  <line
    x1={x}
    x2={x}
    y1={from}
    y2={to}
    className={cx('stroke-current transition-opacity duration-300', isRead ? 'opacity-80' : 'opacity-15')}
    strokeWidth="1.25"
  />
)

function randomNotches(width: number, random: () => number): number[] {
  const places: number[] = []
  // The bars are placed unevenly, in groups, like notches cut by hand.
  for (let x = 14; x < width - 12; x += random() < 0.16 ? 16 + random() * 6 : 5 + random() * 2.5)
    places.push(Math.round(x * 10) / 10)
  return places
}

/** The line along which the stick is split, shared by both halves. */
function drawSplit(width: number, random: () => number) {
  const step = 26
  const ys = Array.from({ length: Math.ceil(width / step) + 1 }, () => (random() - 0.5) * 5)
  const at = (x: number) => {
    const place = clamp(x / step, 0, ys.length - 1)
    const [before = 0, after = 0] = [ys[Math.floor(place)], ys[Math.ceil(place)]]
    return before + (after - before) * (place % 1)
  }
  const points = Array.from({ length: ys.length }, (_, i) => Math.min(width, i * step))
  const line = (xs: readonly number[], y: number) => xs.map((x) => `L${x} ${y + at(x)}`).join(' ')
  return {
    at,
    rightward: (y: number) => line([...points, width], y),
    leftward: (y: number) => line([width, ...points.toReversed()], y),
  }
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/** A seeded random number generator (mulberry32). */
function createRandom(seed: string): () => number {
  let state = [...seed].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) | 0, 7)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
