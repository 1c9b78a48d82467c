import { type Insertable, type Selectable, sql } from 'kysely'
import { type Db, orNameTaken, type Tables, type Tx } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'

export type ProviderRow = Selectable<Tables['providers']>
export type CredentialRow = Selectable<Tables['provider_credentials']>

/** A provider and its credentials, oldest first. */
export interface StoredProvider {
  row: ProviderRow
  credentials: CredentialRow[]
}

/** The columns that a change may set. */
export type ProviderColumns = Pick<
  ProviderRow,
  | 'base_url'
  | 'sealed_headers'
  | 'dialects'
  | 'timeouts'
  | 'limits'
  | 'options'
  | 'auth'
  | 'accepted_references'
  | 'prices_of'
  | 'enabled'
>

const maxProviders = 200
const maxCredentials = 50

const toValues = ({ timeouts, limits, options, ...columns }: ProviderColumns) => ({
  ...columns,
  timeouts: JSON.stringify(timeouts),
  limits: JSON.stringify(limits),
  options: JSON.stringify(options),
})

export async function insertProvider(
  tx: Tx,
  row: Pick<ProviderRow, 'id' | 'tenant_id' | 'name' | 'type'>,
  columns: ProviderColumns,
): Promise<void> {
  await orNameTaken('provider', row.name, () =>
    tx
      .insertInto('providers')
      .values({ ...row, ...toValues(columns), deleted_at: null })
      .execute(),
  )
}

/** The tenant's row is locked, so that concurrent creations cannot exceed the limit. */
export async function requireRoomForProvider(tx: Tx, tenantId: string): Promise<void> {
  await sql`select from tenants where id = ${tenantId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('providers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= maxProviders)
    throw conflict(`A tenant has at most ${maxProviders} providers of its own; delete one first`)
}

/** The provider must be locked. */
export async function requireRoomForCredential(tx: Tx, providerId: string): Promise<void> {
  const { length } = await listCredentials(tx, [providerId])
  if (length >= maxCredentials)
    throw conflict(`A provider has at most ${maxCredentials} credentials; remove one first`)
}

export async function updateProviderRow(
  tx: Tx,
  tenantId: string,
  id: string,
  columns: ProviderColumns,
): Promise<void> {
  await tx
    .updateTable('providers')
    .set({ ...toValues(columns), updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Also finds a deleted provider: deleting it again succeeds. */
export async function lockProvider(tx: Tx, tenantId: string, id: string): Promise<ProviderRow | undefined> {
  return await tx
    .selectFrom('providers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Erases its secrets and its prices, because another provider may get the name. */
export async function markProviderDeleted(tx: Tx, { id, tenant_id, name }: ProviderRow): Promise<void> {
  const deleted_at = sql<Date>`clock_timestamp()`
  await tx.updateTable('providers').set({ deleted_at, sealed_headers: null }).where('id', '=', id).execute()
  await tx
    .updateTable('provider_credentials')
    .set({ deleted_at, sealed_value: null })
    .where('provider_id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  await tx
    .deleteFrom('model_prices')
    .where('tenant_id', '=', tenant_id)
    .where('provider', '=', name)
    .execute()
}

export async function insertCredential(tx: Tx, row: Insertable<Tables['provider_credentials']>) {
  await orNameTaken('credential', row.name, () => tx.insertInto('provider_credentials').values(row).execute())
}

export async function findCredential(
  tx: Tx,
  providerId: string,
  id: string,
): Promise<CredentialRow | undefined> {
  return await tx
    .selectFrom('provider_credentials')
    .selectAll()
    .where('provider_id', '=', providerId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function markCredentialDeleted(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('provider_credentials')
    .set({ deleted_at: sql<Date>`clock_timestamp()`, sealed_value: null })
    .where('id', '=', id)
    .execute()
}

async function listCredentials(db: Db, providerIds: readonly string[]): Promise<CredentialRow[]> {
  if (providerIds.length === 0) return []
  return await db
    .selectFrom('provider_credentials')
    .selectAll()
    .where('provider_id', 'in', providerIds)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

async function withCredentials(db: Db, rows: ProviderRow[]): Promise<StoredProvider[]> {
  const credentials = await listCredentials(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    row,
    credentials: credentials.filter(({ provider_id }) => provider_id === row.id),
  }))
}

export async function findProvider(
  db: Db,
  tenantId: string,
  id: string,
): Promise<StoredProvider | undefined> {
  const rows = await selectProviders(db, tenantId).where('id', '=', id).execute()
  return (await withCredentials(db, rows))[0]
}

/** Lists all providers, newest first: there are at most 200. */
export async function listProviders(db: Db, tenantId: string): Promise<StoredProvider[]> {
  return await withCredentials(db, await selectProviders(db, tenantId).orderBy('id', 'desc').execute())
}

const selectProviders = (db: Db, tenantId: string) =>
  db.selectFrom('providers').selectAll().where('tenant_id', '=', tenantId).where('deleted_at', 'is', null)
