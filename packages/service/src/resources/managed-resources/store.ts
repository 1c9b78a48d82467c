import { type Selectable, sql } from 'kysely'
import { type Db, orNameTaken, type Tables, type Tx } from '../../db/index.js'

export type ManagedResourceRow = Selectable<Tables['managed_resources']>

/** The columns that a change may set. */
export type ManagedResourceColumns = Pick<
  ManagedResourceRow,
  'set_name' | 'resource_id' | 'state' | 'spec_hashes' | 'state_hashes'
>

const toValues = ({ spec_hashes, state_hashes, ...columns }: ManagedResourceColumns) => ({
  ...columns,
  spec_hashes: JSON.stringify(spec_hashes),
  state_hashes: JSON.stringify(state_hashes),
})

export async function insertManagedResource(
  tx: Tx,
  row: Pick<ManagedResourceRow, 'id' | 'tenant_id' | 'kind' | 'name' | 'updated_by'>,
  columns: ManagedResourceColumns,
): Promise<ManagedResourceRow> {
  return await orNameTaken('managed resource', `${row.kind} ${row.name}`, () =>
    tx
      .insertInto('managed_resources')
      .values({ ...row, ...toValues(columns), deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

export async function updateManagedResourceRow(
  tx: Tx,
  { tenant_id, id }: Pick<ManagedResourceRow, 'tenant_id' | 'id'>,
  columns: ManagedResourceColumns,
  updatedBy: string,
): Promise<ManagedResourceRow> {
  return await tx
    .updateTable('managed_resources')
    .set({
      ...toValues(columns),
      revision: sql`revision + 1`,
      updated_by: updatedBy,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Also finds a deleted row: deleting it again succeeds. */
export async function lockManagedResource(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ManagedResourceRow | undefined> {
  return await tx
    .selectFrom('managed_resources')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function markManagedResourceDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx
    .updateTable('managed_resources')
    .set({ deleted_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function findManagedResource(
  db: Db,
  tenantId: string,
  id: string,
): Promise<ManagedResourceRow | undefined> {
  return await db
    .selectFrom('managed_resources')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Newest first, by id: ids grow with time. */
export async function listManagedResources(
  db: Db,
  tenantId: string,
  {
    set,
    kind,
    after,
    limit,
  }: { set: string | null; kind: string | null; after: string | null; limit: number },
): Promise<ManagedResourceRow[]> {
  let query = db
    .selectFrom('managed_resources')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
  if (set !== null) query = query.where('set_name', '=', set)
  if (kind !== null) query = query.where('kind', '=', kind)
  if (after !== null) query = query.where('id', '<', after)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}
