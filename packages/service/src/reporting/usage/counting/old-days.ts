import { CompiledQuery, sql } from 'kysely'
import { type Db, inTransaction, locks, type Periodic, startPeriodic } from '../../../db/index.js'
import { lockForCounting } from './fold.js'
import { summariseDay } from './summaries.js'
import { hourColumns } from './totals.js'

const everyMs = 3_600_000
const dayMs = 86_400_000

export interface OldDaysOptions {
  db: Db
  /** More recent days are kept by the hour. */
  olderThanDays: number
  now(): Date
  onError(error: unknown): void
}

export function startRollingUpDays({ db, olderThanDays, now, onError }: OldDaysOptions): Periodic {
  const run = () => rollUpOldDays(db, new Date(now().getTime() - olderThanDays * dayMs))
  return startPeriodic({ run, everyMs, startsAtOnce: true, onError })
}

/**
 * Merges the hours of an old day into its first hour. The hours stay authoritative, later writes to one of them
 * still work, and no query needs to know of it; such a day can just no longer be divided by the hour.
 */
export async function rollUpOldDays(db: Db, before: Date): Promise<void> {
  const { rows } = await sql<{ tenantId: string; day: Date }>`
    select tenant_id as "tenantId", day from closed_usage_days
    where attempt is null and not rolled and day < ${new Date(before.getTime() - dayMs)} order by day, tenant_id`.execute(
    db,
  )
  for (const { tenantId, day } of rows) await rollUpDay(db, tenantId, day)
}

/** Counts that arrive in the meantime stay where they are: they reopen the day, which is then closed and merged again. */
async function rollUpDay(db: Db, tenantId: string, day: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_xact_lock(${locks.usageDays}) as got`.execute(tx)
    // Another replica is doing it, or a day is being closed.
    if (!rows[0]?.got) return
    const { text, values } = lockForCounting([tenantId])
    await tx.executeQuery(CompiledQuery.raw(text, values))
    const isClosed = await sql`
      update closed_usage_days set rolled = true
      where tenant_id = ${tenantId} and day = ${day} and attempt is null returning day`.execute(tx)
    if (isClosed.rows.length === 0) return
    await sql`
      with later as (
        delete from folded_usage_hours
        where tenant_id = ${tenantId} and hour > ${day} and hour < ${new Date(day.getTime() + dayMs)} returning *)
      insert into folded_usage_hours as u (tenant_id, hour, ${sql.raw(hourColumns.columns)})
      select tenant_id, ${day}::timestamptz, ${sql.raw(hourColumns.sums)} from later
      group by tenant_id, ${sql.raw(hourColumns.groups)}
      on conflict (tenant_id, hour, ${sql.raw(hourColumns.groups)}) do update set ${sql.raw(hourColumns.additions)}`.execute(
      tx,
    )
    await summariseDay(tx, tenantId, day)
  })
}
