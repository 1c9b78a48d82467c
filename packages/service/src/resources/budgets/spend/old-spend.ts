import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic } from '../../../db/index.js'

const everyMs = 3_600_000
const daysPerStep = 10_000

export interface OldSpendOptions {
  db: Db
  /** More recent spend is kept by the day. */
  olderThanDays: number
  now(): Date
  onError(error: unknown): void
}

export function startRollingUpSpend({ db, olderThanDays, now, onError }: OldSpendOptions): Periodic {
  const run = () => rollUpOldSpend(db, new Date(now().getTime() - olderThanDays * 86_400_000))
  return startPeriodic({ run, everyMs, startsAtOnce: true, onError })
}

/**
 * Adds up each month that lies before the daily spend that is kept, on its first day. The only limit period that
 * begins so long ago is the one that never ends, which is the sum of all days.
 */
export async function rollUpOldSpend(db: Db, before: Date, perStep = daysPerStep): Promise<void> {
  const firstKept = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1))
  for (let moved = perStep; moved >= perStep; ) {
    // One statement, so that every snapshot contains each amount exactly once.
    const { rows } = await sql<{ moved: number }>`
      with old as (
        delete from folded_spend_days where ctid = any(array(
          select ctid from folded_spend_days where day < ${firstKept}::date and extract(day from day) <> 1
          limit ${perStep} for update skip locked))
        returning *),
      added as (
        insert into folded_spend_days as s (tenant_id, scope_type, scope_id, day, cost_nanos)
        select tenant_id, scope_type, scope_id, date_trunc('month', day)::date, sum(cost_nanos) from old
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (tenant_id, scope_type, scope_id, day) do update set cost_nanos = s.cost_nanos + excluded.cost_nanos)
      select count(*)::integer as moved from old`.execute(db)
    moved = rows[0]?.moved ?? 0
  }
}
