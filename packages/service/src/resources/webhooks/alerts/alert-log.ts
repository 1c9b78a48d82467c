import { type RawBuilder, sql } from 'kysely'
import { type Db, locks } from '../../../db/index.js'
import { deleteInSteps } from '../../../jobs/index.js'
import { findSpikes } from './spikes.js'
import { latestKey, limitStatus, limitsOf, overThreshold } from './thresholds.js'

/** An alert of the log, which is stored whether or not a webhook subscribes to it. */
export interface LoggedAlert {
  tenantId: string
  id: number
  key: string
  event: string
  /** JSON. */
  data: string
  ownerUserId: string | null
  ownerKeyId: string | null
  createdAt: Date
}

/**
 * The end of a statement whose CTE `found` has rows as for `insertOccurrences`. Alerts about a budget of a person
 * or a key are visible to that owner. `offset 0` keeps the planner from repeating the expressions of `found` wherever they are used,
 * which took it longer than the statement itself.
 */
export const insertAlerts = `
  insert into alerts (tenant_id, key, event, data, owner_user, owner_key, keep_until)
  select f.tenant_id, f.key, f.event, f.data,
    case s.type when 'user' then s.id when 'key' then (select k.user_id from keys k where k.id = s.id) end,
    case s.type when 'key' then s.id end,
    f.keep_until
  from (select * from found offset 0) f
  cross join lateral (select f.data::json #>> '{budget,scope,type}' as type, f.data::json #>> '{budget,scope,id}' as id) s
  order by f.tenant_id, f.key
  on conflict do nothing`

/**
 * Logs events of some or all tenants that are not in the log yet: limits that reached their threshold, and spikes.
 * It runs outside the transactions of receipts, in one transaction at a time; while another one runs, this does
 * nothing and returns false.
 */
export async function recordAlerts(db: Db, now: Date, tenantIds: readonly string[] | null): Promise<boolean> {
  const tenants: RawBuilder<unknown> =
    tenantIds === null ? sql`array(select id from tenants)` : sql`${tenantIds}::text[]`
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${locks.alerts}) as held`.execute(tx)
    if (rows[0]?.held !== true) return false
    const limits = sql`${limitsOf(tenants)}, ${sql.raw(limitStatus('alerts'))}`
    await sql`with ${limits}
      update alerts o set key = o.key || ':past:' || o.id
      from limit_status s where s.alerted and s.spent < s.threshold_nanos and o.tenant_id = s.tenant_id and o.key = s.own_key`.execute(
      tx,
    )
    await sql`with ${limits}, ${sql.raw(overThreshold(latestKey))} ${sql.raw(insertAlerts)}`.execute(tx)
    await sql`with ${findSpikes(tenants, now)} ${sql.raw(insertAlerts)}`.execute(tx)
    return true
  })
}

/** Returns the number of the newest alert of a tenant; 0 if it has none. */
export async function readLastAlert(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from alerts where tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.id ?? 0
}

/**
 * Returns the alerts after each number, in order, at most `limit` for each tenant. Plan: for each a range scan of
 * the primary key.
 */
export async function readAlertsAfter(
  db: Db,
  positions: readonly { tenantId: string; id: number }[],
  limit: number,
): Promise<LoggedAlert[]> {
  const { rows } = await sql<LoggedAlert>`
    select a.tenant_id as "tenantId", a.id, a.key, a.event, a.data, a.owner_user as "ownerUserId",
      a.owner_key as "ownerKeyId", a.created_at as "createdAt"
    from unnest(
      ${positions.map(({ tenantId }) => tenantId)}::text[],
      ${positions.map(({ id }) => id)}::bigint[]) as p (tenant_id, id)
    cross join lateral (
      select * from alerts where alerts.tenant_id = p.tenant_id and alerts.id > p.id order by id limit ${limit}) a
    order by a.tenant_id, a.id`.execute(db)
  return rows
}

const rowsPerStep = 5_000

/** Deletes an alert once the same event would be a new alert and the retention of webhook deliveries has passed. */
export async function pruneAlerts(db: Db, days: number): Promise<void> {
  await deleteInSteps(
    db,
    rowsPerStep,
    sql`
      delete from alerts where (tenant_id, id) in (
        select tenant_id, id from alerts
        where greatest(keep_until, created_at) < now() - ${days} * interval '1 day'
        limit ${rowsPerStep} for update skip locked)
      returning id`,
  )
}
