import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../../db/index.js'
import type { DeliveryRow, EndpointRow } from '../endpoints/store.js'
import type { AttemptOutcome } from './attempt.js'
import { insertAttempts } from './record-outcomes.js'

const openStatuses: DeliveryRow['status'][] = ['pending', 'retrying']

export async function listDeliveries(
  db: Db,
  tenantId: string,
  endpointId: string,
  filter: { status: DeliveryRow['status'] | null; after: string | null; limit: number },
): Promise<DeliveryRow[]> {
  let query = db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', endpointId)
  if (filter.status !== null) query = query.where('status', '=', filter.status)
  if (filter.after !== null) query = query.where('id', '<', filter.after)
  return await query.orderBy('id', 'desc').limit(filter.limit).execute()
}

export async function lockDelivery(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  return await tx
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Makes a delivery due at once. One that is delivered or dead starts again, with all of its attempts. */
export async function restartDelivery(
  tx: Tx,
  { endpoint_id, id, status }: DeliveryRow,
): Promise<DeliveryRow> {
  const restarted = {
    status: 'pending' as const,
    attempts: 0,
    lease_until: null,
    status_code: null,
    error: null,
  }
  const row = await tx
    .updateTable('webhook_deliveries')
    .set({ due_at: sql<Date>`now()`, ...(openStatuses.includes(status) ? {} : restarted) })
    .where('endpoint_id', '=', endpoint_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await wakeWorkers(tx, row.tenant_id)
  return row
}

/** Marks undelivered deliveries as dead. */
export async function cancelDeliveries(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  error: string,
): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'dead', error, lease_until: null })
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', endpointId)
    .where('status', 'in', openStatuses)
    .execute()
}

/** Wakes the workers of every replica when the transaction commits. */
async function wakeWorkers(tx: Tx, tenantId: string): Promise<void> {
  await sql`select pg_notify('tallystick_changes', ${`webhook_deliveries:${tenantId}`})`.execute(tx)
}

// The error of a test until its outcome is known. It remains if the process ends before that.
const outcomeUnknown = 'The service ended before the outcome was known'
const testLeaseMs = 20_000

/** Stored as dead from the start, so that no worker claims it: the caller attempts it itself, once. */
export async function insertTestDelivery(tx: Tx, endpoint: EndpointRow, data: string): Promise<DeliveryRow> {
  return await tx
    .insertInto('webhook_deliveries')
    .values({
      endpoint_id: endpoint.id,
      tenant_id: endpoint.tenant_id,
      event: 'webhook.test',
      data,
      status: 'dead',
      lease_until: new Date(Date.now() + testLeaseMs),
      attempted_at: null,
      status_code: null,
      error: outcomeUnknown,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function finishTestDelivery(
  db: Db,
  { endpoint_id, id }: DeliveryRow,
  { delivered, statusCode, error, durationMs }: AttemptOutcome,
): Promise<void> {
  await sql`
    with done as (update webhook_deliveries d set
      status = ${delivered ? 'delivered' : 'dead'}, attempts = 1, lease_until = null, attempted_at = now(),
      status_code = ${statusCode}, error = ${error}
    where endpoint_id = ${endpoint_id} and id = ${id}
    returning d.endpoint_id, d.id, d.attempted_at, ${durationMs}::int as duration_ms, d.status_code, d.error)
    ${insertAttempts}`.execute(db)
}

export async function findDelivery(
  db: Db,
  tenantId: string,
  endpointId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  return await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type AttemptRow = Selectable<Tables['webhook_attempts']>

// A delivery has at most 100 attempts; one that is sent again by hand gets as many more.
const maxAttemptsShown = 200

/** Returns the newest attempts, oldest first. */
export async function listAttempts(db: Db, { endpoint_id, id }: DeliveryRow): Promise<AttemptRow[]> {
  const rows = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('endpoint_id', '=', endpoint_id)
    .where('delivery_id', '=', id)
    .orderBy('id', 'desc')
    .limit(maxAttemptsShown)
    .execute()
  return rows.reverse()
}
