import { type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot, type Tx } from '../../../db/index.js'
import { hasCode } from '../../../shared/error-code.js'
import { invalidRequest } from '../../../shared/errors.js'
import { countOutcomes } from '../../usage/index.js'
import { type CallFilter, conditionsOf, selectionOf } from './filter.js'
import { isAtPosition, locateCall } from './locate.js'

/** How many calls of each outcome were admitted in one bucket of time. */
export interface DensityRow {
  bucket: number
  outcome: string | null
  calls: number
  costNanos: number
}

export interface DensitySpan {
  from: Date
  /** Exclusive. */
  to: Date
  buckets: number
}

const hourMs = 3_600_000
const maxQueryMs = 8_000
const queryCanceled = '57014'

/**
 * Counts the calls that match a filter, by equal parts of a span. Parts of an hour or more are counted by the
 * rollups, if these can answer. Otherwise every call of the span is read once; a span with too many calls is refused
 * after a few seconds. Plan: a range scan of the primary key, or of the index of a condition in completed weeks.
 */
export async function readDensity(
  db: Db,
  tenantId: string,
  filter: CallFilter,
  span: DensitySpan,
  now: Date,
): Promise<DensityRow[]> {
  try {
    return await inSnapshot(db, async (tx) => {
      await sql`select set_config('jit', 'off', true),
        set_config('statement_timeout', ${String(maxQueryMs)}, true)`.execute(tx)
      return (
        (await countFromRollups(tx, tenantId, filter, { ...span, now })) ??
        (await countByBucket(tx, tenantId, filter, span))
      )
    })
  } catch (error) {
    if (!hasCode(error, queryCanceled)) throw error
    throw invalidRequest('This takes too long to count: ask for a shorter span')
  }
}

async function countFromRollups(
  tx: Tx,
  tenantId: string,
  filter: CallFilter,
  { from, to, buckets, now }: DensitySpan & { now: Date },
): Promise<DensityRow[] | null> {
  const lengthMs = to.getTime() - from.getTime()
  if (lengthMs < buckets * hourMs) return null
  const starts = Array.from(
    { length: buckets },
    (_, i) => from.getTime() + Math.ceil((i * lengthMs) / buckets),
  )
  const counted = await countOutcomes(tx, selectionOf(tenantId, filter), { starts, toMs: to.getTime(), now })
  return counted?.map(({ point, ...row }) => ({ bucket: point, ...row })) ?? null
}

async function countByBucket(
  tx: Tx,
  tenantId: string,
  filter: CallFilter,
  { from, to, buckets }: DensitySpan,
): Promise<DensityRow[]> {
  const conditions: RawBuilder<boolean>[] = [
    sql`tenant_id = ${tenantId}`,
    sql`ts >= ${from}`,
    sql`ts < ${to}`,
    ...conditionsOf(filter).map((each) => each.sql),
  ]
  if (filter.requestId !== null) {
    const positions = await locateCall(tx, tenantId, filter.requestId)
    if (positions.length === 0) return []
    conditions.push(isAtPosition(positions))
  }
  // `least` keeps a rounded-up result of the division within the last bucket.
  const { rows } = await sql<DensityRow>`
    select least(${buckets - 1}, floor(extract(epoch from ts - ${from}::timestamptz) * ${buckets}
        / extract(epoch from ${to}::timestamptz - ${from}::timestamptz)))::integer as bucket,
      outcome, count(*) as calls, sum(cost_nanos)::float8 as "costNanos"
    from calls where ${sql.join(conditions, sql` and `)}
    group by 1, 2 order by 1, 2`.execute(tx)
  return rows
}

/** Returns when the first stored call was admitted; null if there is none before `to`. */
export async function readFirstTime(db: Db, tenantId: string, to: Date): Promise<Date | null> {
  const { rows } = await sql<{ ts: Date }>`
    select ts from calls where tenant_id = ${tenantId} and ts < ${to} order by ts limit 1`.execute(db)
  return rows[0]?.ts ?? null
}
