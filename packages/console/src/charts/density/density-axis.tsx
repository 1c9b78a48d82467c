import { cx } from '../../components'
import { formatDay } from '../../format'
import { localTimeIn } from '../../time/zone'
import { dayMs, formatTime } from './format-bucket'
import type { DensityBucket } from './use-density'

/** The time labels below the bars. */
export function DensityAxis({
  buckets,
  timeZone,
}: {
  buckets: readonly DensityBucket[] | undefined
  timeZone: string
}) {
  const first = buckets?.[0]
  const last = buckets?.at(-1)
  const marks = first && last ? axisMarks(first.fromMs, last.toMs, timeZone) : []
  return (
    <div aria-hidden className="num relative h-5 overflow-hidden text-2xs text-ink-3">
      {marks.map(({ share, text }, n) => (
        <span
          key={text + share}
          className={cx(
            'absolute top-0.5',
            n % 2 === 1 && 'max-sm:hidden',
            share > 0.03 && '-translate-x-1/2',
          )}
          style={{ left: `${share * 100}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  )
}

const hourMs = 3_600_000

const markSteps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 5, 7, 14, 28].map((days) => days * dayMs),
]

const maxMarks = 8

/** Round local times. */
function axisMarks(fromMs: number, toMs: number, timeZone: string) {
  const length = toMs - fromMs
  const step = markSteps.find((each) => length / each <= maxMarks) ?? length / maxMarks
  const localTime = localTimeIn(new Date(fromMs), timeZone)
  const offset =
    Date.UTC(
      localTime.year,
      localTime.month - 1,
      localTime.day,
      localTime.hour,
      localTime.minute,
      localTime.second,
    ) -
    Math.floor(fromMs / 1_000) * 1_000
  const marks = []
  for (let ms = Math.ceil((fromMs + offset) / step) * step - offset; ms < toMs; ms += step) {
    const share = (ms - fromMs) / length
    if (share > 0.97) break
    const isMidnight = (ms + offset) % dayMs === 0
    const text =
      step >= dayMs || (isMidnight && length > dayMs / 2)
        ? formatDay(new Date(ms), timeZone)
        : formatTime(ms, timeZone, length < 5 * 60_000)
    marks.push({ share, text })
  }
  return marks
}
