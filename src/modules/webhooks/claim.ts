import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import type { Room } from './lanes.js'
import type { DeliveryRow, EndpointRow } from './store.js'

/** A delivery that is ours to try until its lease ends, beside its endpoint as it is now. */
export type ClaimedDelivery = Pick<
  DeliveryRow,
  'endpoint_id' | 'id' | 'tenant_id' | 'event' | 'data' | 'created_at' | 'attempts'
> &
  Pick<
    EndpointRow,
    'url' | 'type' | 'secret' | 'previous_secret' | 'previous_secret_until' | 'max_attempts'
  > & { lease_until: Date }

// An attempt takes ten seconds at most; the rest is for writing down what came of it. After a crash it is how long the
// delivery waits for another replica.
export const leaseMs = 15_000

/** What an attempt needs of `webhook_endpoints e`. */
export const endpointColumns = [
  'e.url',
  'e.type',
  'e.secret',
  'e.previous_secret',
  'e.previous_secret_until',
  'e.max_attempts',
]

/** Null stands for the database's own clock, which all replicas share; tests bring one that they can move. */
export type Clock = () => Date | null
const at = (now: Date | null) => sql`coalesce(${now}::timestamptz, now())`

/**
 * Every endpoint that has something open, found by jumping along the index webhook_deliveries_due from one endpoint to the
 * next: however long one's queue is, it costs one look.
 */
const lanes = sql`
  lanes (endpoint_id) as (
    (select endpoint_id from webhook_deliveries where status in ('pending', 'retrying') order by endpoint_id limit 1)
    union all
    select (
      select d.endpoint_id from webhook_deliveries d
      where d.status in ('pending', 'retrying') and d.endpoint_id > lanes.endpoint_id
      order by d.endpoint_id limit 1)
    from lanes where lanes.endpoint_id is not null
  )`

/**
 * Takes what is due, of each endpoint as much as there is room for, so that no endpoint's queue stands in front of
 * another's; those that can have little come first. Rows that another replica is taking at this moment are passed over.
 * The commit does not wait for the disk: a lease that a crash of the database undoes costs a duplicate.
 */
export async function claimDeliveries(db: Db, room: Room, now: Date | null): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with recursive ${lanes},
    ready as (
      select e.id as endpoint_id, coalesce(known.room, ${room.forOthers}::int) as room
      from lanes
      join webhook_endpoints e on e.id = lanes.endpoint_id and e.enabled and e.deleted_at is null
      left join unnest(${room.endpointIds}::text[], ${room.rooms}::int[]) as known (endpoint_id, room)
        on known.endpoint_id = e.id
      where coalesce(known.room, ${room.forOthers}::int) > 0
      order by room, random()
    ),
    picked as (
      select due.endpoint_id, due.id
      from (select set_config('synchronous_commit', 'off', true)) as unsynced
      cross join ready
      cross join lateral (
        select d.endpoint_id, d.id from webhook_deliveries d
        where d.endpoint_id = ready.endpoint_id and d.status in ('pending', 'retrying') and d.due_at <= ${at(now)}
          and (d.lease_until is null or d.lease_until <= ${at(now)})
        order by d.due_at limit ready.room
        for update skip locked) as due
      limit ${room.inAll}
    )
    update webhook_deliveries d
    set lease_until = date_trunc('milliseconds', ${at(now)} + ${leaseMs} * interval '1 millisecond')
    from picked join webhook_endpoints e on e.id = picked.endpoint_id
    where d.endpoint_id = picked.endpoint_id and d.id = picked.id
    returning d.endpoint_id, d.id, d.tenant_id, d.event, d.data, d.created_at, d.attempts, d.lease_until,
      ${sql.raw(endpointColumns.join(', '))}`.execute(db)
  return rows
}

/** Lets go of what was taken and not tried: it is due again at once, for whoever takes it. */
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
    from (select distinct tenant_id from released) as told`.execute(db)
}

/** How long until something is due, or someone else's lease ends; null when nothing is open. */
export async function readWaitMs(db: Db, now: Date | null): Promise<number | null> {
  const { rows } = await sql<{ wait_ms: number | null }>`
    with recursive ${lanes}
    select (extract(epoch from min(least(later.due_at, leased.lease_until)) - ${at(now)}) * 1000)::float8 as wait_ms
    from lanes
    join webhook_endpoints e on e.id = lanes.endpoint_id and e.enabled and e.deleted_at is null
    left join lateral (
      select d.due_at from webhook_deliveries d
      where d.endpoint_id = e.id and d.status in ('pending', 'retrying') and d.due_at > ${at(now)}
      order by d.due_at limit 1) as later on true
    left join lateral (
      select d.lease_until from webhook_deliveries d
      where d.endpoint_id = e.id and d.status in ('pending', 'retrying') and d.due_at <= ${at(now)}
      order by d.due_at limit 1) as leased on leased.lease_until > ${at(now)}`.execute(db)
  return rows[0]?.wait_ms ?? null
}

export interface Finished {
  endpointId: string
  id: string
  leaseUntil: Date
  delivered: boolean
  statusCode: number | null
  error: string | null
  maxAttempts: number
  /** Until the next attempt, should there be one. */
  delayMs: number
}

/**
 * Writes down what came of attempts. A success always counts; a failure only if the delivery is still ours, since
 * whoever took it over after our lease has counted for itself.
 */
export async function finishDeliveries(
  db: Db,
  finished: readonly Finished[],
  now: Date | null,
): Promise<void> {
  const delivered = finished.filter((each) => each.delivered)
  const failed = finished.filter((each) => !each.delivered)
  if (delivered.length > 0) await writeDelivered(db, delivered, now)
  if (failed.length > 0) await writeFailed(db, failed, now)
}

async function writeDelivered(db: Db, delivered: readonly Finished[], now: Date | null): Promise<void> {
  await sql`
    update webhook_deliveries d set
      status = 'delivered', attempts = d.attempts + 1, lease_until = null, attempted_at = ${at(now)},
      status_code = f.status_code, error = null
    from unnest(
      ${delivered.map(({ endpointId }) => endpointId)}::text[],
      ${delivered.map(({ id }) => id)}::text[],
      ${delivered.map(({ statusCode }) => statusCode)}::int[]
    ) as f (endpoint_id, id, status_code)
    where d.endpoint_id = f.endpoint_id and d.id = f.id and d.status <> 'delivered'`.execute(db)
}

async function writeFailed(db: Db, failed: readonly Finished[], now: Date | null): Promise<void> {
  await sql`
    update webhook_deliveries d set
      status = case when d.attempts + 1 >= f.max_attempts then 'dead' else 'retrying' end,
      attempts = d.attempts + 1,
      due_at = ${at(now)} + f.delay_ms * interval '1 millisecond',
      lease_until = null,
      attempted_at = ${at(now)},
      status_code = f.status_code,
      error = f.error
    from unnest(
      ${failed.map(({ endpointId }) => endpointId)}::text[],
      ${failed.map(({ id }) => id)}::text[],
      ${failed.map(({ leaseUntil }) => leaseUntil.toISOString())}::timestamptz[],
      ${failed.map(({ statusCode }) => statusCode)}::int[],
      ${failed.map(({ error }) => error)}::text[],
      ${failed.map(({ maxAttempts }) => maxAttempts)}::int[],
      ${failed.map(({ delayMs }) => delayMs)}::int[]
    ) as f (endpoint_id, id, lease_until, status_code, error, max_attempts, delay_ms)
    where d.endpoint_id = f.endpoint_id and d.id = f.id and d.lease_until = f.lease_until
      and d.status in ('pending', 'retrying')`.execute(db)
}
