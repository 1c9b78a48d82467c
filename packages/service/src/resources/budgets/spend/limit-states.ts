import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'

/**
 * The number of limits of all tenants that have reached their threshold, or their whole amount, in their current
 * period.
 */
export interface LimitStates {
  near: number
  exhausted: number
}

// Feeds an operator's chart: with more limits than this, only this many are counted.
const maxLimits = 10_000

/**
 * Counts budgets, pools of teams and caps of users. A limit of zero is intended and not counted. Budgets for each
 * session or tag are left out, because they have as many accounts as there are sessions. Plan: for each limit a
 * range scan of the primary key of spend_days.
 */
export async function countLimitStates(db: Db): Promise<LimitStates> {
  const { rows } = await sql<LimitStates>`
    with limits as (
      select l.*, period_start(l.period, today.day) as first, period_end(l.period, today.day) as next
      from spend_limits l, (select (now() at time zone 'UTC')::date as day) as today
      where l.amount_nanos > 0 limit ${maxLimits})
    select count(*) filter (where s.spent >= g.limit_nanos) as exhausted,
      count(*) filter (where s.spent * 100 >= g.limit_nanos * l.threshold_pct and s.spent < g.limit_nanos) as near
    from limits l
    cross join lateral (
      select coalesce(sum(d.cost_nanos), 0) as spent from spend_days d
      where d.tenant_id = l.tenant_id and d.scope_type = l.scope_type and d.scope_id = l.scope_id
        and d.day >= l.first and (l.next is null or d.day < l.next)) s
    cross join lateral (
      select l.amount_nanos + coalesce(sum(r.granted_nanos), 0) as limit_nanos from budget_requests r
      where r.budget_id = l.budget_id and r.status = 'approved'
        and r.granted_period = l.first::timestamp at time zone 'UTC') g`.execute(db)
  return rows[0] ?? { near: 0, exhausted: 0 }
}
