import { leaseEndText } from '../../../jobs/index.js'
import { type ClaimedDelivery, endpointColumns, leaseMs } from '../delivery/claim.js'
import type { Capacity } from '../delivery/endpoint-queues.js'

/**
 * Lets the worker of this process claim deliveries in the statement that inserts them: without delay, with one row
 * version less, and without waking a replica.
 */
export interface InsertClaim {
  capacity: Capacity
  /** Called with the claimed deliveries once they are committed. */
  start(claimed: readonly ClaimedDelivery[]): void
}

const deliveryColumns = [
  'endpoint_id',
  'id',
  'tenant_id',
  'event',
  'data',
  'created_at',
  'attempts',
  'lease_until',
]
const claimedColumns = [...deliveryColumns.map((name) => `d.${name}`), ...endpointColumns]

/**
 * The end of a statement whose CTE `found` has rows (tenant_id, key, event, data, keep_until), each key once. Inserts them
 * as occurrences, unless the key exists, with a delivery to every endpoint that subscribes to the event. Without such an
 * endpoint there is no occurrence either: the first one that subscribes is alerted if the condition still holds then.
 *
 * Up to the capacity of an insert claim, deliveries are inserted with a lease and returned as a claim would return them;
 * for the others, the workers of every replica are woken. The values of the claim start at the parameter `$claimParameter`.
 *
 * Rows are inserted in the order of their keys: a receipt and a periodic check that find the same keys cannot deadlock.
 */
export const insertOccurrences = (claimParameter: number | null) => `
  new_occurrences as (
    insert into webhook_occurrences (tenant_id, key, event, keep_until)
    select tenant_id, key, event, keep_until from found
    where exists (
      select from webhook_endpoints e
      where e.tenant_id = found.tenant_id and e.deleted_at is null and e.enabled and found.event = any(e.events))
    order by tenant_id, key
    on conflict do nothing
    returning tenant_id, key
  ),
  listed as (${claimParameter === null ? noneListed : listedAt(claimParameter)}),
  new_deliveries as (
    insert into webhook_deliveries (endpoint_id, tenant_id, event, data, lease_until)
    select e.id, e.tenant_id, found.event, found.data,
      case when row_number() over (partition by e.id)
          <= coalesce(listed.capacity, ${claimParameter === null ? 0 : `$${claimParameter + 2}::int`})
        then ${leaseEndText(leaseMs)} end
    from new_occurrences
    join found using (tenant_id, key)
    join webhook_endpoints e
      on e.tenant_id = found.tenant_id and e.deleted_at is null and e.enabled and found.event = any(e.events)
    left join listed on listed.endpoint_id = e.id
    returning ${deliveryColumns.join(', ')}
  )
  select ${claimedColumns.join(', ')}, null as notified
  from new_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
  where d.lease_until is not null
  union all
  select ${claimedColumns.map(() => 'null').join(', ')}, pg_notify('tallystick_changes', 'webhook_deliveries:' || tenant_id)::text
  from (select distinct tenant_id from new_deliveries where lease_until is null) as unclaimed`

const noneListed = 'select null::text as endpoint_id, 0 as capacity where false'
const listedAt = (first: number) =>
  `select * from unnest($${first}::text[], $${first + 1}::int[]) as listed (endpoint_id, capacity)`

/** The values that `insertOccurrences` reads, in their order. */
export const claimValues = ({ capacity }: InsertClaim): unknown[] => [
  capacity.endpointIds,
  capacity.capacities,
  capacity.forOthers,
]

/** Called by `onCommitted` of the statement. */
export const startClaimed =
  ({ start }: InsertClaim) =>
  (rows: Record<string, unknown>[]): void =>
    start(rows.filter(({ endpoint_id }) => endpoint_id !== null) as unknown as ClaimedDelivery[])
