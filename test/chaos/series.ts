import type { Series } from '../harness/reporting/firing-alerts.js'
import type { Sample } from '../harness/reporting/metrics.js'
import type { Observed, Scrape } from './observe.js'

/** Minutes before the fault, of the fault, and after it. */
export const phases = { before: 20, during: 90, after: 20 } as const

const isCounter = /_(?:total|count|sum|bucket)$/
// Read from the database twice a minute, and growing with time once there is something overdue.
const isAge = /_overdue_seconds$/
const isMoment = /_at_seconds$/
// When something was last done follows from how often it is done, and seconds say nothing of hours.
const isLeftOut = /_timestamp_seconds$/

/**
 * What Prometheus would have if the fault had lasted for an hour and a half: gauges stay as they were at the end of the fault, and counters go on as
 * fast as they did. So rules are evaluated as they are, with their real durations.
 */
export function extrapolate({ before, during, after }: Observed): Series[] {
  const [first, last] = during
  const scrapes: (Scrape | undefined)[] = [before, first, last, after]
  return before.pages.flatMap((_, index) => {
    const pages = scrapes.map((scrape) => (scrape === undefined ? undefined : valuesOf(scrape, index)))
    const ids = new Set(pages.flatMap((values) => [...(values?.keys() ?? [])]))
    const labels = `instance="replica-${index + 1}"`
    const seconds = first && last ? (last.atMs - first.atMs) / 1_000 : 1
    return [
      up(
        labels,
        scrapes.map((scrape) => scrape?.pages[index] !== null),
        first !== undefined,
      ),
      ...[...ids].map((id) =>
        seriesOf(
          id,
          labels,
          pages.map((values) => values?.get(id) ?? null),
          seconds,
        ),
      ),
    ]
  })
}

function up(labels: string, [before, , during, after]: boolean[], hasLasted: boolean): Series {
  const one = (isUp: boolean | undefined, count: number) => `${isUp ? 1 : 0}x${count - 1}`
  return {
    series: `up{job="tallystick",${labels}}`,
    values: [
      one(before, phases.before),
      ...(hasLasted ? [one(during, phases.during)] : []),
      one(after, phases.after),
    ].join(' '),
  }
}

export function idOf({ name, labels }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
  return `${name}{${pairs.join(',')}}`
}

type Value = number | null

function seriesOf(id: string, labels: string, values: Value[], seconds: number): Series {
  const [before = null, first = null, last = null, after = null] = values
  const name = id.slice(0, id.indexOf('{'))
  const parts = [hold(before, phases.before)]
  let end = after
  if (values[1] !== undefined || values[2] !== undefined) {
    const isGrowing = isCounter.test(name) && first !== null && last !== null && last >= first
    const perMinute = isGrowing ? ((last - first) / seconds) * 60 : 0
    if (isGrowing) parts.push(rise(first, perMinute, phases.during))
    else if (isAge.test(name) && last !== null && last > 0) parts.push(rise(last, 60, phases.during))
    else parts.push(hold(last, phases.during))
    // What was added for the hour stays, unless the process began again.
    if (isGrowing && after !== null && after >= last)
      end = first + perMinute * (phases.during - 1) + (after - last)
  }
  parts.push(hold(end, phases.after))
  return { series: id.replace('{', `{${labels},`).replace(',}', '}'), values: parts.join(' ') }
}

const hold = (value: Value, count: number): string =>
  value === null ? `stale _x${count - 1}` : `${print(value)}x${count - 1}`
const rise = (from: number, perMinute: number, count: number): string =>
  `${print(from)}+${print(perMinute)}x${count - 1}`

/** promtool does not read exponents. */
const print = (value: number): string =>
  value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 9 })

/** Points in time are moved to the beginning of the time that promtool has. */
function valuesOf({ atMs, pages }: Scrape, index: number): Map<string, number> | null {
  const page = pages[index]
  if (!page) return null
  return new Map(
    page.samples
      .filter(({ name }) => !isLeftOut.test(name))
      .map((sample) => [
        idOf(sample),
        isMoment.test(sample.name) ? sample.value - atMs / 1_000 : sample.value,
      ]),
  )
}
