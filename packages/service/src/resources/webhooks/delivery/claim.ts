import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { isUnleased, leaseEnd, timeOrNow } from '../../../jobs/index.js'
import type { DeliveryRow, EndpointRow } from '../endpoints/store.js'
import type { Capacity } from './endpoint-queues.js'

/** A delivery that only this process may attempt until its lease ends, with its endpoint as it was at the claim. */
export type ClaimedDelivery = Pick<
  DeliveryRow,
  'endpoint_id' | 'id' | 'tenant_id' | 'event' | 'data' | 'created_at' | 'attempts'
> &
  Pick<
    EndpointRow,
    | 'url'
    | 'type'
    | 'envelope'
    | 'previous_secret_until'
    | 'sealed_secret'
    | 'sealed_previous_secret'
    | 'max_attempts'
  > & { lease_until: Date }

// An attempt takes ten seconds at most; the rest is for recording its outcome. After a crash, a delivery waits this long
// for another replica.
export const leaseMs = 15_000

/** The columns of `webhook_endpoints e` that an attempt needs. */
export const endpointColumns = [
  'e.url',
  'e.type',
  'e.envelope',
  'e.previous_secret_until',
  'e.sealed_secret',
  'e.sealed_previous_secret',
  'e.max_attempts',
]

/**
 * Every endpoint with an open delivery, by a loose index scan: each step reads the next endpoint from the index
 * webhook_deliveries_due (endpoint_id, due_at), so that a long queue costs as much as a short one.
 */
const openEndpoints = sql`
  open_endpoints (endpoint_id) as (
    (select endpoint_id from webhook_deliveries where status in ('pending', 'retrying') order by endpoint_id limit 1)
    union all
    select (
      select d.endpoint_id from webhook_deliveries d
      where d.status in ('pending', 'retrying') and d.endpoint_id > o.endpoint_id
      order by d.endpoint_id limit 1)
    from open_endpoints o where o.endpoint_id is not null
  )`

/**
 * Claims due deliveries, for each endpoint up to its capacity, so that no endpoint's backlog delays another's;
 * endpoints with little capacity come first. Rows that another replica is claiming at this moment are skipped. The
 * commit does not wait for the disk: a lease that is lost in a database crash costs a duplicate.
 */
export async function claimDeliveries(
  db: Db,
  capacity: Capacity,
  now: Date | null,
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with recursive ${openEndpoints},
    ready as (
      select e.id as endpoint_id, coalesce(listed.capacity, ${capacity.forOthers}::int) as capacity
      from open_endpoints o
      join webhook_endpoints e on e.id = o.endpoint_id and e.enabled and e.deleted_at is null
      left join unnest(${capacity.endpointIds}::text[], ${capacity.capacities}::int[]) as listed (endpoint_id, capacity)
        on listed.endpoint_id = e.id
      where coalesce(listed.capacity, ${capacity.forOthers}::int) > 0
      order by capacity, random()
    ),
    picked as (
      select due.endpoint_id, due.id
      from (select set_config('synchronous_commit', 'off', true)) as unsynced
      cross join ready
      cross join lateral (
        select d.endpoint_id, d.id from webhook_deliveries d
        where d.endpoint_id = ready.endpoint_id and d.status in ('pending', 'retrying') and d.due_at <= ${timeOrNow(now)}
          and ${isUnleased(sql`d.lease_until`, now)}
        order by d.due_at limit ready.capacity
        for update skip locked) as due
      limit ${capacity.total}
    )
    update webhook_deliveries d
    set lease_until = ${leaseEnd(leaseMs, now)}
    from picked join webhook_endpoints e on e.id = picked.endpoint_id
    where d.endpoint_id = picked.endpoint_id and d.id = picked.id
    returning d.endpoint_id, d.id, d.tenant_id, d.event, d.data, d.created_at, d.attempts, d.lease_until,
      ${sql.raw(endpointColumns.join(', '))}`.execute(db)
  return rows
}

/** Ends the leases of deliveries that were claimed but not attempted, and wakes the workers of every replica. */
export async function releaseDeliveries(db: Db, claimed: readonly ClaimedDelivery[]): Promise<void> {
  await sql`
    with released as (
      update webhook_deliveries d set lease_until = null
      from unnest(
        ${claimed.map(({ endpoint_id }) => endpoint_id)}::text[],
        ${claimed.map(({ id }) => id)}::text[],
        ${claimed.map(({ lease_until }) => lease_until.toISOString())}::timestamptz[]
      ) as c (endpoint_id, id, lease_until)
      where d.endpoint_id = c.endpoint_id and d.id = c.id and d.lease_until = c.lease_until
      returning d.tenant_id
    )
    select pg_notify('tallystick_changes', 'webhook_deliveries:' || tenant_id)
    from (select distinct tenant_id from released) as tenants`.execute(db)
}

/** Returns the time until a delivery is due or a lease of another replica ends; null when nothing is open. */
export async function readMsUntilDue(db: Db, now: Date | null): Promise<number | null> {
  const { rows } = await sql<{ wait_ms: number | null }>`
    with recursive ${openEndpoints}
    select (extract(epoch from min(least(later.due_at, leased.lease_until)) - ${timeOrNow(now)}) * 1000)::float8 as wait_ms
    from open_endpoints o
    join webhook_endpoints e on e.id = o.endpoint_id and e.enabled and e.deleted_at is null
    left join lateral (
      select d.due_at from webhook_deliveries d
      where d.endpoint_id = e.id and d.status in ('pending', 'retrying') and d.due_at > ${timeOrNow(now)}
      order by d.due_at limit 1) as later on true
    left join lateral (
      select d.lease_until from webhook_deliveries d
      where d.endpoint_id = e.id and d.status in ('pending', 'retrying') and d.due_at <= ${timeOrNow(now)}
      order by d.due_at limit 1) as leased on leased.lease_until > ${timeOrNow(now)}`.execute(db)
  return rows[0]?.wait_ms ?? null
}
