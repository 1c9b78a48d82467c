import { type ClaimedDelivery, endpointColumns, leaseMs } from './claim.js'
import type { Room } from './lanes.js'

/** What a worker of this process would send at once: it takes the deliveries over as they are made. */
export interface Offer {
  room: Room
  take(made: readonly ClaimedDelivery[]): void
}

const madeColumns = [
  'endpoint_id',
  'id',
  'tenant_id',
  'event',
  'data',
  'created_at',
  'attempts',
  'lease_until',
]
const takenColumns = [...madeColumns.map((name) => `made.${name}`), ...endpointColumns]

/**
 * Ends a statement whose CTE `found` has rows (tenant_id, key, event, data, keep_until), each key once: makes them
 * occurrences, unless the tenant was told already, with a delivery to every endpoint that listens. What nobody listens
 * to has not occurred: it is told once somebody does, if it still holds then.
 *
 * As many as an offer has room for are made with its lease on them, and given back as if they had been claimed; for the
 * others the workers are woken. The values of the offer begin at the parameter `offered`.
 *
 * In the order of the keys, so that a receipt and the watch that find the same things never wait for each other in a circle.
 */
export const alertOnce = (offered: number | null) => `
  fresh as (
    insert into webhook_occurrences (tenant_id, key, event, keep_until)
    select tenant_id, key, event, keep_until from found
    where exists (
      select from webhook_endpoints e
      where e.tenant_id = found.tenant_id and e.deleted_at is null and e.enabled and found.event = any(e.events))
    order by tenant_id, key
    on conflict do nothing
    returning tenant_id, key
  ),
  offer as (${offered === null ? nothing : roomAt(offered)}),
  made as (
    insert into webhook_deliveries (endpoint_id, tenant_id, event, data, lease_until)
    select e.id, e.tenant_id, found.event, found.data,
      case when row_number() over (partition by e.id) <= coalesce(offer.room, ${offered === null ? 0 : `$${offered + 2}::int`})
        then date_trunc('milliseconds', now() + ${leaseMs} * interval '1 millisecond') end
    from fresh
    join found using (tenant_id, key)
    join webhook_endpoints e
      on e.tenant_id = found.tenant_id and e.deleted_at is null and e.enabled and found.event = any(e.events)
    left join offer on offer.endpoint_id = e.id
    returning ${madeColumns.join(', ')}
  )
  select ${takenColumns.join(', ')}, null as told
  from made join webhook_endpoints e on e.id = made.endpoint_id
  where made.lease_until is not null
  union all
  select ${takenColumns.map(() => 'null').join(', ')}, pg_notify('tallystick_changes', 'webhook_deliveries:' || tenant_id)::text
  from (select distinct tenant_id from made where lease_until is null) as left_over`

const nothing = 'select null::text as endpoint_id, 0 as room where false'
const roomAt = (first: number) =>
  `select * from unnest($${first}::text[], $${first + 1}::int[]) as offer (endpoint_id, room)`

/** The values for `alertOnce`, in their order. */
export const offeredValues = ({ room }: Offer): unknown[] => [room.endpointIds, room.rooms, room.forOthers]

/** Hands over what the statement made with a lease on it. */
export const takeMade =
  ({ take }: Offer) =>
  (rows: Record<string, unknown>[]): void =>
    take(rows.filter(({ endpoint_id }) => endpoint_id !== null) as unknown as ClaimedDelivery[])
