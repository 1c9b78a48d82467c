import { sql } from 'kysely'
import { type Db, inSnapshot, type Tx } from '../../../db/index.js'
import { hasCode } from '../../../shared/error-code.js'
import { invalidField, invalidRequest } from '../../../shared/errors.js'
import { addSum, emptySum, type UsageSum } from '../counting/usage-sum.js'
import { needsCalls, needsOutcomeOrTags } from '../query/dimensions.js'
import { type Coverage, coverPoints, coverRefusals, type Piece } from '../query/pieces.js'
import type { ReportQuery } from '../query/report-query.js'
import {
  areCallsKept,
  type GroupKey,
  type Reading,
  rankGroups,
  readClosedDays,
  readRefusals,
  readSums,
} from './store.js'

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
// Minutes are stored for two hours; the rest is a margin for clocks that differ.
const minutesKeptMs = 90 * 60_000
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
      // A statement with 80 sums takes longer to compile than to run.
      await sql`select set_config('jit', 'off', true),
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
  const byPoint = groupsByPoint === 'all'
  const { selection, dimensions, span, previous } = query
  const coverage = await findCoverage(tx, query, now)
  const starts = span.starts.map((start) => start.getTime())
  const last = starts.length
  /**
   * Returns the pieces of all points, or of the span as one; those of the previous span belong to an additional
   * last point.
   */
  const coverWith = (coverSpan: typeof coverPoints, points: readonly number[]): Piece[] => {
    const before = previous ? coverSpan([previous.from.getTime()], previous.to.getTime(), coverage) : []
    return [
      ...coverSpan(points, span.end.getTime(), coverage),
      ...before.map((piece) => ({ ...piece, point: last })),
    ]
  }
  const pointPieces = coverWith(coverPoints, starts)
  const wholePieces = coverWith(coverPoints, starts.slice(0, 1))
  await requireCalls(tx, selection.tenantId, [...pointPieces, ...wholePieces])

  const buckets = await findBuckets(tx, { selection, dimensions: [], pieces: wholePieces })
  const points = Array.from({ length: last + 1 }, emptySum)
  const inPoints = { selection, dimensions: [], pieces: pointPieces, buckets }
  for (const { point, sign, sum } of await readSums(tx, inPoints)) {
    const at = points[point]
    if (at) addSum(at, sum, sign)
  }
  const refusedInPoints = { ...inPoints, pieces: coverWith(coverRefusals, starts) }
  for (const { point, refused } of await readRefusals(tx, refusedInPoints)) {
    const at = points[point]
    if (at) at.rateLimited += refused
  }
  const sumBefore = points.pop() ?? emptySum()
  const totals = emptySum()
  for (const point of points) addSum(totals, point)

  const refusals = coverWith(coverRefusals, starts.slice(0, 1))
  const ranked = await rankGroups(tx, { selection, dimensions, pieces: wholePieces }, refusals, maxGroups)
  if (byPoint && ranked.keys.length * last > maxGroupPoints)
    throw invalidField(
      'interval',
      `makes more than ${maxGroupPoints} lines: choose a longer interval, a shorter span, or fewer groups`,
    )
  if (groupsByPoint !== 'all' && groupsByPoint * last > maxGroupPoints)
    throw invalidField(
      'groupSeries',
      `makes more than ${maxGroupPoints} points: choose fewer, or a longer interval`,
    )
  const groups = new Map<string, Group>()
  for (const key of ranked.keys)
    groups.set(JSON.stringify(key), { key, sum: emptySum(), before: emptySum(), points: new Map() })
  const add = (key: GroupKey, point: number, sum: UsageSum, sign: 1 | -1) => {
    const group = groups.get(JSON.stringify(key))
    if (!group) return
    addSum(point === last ? group.before : group.sum, sum, sign)
    if (byPoint && point !== last) addTo(group, point, sum, sign)
  }
  const groupsLeftOut = ranked.count - ranked.keys.length
  const reading = { selection, dimensions, buckets, ...(groupsLeftOut > 0 && { only: ranked.keys }) }
  const pieces = byPoint ? pointPieces : wholePieces
  for (const { key, point, sign, sum } of await readSums(tx, { ...reading, pieces }))
    add(key, point, sum, sign)
  const refusalPieces = byPoint ? refusedInPoints.pieces : refusals
  for (const { key, point, refused } of await readRefusals(tx, { ...reading, pieces: refusalPieces }))
    add(key, point, { ...emptySum(), rateLimited: refused }, 1)
  const sorted = [...groups.values()].sort(bySpend)
  if (groupsByPoint !== 'all' && groupsByPoint > 0) {
    const first = sorted.slice(0, groupsByPoint)
    const pieces = pointPieces.filter(({ point }) => point !== last)
    const only = first.map(({ key }) => key)
    const byKey = new Map(first.map((group) => [JSON.stringify(group.key), group]))
    // Without latencies, which are not reported by group and interval.
    const rows = only.length === 0 ? [] : await readSums(tx, { ...reading, buckets: [], only, pieces })
    for (const { key, point, sign, sum } of rows) addTo(byKey.get(JSON.stringify(key)), point, sum, sign)
  }
  return { points, totals, before: sumBefore, groups: sorted, groupsLeftOut }
}

function addTo(group: Group | undefined, point: number, sum: UsageSum, sign: 1 | -1): void {
  if (!group) return
  const at = group.points.get(point) ?? emptySum()
  group.points.set(point, at)
  addSum(at, sum, sign)
}

/**
 * Finds the buckets that the calls of the span use: about a quarter of all, and the only ones that the later sums
 * need. Every hour that those read whole is read whole here, so that no bucket is missed.
 */
async function findBuckets(tx: Tx, reading: Reading): Promise<number[]> {
  const whole = emptySum()
  for (const { sign, sum } of await readSums(tx, {
    ...reading,
    pieces: reading.pieces.filter(({ source }) => source !== 'calls'),
  }))
    addSum(whole, sum, sign)
  return whole.latencyBuckets.flatMap((count, bucket) => (count === 0 ? [] : [bucket]))
}

async function findCoverage(tx: Tx, query: ReportQuery, now: Date): Promise<Coverage> {
  const { selection, dimensions, span, previous } = query
  const from = previous?.from ?? span.from
  if (needsCalls(selection, dimensions))
    return { callsOnly: true, closedDays: new Set(), minutesFromMs: Number.POSITIVE_INFINITY }
  return {
    callsOnly: false,
    closedDays: await readClosedDays(tx, selection.tenantId, from, span.end),
    minutesFromMs: needsOutcomeOrTags(selection, dimensions)
      ? Number.POSITIVE_INFINITY
      : now.getTime() - minutesKeptMs,
  }
}

export async function requireCalls(tx: Tx, tenantId: string, pieces: readonly Piece[]): Promise<void> {
  const needed = pieces.filter(({ source }) => source === 'calls')
  if (needed.length === 0 || (await areCallsKept(tx, tenantId, needed))) return
  throw invalidField(
    'from',
    'is too early: some calls of this span are no longer stored individually. Choose a later `from`, or whole hours of UTC without session, route, agent, cache, batch, policyId, minCostUsd and requestId',
  )
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
