import { type Selectable, sql } from 'kysely'
import { type Db, orNameTaken, type Tables, type Tx } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'

export type RouteRow = Selectable<Tables['routes']>

/** The columns that a caller decides on. */
export type RouteColumns = Pick<
  RouteRow,
  'name' | 'strategy' | 'targets' | 'retry' | 'timeout_ms' | 'sticky_by' | 'cache' | 'enabled'
>

const maxRoutes = 500

const toValues = ({ targets, retry, cache, ...columns }: RouteColumns) => ({
  ...columns,
  targets: JSON.stringify(targets),
  retry: JSON.stringify(retry),
  cache: cache && JSON.stringify(cache),
})

export async function insertRoute(
  tx: Tx,
  tenantId: string,
  id: string,
  columns: RouteColumns,
): Promise<RouteRow> {
  return await orNameTaken('route', columns.name, () =>
    tx
      .insertInto('routes')
      .values({ id, tenant_id: tenantId, ...toValues(columns), deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** The tenant's row is locked, so that concurrent creations cannot exceed the limit. */
export async function requireRoomForRoute(tx: Tx, tenantId: string): Promise<void> {
  await sql`select from tenants where id = ${tenantId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('routes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= maxRoutes) throw conflict(`A tenant has at most ${maxRoutes} routes; delete one first`)
}

export async function updateRoute(
  tx: Tx,
  tenantId: string,
  id: string,
  columns: RouteColumns,
): Promise<RouteRow> {
  return await orNameTaken('route', columns.name, () =>
    tx
      .updateTable('routes')
      .set({ ...toValues(columns), updated_at: sql<Date>`clock_timestamp()` })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** Also finds a deleted route: deleting it again succeeds. */
export async function lockRoute(tx: Tx, tenantId: string, id: string): Promise<RouteRow | undefined> {
  return await tx
    .selectFrom('routes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function markRouteDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx
    .updateTable('routes')
    .set({ deleted_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function findRoute(db: Db, tenantId: string, id: string): Promise<RouteRow | undefined> {
  return await db
    .selectFrom('routes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Newest first, by id: ids grow with time. */
export async function listRoutes(
  db: Db,
  tenantId: string,
  page: { after: string | null; limit: number },
): Promise<RouteRow[]> {
  let query = db
    .selectFrom('routes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
  if (page.after !== null) query = query.where('id', '<', page.after)
  return await query.orderBy('id', 'desc').limit(page.limit).execute()
}

export async function listEnabledRoutes(db: Db, tenantId: string): Promise<RouteRow[]> {
  return await db
    .selectFrom('routes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
}
