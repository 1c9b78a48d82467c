import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'

/** A budget, the pool of a team or the cap of a user that has reached its threshold in its current period. */
export interface NearLimit {
  type: 'budget' | 'pool' | 'cap'
  /** The id of the budget, the team or the user. */
  id: string
  title: string
  thresholdPct: number
  spentNanos: number
  limitNanos: number
}

/**
 * Lists limits by how much of them is spent, the highest share first. Plan: for each limit of the tenant a range
 * scan of the primary key of spend_days.
 */
export async function listNearLimits(db: Db, tenantId: string, limit: number): Promise<NearLimit[]> {
  const { rows } = await sql<NearLimit>`
    with limits as (
      select l.*, period_start(l.period, today.day) as first, period_end(l.period, today.day) as next
      from spend_limits l, (select (now() at time zone 'UTC')::date as day) as today
      where l.tenant_id = ${tenantId} and l.amount_nanos > 0)
    select split_part(l.subject, ':', 1) as type, substr(l.subject, strpos(l.subject, ':') + 1) as id, l.title,
      l.threshold_pct as "thresholdPct", s.spent::float8 as "spentNanos", g.limit_nanos::float8 as "limitNanos"
    from limits l
    cross join lateral (
      select coalesce(sum(d.cost_nanos), 0) as spent from spend_days d
      where d.tenant_id = l.tenant_id and d.scope_type = l.scope_type and d.scope_id = l.scope_id
        and d.day >= l.first and (l.next is null or d.day < l.next)) s
    cross join lateral (
      select l.amount_nanos + coalesce(sum(r.granted_nanos), 0) as limit_nanos from budget_requests r
      where r.budget_id = l.budget_id and r.status = 'approved'
        and r.granted_period = l.first::timestamp at time zone 'UTC') g
    where s.spent * 100 >= g.limit_nanos * l.threshold_pct
    order by s.spent / g.limit_nanos desc, l.subject limit ${limit}`.execute(db)
  return rows
}

export interface PendingRequests {
  count: number
  oldestAt: Date | null
}

export async function countPendingRequests(db: Db, tenantId: string): Promise<PendingRequests> {
  const { rows } = await sql<PendingRequests>`
    select count(*) as count, min(created_at) as "oldestAt" from budget_requests
    where tenant_id = ${tenantId} and status = 'pending'`.execute(db)
  return rows[0] ?? { count: 0, oldestAt: null }
}
