import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  type Db,
  inTransaction,
  locks,
  type Periodic,
  runTransaction,
  startPeriodic,
  type Tx,
} from '../../../db/index.js'
import { foldAll, lockForCounting } from './fold.js'
import { summariseDay } from './summaries.js'
import { hourColumns } from './totals.js'

// Completed days are pre-aggregated from their hours, so that a report over months reads one row instead of 24. The
// hours are authoritative. Adding to the total of an hour reopens its day in the same transaction, and readers
// treat a day with unfolded rows as open. So a closed day is always the sum of its hours.

const intervalMs = 10 * 60_000
// Most receipts of a day are written by then. A later one reopens the day.
const settlingMs = 2 * 3_600_000
const dayMs = 86_400_000

export function startClosingDays(options: { db: Db; now(): Date; onError(error: unknown): void }): Periodic {
  const { db, now, onError } = options
  return startPeriodic({ run: () => closeDays(db, now()), everyMs: intervalMs, startsAtOnce: true, onError })
}

export async function closeDays(db: Db, now: Date): Promise<void> {
  await foldAll(db)
  for (const { tenantId, day } of await findOpenDays(db, now)) await closeDay(db, tenantId, day)
}

/**
 * Adding up a day with many tags takes seconds, and folding must not wait that long. So the day is only marked
 * under the lock. A fold that adds to the day afterwards deletes the mark, and the result is discarded.
 */
async function closeDay(db: Db, tenantId: string, day: Date): Promise<void> {
  const attempt = randomUUID()
  await runTransaction(db, [
    lockForCounting([tenantId]),
    {
      // If the lock is not free, another replica is closing a day.
      text: `insert into closed_usage_days (tenant_id, day, attempt)
        select $1, $2, $3 where pg_try_advisory_xact_lock(${locks.usageDays})
        on conflict (tenant_id, day) do update set attempt = excluded.attempt
        where closed_usage_days.attempt is not null`,
      values: [tenantId, day, attempt],
    },
  ])
  await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${locks.usageDays})`.execute(tx)
    const marked = sql`tenant_id = ${tenantId} and day = ${day} and attempt = ${attempt}`
    const { rows } = await sql`select from closed_usage_days where ${marked}`.execute(tx)
    if (rows.length === 0) return
    await aggregateDay(tx, tenantId, day)
    await summariseDay(tx, tenantId, day)
    await sql`update closed_usage_days set attempt = null where ${marked}`.execute(tx)
  })
}

/** Runs in parts, by the first character of the tags' hash, because slow statements are cancelled. */
async function aggregateDay(tx: Tx, tenantId: string, day: Date): Promise<void> {
  const ofDay = sql`tenant_id = ${tenantId} and hour >= ${day} and hour < ${new Date(day.getTime() + dayMs)}`
  await sql`delete from usage_days where tenant_id = ${tenantId} and day = ${day}`.execute(tx)
  const { rows: parts } = await sql<{ first: string }>`
    select distinct left(tags_id, 1) as first from folded_usage_hours where ${ofDay}`.execute(tx)
  for (const { first } of parts)
    await sql`insert into usage_days (tenant_id, day, ${sql.raw(hourColumns.columns)})
      select tenant_id, ${day}::timestamptz, ${sql.raw(hourColumns.sums)} from folded_usage_hours
      where ${ofDay} and left(tags_id, 1) = ${first}
      group by tenant_id, ${sql.raw(hourColumns.groups)}`.execute(tx)
}

/** Finds the days between a tenant's first and last hour: two reads of the primary key for each tenant. */
async function findOpenDays(db: Db, now: Date): Promise<{ tenantId: string; day: Date }[]> {
  const endMs = Math.floor((now.getTime() - settlingMs) / dayMs) * dayMs
  const { rows } = await sql<{ tenantId: string; day: Date }>`
    select t.id as "tenantId", d.day
    from tenants t
    cross join lateral (
      select min(hour) as first, least(max(hour), ${new Date(endMs - 1)}::timestamptz) as last
      from folded_usage_hours where tenant_id = t.id) as known
    cross join lateral generate_series(date_bin('1 day', known.first, 'epoch'::timestamptz), known.last, '24 hours') as d (day)
    where not exists (select from closed_usage_days c where c.tenant_id = t.id and c.day = d.day and c.attempt is null)
    order by d.day`.execute(db)
  return rows
}
