import { type Selectable, sql, type Transaction } from 'kysely'
import { type Db, orNameTaken, type Tables } from '../db/index.js'
import type { KindName } from './kinds/index.js'

type Tx = Transaction<Tables>
export type PolicyRow = Selectable<Tables['policies']>

/** The columns that a caller can set. */
export type PolicyColumns = Pick<
  PolicyRow,
  'name' | 'description' | 'config' | 'scope_type' | 'scope_id' | 'phase' | 'action' | 'enabled'
>

export async function insertPolicy(
  tx: Tx,
  tenantId: string,
  row: PolicyColumns & { id: string; kind: KindName; sealed_secret: Buffer | null },
): Promise<PolicyRow> {
  return await orNameTaken('policy', row.name, () =>
    tx
      .insertInto('policies')
      .values({ ...row, config: JSON.stringify(row.config), tenant_id: tenantId, deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** Updates a policy. Uses `clock_timestamp()`, because a transaction that waited for the row may have started before the last change. */
export async function updatePolicy(
  tx: Tx,
  tenantId: string,
  id: string,
  columns: PolicyColumns,
): Promise<PolicyRow> {
  return await orNameTaken('policy', columns.name, () =>
    tx
      .updateTable('policies')
      .set({
        ...columns,
        config: JSON.stringify(columns.config),
        version: sql<number>`version + 1`,
        updated_at: sql<Date>`clock_timestamp()`,
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** Locks a policy, so that concurrent changes are made one after the other. */
export async function lockPolicy(tx: Tx, tenantId: string, id: string): Promise<PolicyRow | undefined> {
  return await tx
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Stores a new secret. The version stays, because decisions stay the same. Every replica reads the changed row again. */
export async function updatePolicySecret(
  tx: Tx,
  tenantId: string,
  id: string,
  sealed: Buffer,
): Promise<PolicyRow> {
  return await tx
    .updateTable('policies')
    .set({ sealed_secret: sealed, updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function markPolicyDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx
    .updateTable('policies')
    .set({ deleted_at: sql<Date>`clock_timestamp()`, sealed_secret: null })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function findPolicy(db: Db, tenantId: string, id: string): Promise<PolicyRow | undefined> {
  return await db
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Lists policies, newest first. They are ordered by id, because ids grow with time. */
export async function listPolicies(
  db: Db,
  tenantId: string,
  filter: { kind: KindName | null; after: string | null; limit: number },
): Promise<PolicyRow[]> {
  let query = db
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
  if (filter.kind !== null) query = query.where('kind', '=', filter.kind)
  if (filter.after !== null) query = query.where('id', '<', filter.after)
  return await query.orderBy('id', 'desc').limit(filter.limit).execute()
}

export async function listEnabledPolicies(db: Db, tenantId: string): Promise<PolicyRow[]> {
  return await db
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
}
