import { type RawBuilder, sql } from 'kysely'
import { type CallRow, type Db, inSnapshot } from '../../../db/index.js'
import { type CallFilter, type Condition, conditionsOf } from './filter.js'
import { isAtPosition, locateCall } from './locate.js'
import type { Position } from './position.js'

// Newest first, by time of admission and number. A page reads a bounded number of rows whatever the filter, so that no search keeps the
// database busy: if matching rows are too rare to fill the page within that bound, it is short and has a cursor to continue.
//
// - The newest weeks are still written to and have no index but the primary key, so their rows are read in order and filtered.
// - Older weeks have an index for each condition (partitions.ts). The condition that the fewest rows match leads, and the rows
//   that match it are filtered by the others.
//
// docs/decisions/0025-calls-table.md has the measurements.

export interface FoundCalls {
  rows: CallRow[]
  /** Where the next page starts; null on the last page. */
  next: Position | null
}

/** Limits on the cost of a page. */
export interface SearchBounds {
  /** How many rows one statement reads at most. */
  rowsRead: number
  /** A condition that matches no more rows than this can lead without an order: all of them are read and sorted. */
  rowsSorted: number
  /** After this time no further statement is started for a page that is not full. */
  maxSearchMs: number
}

const defaultBounds: SearchBounds = { rowsRead: 10_000, rowsSorted: 2_000, maxSearchMs: 40 }

interface Span {
  tenantId: string
  /** Inclusive; null without a bound. */
  from: Date | null
  after: Position | null
  to: Date | null
}

export async function searchCalls(
  db: Db,
  tenantId: string,
  filter: CallFilter,
  { after, limit }: { after: Position | null; limit: number },
  bounds: SearchBounds = defaultBounds,
): Promise<FoundCalls> {
  const conditions = conditionsOf(filter)
  const span: Span = { tenantId, from: filter.from, to: filter.to, after }
  if (filter.requestId !== null) return await searchOne(db, span, conditions, filter.requestId)
  // All statements use one snapshot: a row inserted between two statements would shift the result of the second.
  return await inSnapshot(db, (tx) => searchSpan(tx, span, conditions, { limit, bounds }))
}

async function searchSpan(
  db: Db,
  span: Span,
  conditions: readonly Condition[],
  { limit, bounds }: { limit: number; bounds: SearchBounds },
): Promise<FoundCalls> {
  const deadline = performance.now() + bounds.maxSearchMs
  const rows: CallRow[] = []
  let after = span.after
  for (;;) {
    const wanted = limit + 1 - rows.length
    const step = await readStep({ db, span: { ...span, after }, wanted, bounds }, conditions)
    rows.push(...step.rows)
    if (rows.length > limit) {
      const page = rows.slice(0, limit)
      return { rows: page, next: positionOf(page.at(-1)) }
    }
    after = step.next
    if (after === null || performance.now() > deadline) return { rows, next: after }
  }
}

const positionOf = (row: CallRow | undefined): Position | null => (row ? { ts: row.ts, seq: row.seq } : null)

async function searchOne(
  db: Db,
  span: Span,
  conditions: readonly Condition[],
  requestId: string,
): Promise<FoundCalls> {
  const positions = await locateCall(db, span.tenantId, requestId)
  if (positions.length === 0) return { rows: [], next: null }
  const here = isAtPosition(positions)
  const { rows } = await sql<CallRow>`
    select * from calls where ${all([...within(span), here, ...conditions.map((each) => each.sql)])}
    order by ts desc, seq desc`.execute(db)
  return { rows, next: null }
}

/** One statement of a search. */
interface Step {
  db: Db
  span: Span
  /** How many rows are enough. */
  wanted: number
  bounds: SearchBounds
}

/** `next` is null when everything has been searched. */
async function readStep(step: Step, conditions: readonly Condition[]): Promise<FoundCalls> {
  if (conditions.length === 0) return await readInOrder(step, [], [])
  const { db, span } = step
  const indexedBefore = await readIndexedBefore(db)
  const begin = span.after?.ts ?? span.to
  if (indexedBefore !== null && (begin === null || begin > indexedBefore))
    return await readNewest(step, conditions, indexedBefore)
  const lead = await chooseLead(step, conditions)
  const others = conditions.filter((each) => each !== lead?.condition)
  if (lead?.isRare) return await readFew(step, lead.condition, others)
  return lead ? await readInOrder(step, [lead.condition], others) : await readInOrder(step, [], conditions)
}

/**
 * Searches the weeks without indexes. When all of them are searched, the search continues with the earlier ones.
 */
async function readNewest(
  step: Step,
  conditions: readonly Condition[],
  indexedBefore: Date,
): Promise<FoundCalls> {
  const { from } = step.span
  const goesFurther = from === null || from < indexedBefore
  const span = goesFurther ? { ...step.span, from: indexedBefore } : step.span
  const { rows, next } = await readInOrder({ ...step, span }, [], conditions)
  return { rows, next: next ?? (goesFurther ? { ts: indexedBefore, seq: 0 } : null) }
}

/** Returns the time before which every partition has its indexes; null when all of them do. */
async function readIndexedBefore(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(since) as since from calls_partitions where not indexed`.execute(db)
  return rows[0]?.since ?? null
}

interface Lead {
  condition: Condition
  /** True when all matching rows can be read. */
  isRare: boolean
}

/** Chooses a condition that few rows match, or else one with an index in the order of the page, or else none. */
async function chooseLead(
  { db, span, bounds }: Step,
  conditions: readonly Condition[],
): Promise<Lead | null> {
  for (const condition of conditions.filter(({ order }) => order !== null)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (
        select from calls where ${all([...within(span), condition.sql])} limit ${bounds.rowsSorted + 1}
      ) as first`.execute(db)
    if ((rows[0]?.count ?? 0) <= bounds.rowsSorted) return { condition, isRare: true }
  }
  const ordered = conditions.find(({ order }) => order === 'time')
  return ordered ? { condition: ordered, isRare: false } : null
}

/**
 * Reads everything that matches the leading condition, which is little. A separate statement, because the planner
 * would otherwise read in order in the hope of filling the page soon.
 */
async function readFew(
  { db, span, wanted }: Step,
  lead: Condition,
  others: readonly Condition[],
): Promise<FoundCalls> {
  const rest = all([sql`true`, ...others.map((each) => each.sql)])
  const { rows } = await sql<CallRow>`
    with few as materialized (select * from calls where ${all([...within(span), lead.sql])})
    select * from few where ${rest} order by ts desc, seq desc limit ${wanted}`.execute(db)
  return { rows, next: rows.length < wanted ? null : positionOf(rows.at(-1)) }
}

/**
 * Returns at most `rowsRead` rows that match the leading conditions, in order, filtered by the others. Plan: a
 * backward scan of the primary key, or of the index of the leading condition, in all partitions at once; it ends
 * with the inner limit.
 */
async function readInOrder(
  { db, span, wanted, bounds }: Step,
  leads: readonly Condition[],
  others: readonly Condition[],
): Promise<FoundCalls> {
  const led = all([...within(span), ...leads.map((each) => each.sql)])
  const rest = all([sql`true`, ...others.map((each) => each.sql)])
  const { rows } = await sql<CallRow>`
    select * from (
      select * from calls where ${led} order by ts desc, seq desc limit ${bounds.rowsRead}
    ) as led where ${rest} order by ts desc, seq desc limit ${wanted}`.execute(db)
  if (rows.length === wanted) return { rows, next: positionOf(rows.at(-1)) }
  // The page is not full: the scan reached the inner limit, or the end.
  const { rows: ends } = await sql<Position>`
    select ts, seq from calls where ${led} order by ts desc, seq desc
    offset ${bounds.rowsRead - 1} limit 1`.execute(db)
  return { rows, next: ends[0] ?? null }
}

function within({ tenantId, from, to, after }: Span): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = [sql`tenant_id = ${tenantId}`]
  if (from !== null) conditions.push(sql`ts >= ${from}`)
  if (to !== null) conditions.push(sql`ts < ${to}`)
  // Only the bound on the time lets partitions be pruned.
  if (after !== null) conditions.push(sql`ts <= ${after.ts} and (ts, seq) < (${after.ts}, ${after.seq})`)
  return conditions
}

const all = (conditions: readonly RawBuilder<boolean>[]) =>
  sql<boolean>`(${sql.join(conditions, sql` and `)})`
