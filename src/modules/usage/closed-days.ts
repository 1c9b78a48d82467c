import { sql } from 'kysely'
import { type Db, inTransaction, type Periodic, startPeriodic, type Tx } from '../../db/index.js'
import { addedUp } from './rollup.js'

// Days that are over are added up from their hours: a report over months then reads one row instead of 24. The hours stay the
// truth. Writing to an hour reopens its day, in the same transaction, so a closed day is always the sum of its hours.

const intervalMs = 10 * 60_000
// Most receipts of a day are written by then. A later one reopens the day.
const settlingMs = 2 * 3_600_000
const dayMs = 86_400_000

/**
 * Keeps out everybody who counts calls of these tenants: the ledger locks the same rows. Without it, a day could be closed while
 * a count of it is being written.
 */
export async function lockForCounting(tx: Tx, tenantIds: readonly string[]): Promise<void> {
  await sql`select from record_heads where tenant_id = any(${tenantIds}) order by tenant_id for update`.execute(
    tx,
  )
}

export function startClosingDays(options: { db: Db; now(): Date; onError(error: unknown): void }): Periodic {
  const { db, now, onError } = options
  return startPeriodic({ run: () => closeDays(db, now()), everyMs: intervalMs, startsAtOnce: true, onError })
}

/** Each in a transaction of its own: calls of its tenant wait for it, for some milliseconds. */
export async function closeDays(db: Db, now: Date): Promise<void> {
  for (const { tenantId, day } of await findOpenDays(db, now)) {
    await inTransaction(db, async (tx) => {
      await lockForCounting(tx, [tenantId])
      const { rows } = await sql`insert into closed_usage_days (tenant_id, day) values (${tenantId}, ${day})
        on conflict do nothing returning day`.execute(tx)
      // Another replica was faster.
      if (rows.length === 0) return
      await sql`delete from usage_days where tenant_id = ${tenantId} and day = ${day}`.execute(tx)
      await sql`insert into usage_days (tenant_id, day, ${sql.raw(addedUp.columns)})
        select tenant_id, ${day}::timestamptz, ${sql.raw(addedUp.sums)} from usage_hours
        where tenant_id = ${tenantId} and hour >= ${day} and hour < ${new Date(day.getTime() + dayMs)}
        group by tenant_id, ${sql.raw(addedUp.groups)}`.execute(tx)
    })
  }
}

/** From the first to the last day that a tenant has hours of: two looks at the primary key for each tenant. */
async function findOpenDays(db: Db, now: Date): Promise<{ tenantId: string; day: Date }[]> {
  const endMs = Math.floor((now.getTime() - settlingMs) / dayMs) * dayMs
  const { rows } = await sql<{ tenantId: string; day: Date }>`
    select t.id as "tenantId", d.day
    from tenants t
    cross join lateral (
      select min(hour) as first, least(max(hour), ${new Date(endMs - 1)}::timestamptz) as last
      from usage_hours where tenant_id = t.id) as known
    cross join lateral generate_series(date_bin('1 day', known.first, 'epoch'::timestamptz), known.last, '24 hours') as d (day)
    where not exists (select from closed_usage_days c where c.tenant_id = t.id and c.day = d.day)
    order by d.day`.execute(db)
  return rows
}
