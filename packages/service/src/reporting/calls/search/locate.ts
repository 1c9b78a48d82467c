import { sql } from 'kysely'
import { type Db, timeOfId } from '../../../db/index.js'
import { attemptIdsOf } from '../../../record/index.js'
import type { Position } from './position.js'

// An id is created when a call arrives, just before it is admitted; its last attempt may come much later.
const beforeMs = 600_000
const afterMs = 3_600_000
const maxRowsRead = 10_000

/**
 * Returns the positions of a call's attempts, in order. They come from the receipts; if these were dropped from the
 * record, from the index of the older weeks, and in the newest weeks from the time in the id.
 */
export async function locateCall(db: Db, tenantId: string, requestId: string): Promise<Position[]> {
  const receipts = await db
    .selectFrom('receipts')
    .select(['ts', 'seq'])
    .where('request_id', 'in', attemptIdsOf(requestId))
    .where('tenant_id', '=', tenantId)
    .orderBy('seq')
    .execute()
  if (receipts.length > 0) return receipts
  const byTime = await locateByTime(db, tenantId, requestId)
  return byTime.length > 0 ? byTime : await locateIndexed(db, tenantId, requestId)
}

/** Returns a condition for the calls at these positions. */
export const isAtPosition = (positions: readonly Position[]) =>
  sql<boolean>`(ts, seq) in (${sql.join(positions.map(({ ts, seq }) => sql`(${ts}::timestamptz, ${seq}::bigint)`))})`

async function locateByTime(db: Db, tenantId: string, requestId: string): Promise<Position[]> {
  const madeAtMs = timeOfId(requestId)
  if (madeAtMs === null) return []
  const { rows } = await sql<Position>`
    select ts, seq from (
      select ts, seq, request_id, attempt from calls where tenant_id = ${tenantId}
        and ts >= ${new Date(madeAtMs - beforeMs)} and ts <= ${new Date(madeAtMs + afterMs)}
      order by ts, seq limit ${maxRowsRead}
    ) as near where request_id = ${requestId} order by attempt`.execute(db)
  return rows
}

async function locateIndexed(db: Db, tenantId: string, requestId: string): Promise<Position[]> {
  const { rows } = await sql<Position>`
    select ts, seq from calls where tenant_id = ${tenantId} and request_id = ${requestId}
      and ts < coalesce((select min(since) from calls_partitions where not indexed), 'infinity')
    order by attempt`.execute(db)
  return rows
}
