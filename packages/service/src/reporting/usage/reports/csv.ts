import { addSum, emptySum, type UsageSum } from '../counting/usage-sum.js'
import { isFinerThanDay } from '../query/report-query.js'
import { wallClockAt } from '../query/time-zone.js'
import type { FilterColumn } from './csv-filters.js'
import { presentSum } from './figures.js'
import type { Label, Report } from './report.js'
import { restOf } from './report.js'

// One table in the form of RFC 4180: a line for each group or, when an interval was requested, for each interval
// and group.

type Cell = string | number | null

const figureNames = {
  requests: 'requests',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  totalTokens: 'total_tokens',
  spendUsd: 'spend_usd',
  blocked: 'blocked',
  rateLimited: 'rate_limited',
  errors: 'errors',
  avgLatencyMs: 'avg_latency_ms',
  p50LatencyMs: 'p50_latency_ms',
  p95LatencyMs: 'p95_latency_ms',
} satisfies Record<keyof ReturnType<typeof presentSum>, string>
const figureKeys = Object.keys(figureNames) as (keyof typeof figureNames)[]

/** The name of the remainder: in brackets, which no id contains. */
const restName = '(rest)'

export function writeCsv(report: Report, filters: readonly FilterColumn[]): string {
  const { query, sums, labelsOf } = report
  const isCompared = query.previous !== null
  const timeOf = timesOf(report)
  const lines: Cell[][] = [header(report, filters)]
  const filterCells = filters.map(({ value }) => value)
  const line = (times: Cell[], labels: Cell[], sum: UsageSum, before: UsageSum | null) => {
    const figures = presentSum(sum)
    lines.push([
      ...times,
      ...filterCells,
      ...labels,
      ...figureKeys.map((key) => (key === 'spendUsd' ? nanosAsUsd(sum.costNanos) : figures[key])),
      ...(before === null
        ? []
        : [before.requests, nanosAsUsd(before.costNanos), nanosAsUsd(sum.costNanos - before.costNanos)]),
    ])
  }
  const restLabels = query.dimensions.flatMap((_, i) => labelCells(report, i, { key: restName, name: null }))
  const cellsOf = (labels: readonly Label[]) => labels.flatMap((label, i) => labelCells(report, i, label))
  if (!query.hasInterval) {
    const times = [timeOf(query.span.from), timeOf(report.to)]
    for (const group of sums.groups)
      line(times, cellsOf(labelsOf(group)), group.sum, isCompared ? group.before : null)
    const rest = restOf(sums)
    if (rest) line(times, restLabels, rest.sum, isCompared ? rest.before : null)
    return lines.map(writeLine).join('')
  }
  const groups = sums.groups.map((group) => ({ group, labels: cellsOf(labelsOf(group)) }))
  let end = timeOf(query.span.from)
  for (const i of query.span.starts.keys()) {
    const start = end
    end = timeOf(query.span.starts[i + 1] ?? report.to)
    const times = [start, end]
    const rest = emptySum()
    addSum(rest, sums.points[i] ?? emptySum())
    for (const { group, labels } of groups) {
      const sum = group.points.get(i)
      if (!sum) continue
      addSum(rest, sum, -1)
      if (sum.requests !== 0 || sum.costNanos !== 0 || sum.rateLimited !== 0) line(times, labels, sum, null)
    }
    if (rest.requests !== 0 || rest.costNanos !== 0 || rest.rateLimited !== 0)
      line(times, restLabels, rest, null)
  }
  return lines.map(writeLine).join('')
}

function header(report: Report, filters: readonly FilterColumn[]): Cell[] {
  const { query } = report
  const dimensions = query.dimensions.flatMap(({ name }) =>
    isNamed(name) ? [`${name}_id`, `${name}_name`] : [name],
  )
  const compared =
    query.previous !== null && !query.hasInterval
      ? ['previous_requests', 'previous_spend_usd', 'change_usd']
      : []
  const filterNames = filters.map(({ name }) => name)
  const figures = figureKeys.map((key) => figureNames[key])
  return ['from', 'to', ...filterNames, ...dimensions, ...figures, ...compared]
}

const isNamed = (dimension: string): boolean => ['key', 'user', 'team'].includes(dimension)

function labelCells({ query }: Report, i: number, { key, name }: Label): Cell[] {
  return isNamed(query.dimensions[i]?.name ?? '') ? [key, name ?? null] : [key]
}

/** Formats times in the report's zone: a date when all intervals are whole days, otherwise with the time. */
function timesOf({ query, to }: Report): (at: Date) => string {
  const { timeZone, span } = query
  const pad = (value: number, length = 2) => String(value).padStart(length, '0')
  const isMidnight = (each: Date) => {
    const { hour, minute, second } = wallClockAt(timeZone, each.getTime())
    return hour + minute + second === 0 && each.getTime() % 1_000 === 0
  }
  const onlyDates = !isFinerThanDay(span.interval) && isMidnight(span.from) && isMidnight(to)
  return (at) => {
    const { year, month, day, hour, minute, second } = wallClockAt(timeZone, at.getTime())
    const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
    return onlyDates ? date : `${date} ${pad(hour)}:${pad(minute)}:${pad(second)}`
  }
}

/** Writes every digit, never an exponent, which some spreadsheets read as text. */
function nanosAsUsd(nanos: number): string {
  const digits = String(Math.abs(nanos)).padStart(10, '0')
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
  return nanos < 0 ? `-${text}` : text
}

const writeLine = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\r\n`

// Includes full-width characters, which East Asian spreadsheets treat alike, and leading characters that some
// spreadsheets skip.
const formula = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/**
 * A text that a spreadsheet would read as a formula gets a leading apostrophe: callers and users choose names and
 * tags. Numbers are always this service's own.
 */
function writeCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const isNumber = /^-?\d+(\.\d+)?$/.test(cell)
  const safe = !isNumber && formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
