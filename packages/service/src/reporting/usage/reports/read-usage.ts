import { sql } from 'kysely'
import { type Db, inSnapshot, type Tx } from '../../../db/index.js'
import { hasCode } from '../../../shared/error-code.js'
import { invalidField, invalidRequest } from '../../../shared/errors.js'
import { addSum, emptySum, type UsageSum } from '../counting/usage-sum.js'
import { coverPoints, coverRefusals, type Piece } from '../query/pieces.js'
import type { ReportQuery } from '../query/report-query.js'
import { findCoverage } from './coverage.js'
import { readGroupsBySpan, readSpansAndGroups } from './read-sums.js'
import type { GroupKey } from './rows.js'
import { combinePieces } from './spans.js'
import { requireCalls } from './stored-calls.js'

export interface Group {
  key: GroupKey
  sum: UsageSum
  /** The sum in the previous span. */
  before: UsageSum
  /** Values by the number of the point, if requested; a point without calls has none. */
  points: Map<number, UsageSum>
}

export interface UsageSums {
  /** One for each interval of the span. */
  points: UsageSum[]
  totals: UsageSum
  before: UsageSum
  groups: Group[]
  /** How many groups are not included. */
  groupsLeftOut: number
}

export const maxGroups = 1_000
const maxGroupPoints = 50_000
const maxQueryMs = 12_000
const queryCanceled = '57014'

/**
 * Reads all sums of a report from one snapshot: they agree with each other, and with the receipts, whatever is
 * written in the meantime. The first groups, up to a number, have a sum for each interval; `all` is for every group.
 */
export async function readUsage(
  db: Db,
  query: ReportQuery,
  now: Date,
  groupsByPoint: number | 'all',
): Promise<UsageSums> {
  return await inReportSnapshot(db, (tx) => readAll(tx, query, now, groupsByPoint))
}

/** Refuses a report that takes too long, with a message for the caller. */
export async function inReportSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inSnapshot(db, async (tx) => {
      // A statement of many parts takes longer to compile than to run.
      // With more memory thousands of groups are hashed, instead of sorted on disk.
      await sql`select set_config('jit', 'off', true), set_config('work_mem', '32MB', true),
        set_config('statement_timeout', ${String(maxQueryMs)}, true)`.execute(tx)
      return await read(tx)
    })
  } catch (error) {
    if (!hasCode(error, queryCanceled)) throw error
    throw invalidRequest('This report takes too long: choose a shorter span, or filter by session or key')
  }
}

async function readAll(
  tx: Tx,
  query: ReportQuery,
  now: Date,
  groupsByPoint: number | 'all',
): Promise<UsageSums> {
  const { selection, dimensions, span, previous } = query
  const range = { from: previous?.from ?? span.from, to: span.end, now }
  const { coverage, summary } = await findCoverage(tx, query, range)
  const starts = span.starts.map((start) => start.getTime())
  // The previous span is an additional last point.
  const last = starts.length
  const coverAll = (coverSpan: typeof coverPoints): Piece[] => {
    const before = previous ? coverSpan([previous.from.getTime()], previous.to.getTime(), coverage) : []
    return [
      ...coverSpan(starts, span.end.getTime(), coverage),
      ...before.map((piece) => ({ ...piece, point: last })),
    ]
  }
  const pieces = coverAll(coverPoints)
  await requireCalls(tx, selection.tenantId, pieces)
  const sources = [
    ...combinePieces(pieces, 'calls', last),
    ...combinePieces(coverAll(coverRefusals), 'refusals', last),
  ]
  const reading = { selection, dimensions, summary }
  const { spans, groups, groupCount } = await readSpansAndGroups(tx, reading, sources, maxGroups)

  const points = Array.from({ length: last + 1 }, emptySum)
  for (const { span, sum } of spans)
    for (const { point, sign } of span.uses) addSum(points[point] ?? emptySum(), sum, sign)
  const before = points.pop() ?? emptySum()
  const totals = emptySum()
  for (const point of points) addSum(totals, point)

  const sorted = groups.map((group): Group => ({ ...group, points: new Map() })).sort(bySpend)
  const withPoints = groupsByPoint === 'all' ? sorted : sorted.slice(0, groupsByPoint)
  requireFewPoints(groupsByPoint, withPoints.length * last)
  const byKey = new Map(withPoints.map((group) => [JSON.stringify(group.key), group]))
  // Latencies are reported by group and interval in a table only.
  const series = { only: withPoints.map(({ key }) => key), hasLatencies: groupsByPoint === 'all' }
  for (const { span, key, sum } of await readGroupsBySpan(tx, reading, sources, series))
    for (const { point, sign } of span.uses)
      if (point !== last) addTo(byKey.get(JSON.stringify(key)), point, sum, sign)
  return { points, totals, before, groups: sorted, groupsLeftOut: groupCount - sorted.length }
}

function requireFewPoints(groupsByPoint: number | 'all', points: number): void {
  if (points <= maxGroupPoints) return
  throw groupsByPoint === 'all'
    ? invalidField(
        'interval',
        `makes more than ${maxGroupPoints} lines: choose a longer interval, a shorter span, or fewer groups`,
      )
    : invalidField(
        'groupSeries',
        `makes more than ${maxGroupPoints} points: choose fewer, or a longer interval`,
      )
}

function addTo(group: Group | undefined, point: number, sum: UsageSum, sign: 1 | -1): void {
  if (!group) return
  const at = group.points.get(point) ?? emptySum()
  group.points.set(point, at)
  addSum(at, sum, sign)
}

/** The key comes last, so that the order is always the same. */
function bySpend(a: Group, b: Group): number {
  return (
    b.sum.costNanos - a.sum.costNanos ||
    b.sum.requests - a.sum.requests ||
    b.before.costNanos - a.before.costNanos ||
    (textOf(a.key) < textOf(b.key) ? -1 : 1)
  )
}

const textOf = (key: GroupKey): string => key.map((value) => value ?? '').join('\n')
