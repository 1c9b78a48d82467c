import { sql } from 'kysely'
import { type Db, timeOfId } from '../../db/index.js'
import type { Position } from './position.js'

// An id is made when a call comes in, just before it is admitted.
const windowMs = 600_000
const maxRowsRead = 10_000

/**
 * Where a call stands. Its receipt tells; without one (it was dropped from the record), the index of the older weeks does; in the newest
 * weeks, the time in the id says where to look.
 */
export async function locateCall(db: Db, tenantId: string, requestId: string): Promise<Position | null> {
  const receipt = await db
    .selectFrom('receipts')
    .select(['ts', 'seq'])
    .where('request_id', '=', requestId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (receipt) return receipt
  return (await locateByTime(db, tenantId, requestId)) ?? (await locateIndexed(db, tenantId, requestId))
}

async function locateByTime(db: Db, tenantId: string, requestId: string): Promise<Position | null> {
  const madeAtMs = timeOfId(requestId)
  if (madeAtMs === null) return null
  const { rows } = await sql<Position>`
    select ts, seq from (
      select ts, seq, request_id from calls where tenant_id = ${tenantId}
        and ts >= ${new Date(madeAtMs - windowMs)} and ts <= ${new Date(madeAtMs + windowMs)}
      order by ts desc, seq desc limit ${maxRowsRead}
    ) as near where request_id = ${requestId}`.execute(db)
  return rows[0] ?? null
}

async function locateIndexed(db: Db, tenantId: string, requestId: string): Promise<Position | null> {
  const { rows } = await sql<Position>`
    select ts, seq from calls where tenant_id = ${tenantId} and request_id = ${requestId}
      and ts < coalesce((select min(since) from calls_partitions where not indexed), 'infinity')
    limit 1`.execute(db)
  return rows[0] ?? null
}
