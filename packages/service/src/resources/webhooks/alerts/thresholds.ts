import { type RawBuilder, sql } from 'kysely'
import type { Db, Statement } from '../../../db/index.js'
import type { NumberedReceipt } from '../../../record/index.js'
import { scopesOf } from '../../budgets/index.js'
import { claimValues, type InsertClaim, insertOccurrences, startClaimed } from './insert-occurrences.js'

/**
 * The spend and threshold of each row of the CTE `checked`, where `added` is what the receipts of this transaction
 * added.
 *
 * A limit alerts once in a period, under its own key. After a raised amount or a grant that puts the spend below
 * the threshold, receipts that cross the new threshold alert again, under a key that contains it. Spend never falls
 * within a period, so no threshold is crossed twice in it. `told` is the table of previous alerts.
 */
export const limitStatus = (told: 'webhook_occurrences' | 'alerts') => `
  limit_status as (
    select c.*, s.spent, l.limit_nanos, l.threshold_nanos, k.own_key,
      exists (select from ${told} o where o.tenant_id = c.tenant_id and o.key = k.own_key) as alerted,
      exists (select from ${told} o
        where o.tenant_id = c.tenant_id and o.key = k.own_key || ':' || l.threshold_nanos) as alerted_at_threshold
    from checked c
    cross join lateral (
      select coalesce(sum(d.cost_nanos), 0)::bigint as spent from spend_days d
      where d.tenant_id = c.tenant_id and d.scope_type = c.scope_type and d.scope_id = c.scope_id
        and d.day >= c.first and d.day < c.next) s
    cross join lateral (
      select c.amount_nanos + coalesce(sum(r.granted_nanos), 0)::bigint as limit_nanos from budget_requests r
      where r.budget_id = c.budget_id and r.status = 'approved'
        and r.granted_period = c.first::timestamp at time zone 'UTC') g
    cross join lateral (select g.limit_nanos, (g.limit_nanos * c.threshold_pct + 99) / 100 as threshold_nanos) l
    cross join lateral (
      select c.subject || ':' || c.period || ':' || to_char(c.first, 'YYYY-MM-DD')
        || case when c.is_each then ':' || c.scope_type || ':' || c.scope_id else '' end as own_key) k
  )`

/** `keyId` is an expression over `limit_status s`. */
export const overThreshold = (keyId: string) => `
  found as (
    select s.tenant_id, case when s.alerted then s.own_key || ':' || s.threshold_nanos else s.own_key end as key,
      'budget.threshold_reached' as event, s.next::timestamp at time zone 'UTC' as keep_until,
      json_build_object(
        'message', format('%s has reached %s %% of USD %s: USD %s spent',
          s.title || case when s.is_each then ', ' || s.scope_type || ' ' || s.scope_id else '' end, s.threshold_pct,
          trim_scale(s.limit_nanos / 1000000000.0), trim_scale(s.spent / 1000000000.0)),
        'virtual_key_id', coalesce(${keyId}, ''),
        'spent_usd', trim_scale(s.spent / 1000000000.0),
        'budget_usd', trim_scale(s.limit_nanos / 1000000000.0),
        'threshold_pct', s.threshold_pct,
        'budget', json_build_object(
          'id', s.budget_id,
          'name', coalesce((select b.name from budgets b where b.id = s.budget_id), s.title),
          'scope', json_build_object('type', s.scope_type, 'id', s.scope_id)))::text as data
    from limit_status s
    where s.spent > 0 and s.spent >= s.threshold_nanos
      and (not (s.alerted or s.alerted_at_threshold) or s.spent - s.added < s.threshold_nanos)
  )`

/** The key of the first call with which the sum reached the threshold. */
const crossingKey = `(
  select r.key_id from (
    select c.key_id, c.ordinal, sum(c.nanos) over (order by c.ordinal) as running_total from charges c
    where c.tenant_id = s.tenant_id and c.day >= s.first and c.day < s.next
      and c.scope_type = s.scope_type and c.scope_id = s.scope_id) r
  where s.spent - s.added + r.running_total >= s.threshold_nanos order by r.ordinal limit 1)`

const insertThresholdAlertsText = `with charges as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::date[], $6::bigint[])
      with ordinality as c (tenant_id, key_id, scope_type, scope_id, day, nanos, ordinal)
  ),
  checked as (
    select l.tenant_id, l.scope_type, t.scope_id, l.scope_id <> t.scope_id as is_each, l.subject, l.title, l.budget_id, l.period, l.amount_nanos,
      l.threshold_pct, period_start(l.period, t.day) as first, period_end(l.period, t.day) as next, sum(t.nanos) as added
    from (
      select c.tenant_id, c.scope_type, c.scope_id, c.day, sum(c.nanos)::bigint as nanos
      from charges c group by 1, 2, 3, 4) t
    join spend_limits l on l.tenant_id = t.tenant_id and l.scope_type = t.scope_type
      and l.scope_id in (t.scope_id, case t.scope_type when 'session' then '*'
        when 'tag' then split_part(t.scope_id, '=', 1) || '=*' else t.scope_id end)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
  ), ${limitStatus('webhook_occurrences')}, ${overThreshold(crossingKey)}, ${insertOccurrences(7)}`

/**
 * Returns alerts for the limits that these receipts count towards and that have reached their threshold. Runs after
 * spend was added.
 */
export function insertThresholdAlerts(receipts: readonly NumberedReceipt[], claim: InsertClaim): Statement[] {
  const charged = receipts.filter(({ draft }) => (draft.costNanos ?? 0) > 0)
  if (charged.length === 0) return []
  // One row for each scope of each receipt.
  const charges = charged.flatMap((receipt) =>
    scopesOf(receipt).map(([type, id]) => ({ type, id, ...receipt })),
  )
  return [
    {
      name: 'insert_threshold_alerts',
      text: insertThresholdAlertsText,
      values: [
        charges.map(({ tenantId }) => tenantId),
        charges.map(({ draft }) => draft.key ?? null),
        charges.map(({ type }) => type),
        charges.map(({ id }) => id),
        charges.map(({ draft }) => draft.ts.slice(0, 10)),
        charges.map(({ draft }) => draft.costNanos ?? 0),
        ...claimValues(claim),
      ],
      onCommitted: startClaimed(claim),
    },
  ]
}

/**
 * Selects the current limits of some tenants. A limit for each session or tag value appears once for each that has
 * spent in the period.
 */
export const limitsOf = (tenantIds: RawBuilder<unknown>) => sql`checked as (
    select l.tenant_id, l.scope_type, coalesce(each.scope_id, l.scope_id) as scope_id, l.is_each, l.subject, l.title, l.budget_id,
      l.period, l.amount_nanos, l.threshold_pct, l.first, l.next, 0::bigint as added
    from (
      select l.*, l.scope_type in ('session', 'tag') and (l.scope_id = '*' or l.scope_id like '%=*') as is_each,
        period_start(l.period, today.day) as first, period_end(l.period, today.day) as next
      from spend_limits l, (select (now() at time zone 'UTC')::date as day) as today
      where l.tenant_id = any(${tenantIds})) l
    left join lateral (
      select d.scope_id from spend_days d
      where l.is_each and d.tenant_id = l.tenant_id and d.scope_type = l.scope_type
        and d.day >= l.first and d.day < l.next and starts_with(d.scope_id, rtrim(l.scope_id, '*'))
      group by d.scope_id having sum(d.cost_nanos) * 100 >= l.amount_nanos * l.threshold_pct) each on true
    where not l.is_each or each.scope_id is not null
  )`

const subscribed = sql`array(
  select tenant_id from webhook_endpoints
  where deleted_at is null and enabled and 'budget.threshold_reached' = any(events))`

/**
 * The key that spent last, because there is no receipt here. Usage has no sessions and tags, so calls are searched
 * for those.
 */
export const latestKey = `case s.scope_type when 'key' then s.scope_id when 'session' then (
  select c.key_id from calls c
  where c.tenant_id = s.tenant_id and c.session = s.scope_id and c.ts >= s.first::timestamp at time zone 'UTC' and c.cost_nanos > 0
  order by c.ts desc limit 1)
when 'tag' then (
  select c.key_id from calls c
  where c.tenant_id = s.tenant_id and c.ts >= s.first::timestamp at time zone 'UTC' and c.cost_nanos > 0
    and c.tags @> jsonb_build_object(split_part(s.scope_id, '=', 1), substr(s.scope_id, strpos(s.scope_id, '=') + 1))
  order by c.ts desc limit 1)
else (
  select u.key_id from usage_hours u
  where u.tenant_id = s.tenant_id and u.hour >= s.first::timestamp at time zone 'UTC' and u.cost_nanos > 0
    and s.scope_id = case s.scope_type when 'tenant' then u.tenant_id when 'team' then u.team_id when 'user' then u.user_id end
  order by u.hour desc limit 1) end`

/**
 * Finds what no receipt shows: a limit that was lowered below its spend, or that got its first subscriber after its
 * spend had reached the threshold. Before that, limits that were raised above their spend become able to alert
 * again: the occurrence gives up their key.
 */
export async function checkThresholds(db: Db): Promise<void> {
  await sql`with ${limitsOf(subscribed)}, ${sql.raw(limitStatus('webhook_occurrences'))}
    update webhook_occurrences o set key = o.key || ':past:' || extract(epoch from o.created_at)
    from limit_status s where s.alerted and s.spent < s.threshold_nanos and o.tenant_id = s.tenant_id and o.key = s.own_key`.execute(
    db,
  )
  await sql`with ${limitsOf(subscribed)}, ${sql.raw(limitStatus('webhook_occurrences'))}, ${sql.raw(overThreshold(latestKey))},
    ${sql.raw(insertOccurrences(null))}`.execute(db)
}
