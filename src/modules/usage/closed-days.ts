import { randomUUID } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import {
  type Db,
  inTransaction,
  locks,
  type Periodic,
  runTransaction,
  type Statement,
  startPeriodic,
  type Tx,
} from '../../db/index.js'
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
export const lockForCounting = (tenantIds: readonly string[]): Statement => ({
  text: 'select from record_heads where tenant_id = any($1) order by tenant_id for no key update',
  values: [tenantIds],
})

export function startClosingDays(options: { db: Db; now(): Date; onError(error: unknown): void }): Periodic {
  const { db, now, onError } = options
  return startPeriodic({ run: () => closeDays(db, now()), everyMs: intervalMs, startsAtOnce: true, onError })
}

export async function closeDays(db: Db, now: Date, partsPerStep = 1_000): Promise<void> {
  for (const { tenantId, day } of await findOpenDays(db, now)) {
    await mergeParts(db, tenantId, day, partsPerStep)
    await closeDay(db, tenantId, day)
  }
}

/**
 * Merges the parts that an open snapshot caused into one row for each hour and combination. Calls of the tenant cannot be counted
 * meanwhile, so each transaction merges a bounded number of parts.
 */
async function mergeParts(db: Db, tenantId: string, day: Date, perStep: number): Promise<void> {
  const areParts = `tenant_id = $1 and hour >= $2 and hour < $3 and hour <> ${startOfHour}`
  const values = [tenantId, day, new Date(day.getTime() + dayMs)]
  const hasParts = CompiledQuery.raw(`select from usage_hours where ${areParts} limit 1`, values)
  const merge: Statement = {
    text: `with parts as (
        delete from usage_hours where ctid = any(array(
          select ctid from usage_hours where ${areParts} limit ${perStep})) returning *)
        insert into usage_hours as u (tenant_id, hour, ${addedUp.columns})
        select tenant_id, ${startOfHour}, ${addedUp.sums} from parts group by tenant_id, ${startOfHour}, ${addedUp.groups}
        on conflict (tenant_id, hour, ${addedUp.groups}) do update set ${addedUp.additions}`,
    values,
  }
  while ((await db.executeQuery(hasParts)).rows.length > 0)
    await runTransaction(db, [lockForCounting([tenantId]), merge])
}

const startOfHour = `date_bin('1 hour', hour, 'epoch')`

/**
 * A day of many tags takes seconds to add up, and nobody may wait that long to count a call. So it is only marked under the lock. Whoever
 * counts a call of it from then on takes the mark away, and what was added up does not count.
 */
async function closeDay(db: Db, tenantId: string, day: Date): Promise<void> {
  const attempt = randomUUID()
  await runTransaction(db, [
    lockForCounting([tenantId]),
    {
      // Without the lock, another replica is at it.
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
    await addUpDay(tx, tenantId, day)
    await sql`update closed_usage_days set attempt = null where ${marked}`.execute(tx)
  })
}

/** In parts, by the first letter of what stands for the tags: an answer that takes too long is not waited for. */
async function addUpDay(tx: Tx, tenantId: string, day: Date): Promise<void> {
  const ofDay = sql`tenant_id = ${tenantId} and hour >= ${day} and hour < ${new Date(day.getTime() + dayMs)}`
  await sql`delete from usage_days where tenant_id = ${tenantId} and day = ${day}`.execute(tx)
  const { rows: parts } = await sql<{ first: string }>`
    select distinct left(tags_id, 1) as first from usage_hours where ${ofDay}`.execute(tx)
  for (const { first } of parts)
    await sql`insert into usage_days (tenant_id, day, ${sql.raw(addedUp.columns)})
      select tenant_id, ${day}::timestamptz, ${sql.raw(addedUp.sums)} from usage_hours
      where ${ofDay} and left(tags_id, 1) = ${first}
      group by tenant_id, ${sql.raw(addedUp.groups)}`.execute(tx)
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
    where not exists (select from closed_usage_days c where c.tenant_id = t.id and c.day = d.day and c.attempt is null)
    order by d.day`.execute(db)
  return rows
}
