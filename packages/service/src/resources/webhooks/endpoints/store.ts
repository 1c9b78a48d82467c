import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../../db/index.js'

export type EndpointRow = Selectable<Tables['webhook_endpoints']>
export type DeliveryRow = Selectable<Tables['webhook_deliveries']>

/** An endpoint, its last attempted delivery, and the outcomes of the last week. */
export interface EndpointView extends EndpointRow {
  week_delivered: number
  week_retrying: number
  week_dead: number
  last_id: string | null
  last_event: string | null
  last_status: DeliveryRow['status'] | null
  last_status_code: number | null
  last_error: string | null
  last_at: Date | null
}

export async function insertEndpoint(
  tx: Tx,
  row: Pick<
    EndpointRow,
    | 'id'
    | 'tenant_id'
    | 'name'
    | 'url'
    | 'type'
    | 'envelope'
    | 'events'
    | 'enabled'
    | 'max_attempts'
    | 'sealed_secret'
  >,
): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({ ...row, previous_secret_until: null, deleted_at: null })
    .execute()
}

/** Also finds a deleted endpoint: deleting it again succeeds, unlike deleting one that never existed. */
export async function lockEndpoint(tx: Tx, tenantId: string, id: string): Promise<EndpointRow | undefined> {
  return await tx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * `clock_timestamp()` is used because `now()` is when the transaction began: one that waited for the row's lock
 * would set an older time.
 */
export async function updateEndpointRow(
  tx: Tx,
  tenantId: string,
  id: string,
  fields: Partial<EndpointRow>,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ ...fields, updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

function selectEndpoints(db: Db, tenantId: string) {
  return (
    db
      .selectFrom('webhook_endpoints as e')
      .leftJoinLateral(
        (from) =>
          from
            .selectFrom('webhook_deliveries as d')
            .select([
              'd.id as last_id',
              'd.event as last_event',
              'd.status as last_status',
              'd.status_code as last_status_code',
              'd.error as last_error',
              'd.attempted_at as last_at',
            ])
            .whereRef('d.endpoint_id', '=', 'e.id')
            .where('d.attempted_at', 'is not', null)
            .orderBy('d.attempted_at', 'desc')
            .limit(1)
            .as('last'),
        (join) => join.onTrue(),
      )
      // Plan: a range of webhook_deliveries_last for each endpoint.
      .innerJoinLateral(
        (from) =>
          from
            .selectFrom('webhook_deliveries as w')
            .select([
              sql<number>`count(*) filter (where status = 'delivered')`.as('week_delivered'),
              sql<number>`count(*) filter (where status = 'retrying')`.as('week_retrying'),
              sql<number>`count(*) filter (where status = 'dead')`.as('week_dead'),
            ])
            .whereRef('w.endpoint_id', '=', 'e.id')
            .where('w.attempted_at', '>=', sql<Date>`now() - interval '7 days'`)
            .where('w.event', '<>', 'webhook.test')
            .as('week'),
        (join) => join.onTrue(),
      )
      .selectAll()
      .where('e.tenant_id', '=', tenantId)
      .where('e.deleted_at', 'is', null)
  )
}

export async function findEndpoint(db: Db, tenantId: string, id: string): Promise<EndpointView | undefined> {
  return await selectEndpoints(db, tenantId).where('e.id', '=', id).executeTakeFirst()
}

export async function listEndpoints(
  db: Db,
  tenantId: string,
  page: { after: string | null; limit: number },
): Promise<EndpointView[]> {
  let query = selectEndpoints(db, tenantId)
  if (page.after !== null) query = query.where('e.id', '<', page.after)
  return await query.orderBy('e.id', 'desc').limit(page.limit).execute()
}
