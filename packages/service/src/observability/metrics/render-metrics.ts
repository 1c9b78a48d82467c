import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CounterSpec, GaugeSpec, HistogramSpec } from './metric-table.js'
import { type Count, Distribution, type Series } from './series.js'

type AnySpec = CounterSpec | GaugeSpec | HistogramSpec

// A slice takes about a millisecond. Calls are served between slices.
const linesPerSlice = 1_000

/** Renders metrics in the text format of Prometheus. It waits for nothing, so its time depends on the number of series only. */
export async function renderMetrics(
  metrics: readonly Series<AnySpec, Count | Distribution>[],
): Promise<string> {
  const slices: string[] = []
  let lines: string[] = []
  for (const series of metrics) {
    const { spec } = series
    lines.push(`# HELP ${spec.name} ${spec.help}`, `# TYPE ${spec.name} ${typeOf(spec)}`)
    for (const { values, item } of series.all()) {
      const labels = spec.labels.map((name, i) => `${name}="${escapeValue(values[i] ?? '')}"`).join(',')
      if (item instanceof Distribution && 'buckets' in spec) pushBuckets(lines, spec, labels, item)
      else if ('value' in item) lines.push(`${spec.name}${braced(labels)} ${item.value / divisorOf(spec)}`)
      if (lines.length < linesPerSlice) continue
      slices.push(lines.join('\n'))
      lines = []
      await nextTurn()
    }
  }
  return `${[...slices, ...lines].join('\n')}\n`
}

function typeOf(spec: AnySpec): string {
  if ('buckets' in spec) return 'histogram'
  return 'across' in spec ? 'gauge' : 'counter'
}

const divisorOf = (spec: AnySpec): number => ('divisor' in spec ? (spec.divisor ?? 1) : 1)

function pushBuckets(
  lines: string[],
  { name, buckets }: HistogramSpec,
  labels: string,
  { counts, sum }: Distribution,
): void {
  const before = labels === '' ? '' : `${labels},`
  let total = 0
  for (const [i, count] of counts.entries()) {
    total += count
    lines.push(`${name}_bucket{${before}le="${buckets[i] ?? '+Inf'}"} ${total}`)
  }
  lines.push(`${name}_sum${braced(labels)} ${sum}`, `${name}_count${braced(labels)} ${total}`)
}

const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`)

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const escapeValue = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replace(/[\\"\n]/g, (found) => escapes[found] ?? found) : value
