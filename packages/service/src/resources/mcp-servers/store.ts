import { type Selectable, sql } from 'kysely'
import { type Db, orNameTaken, type Tables, type Tx } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'
import type { SeenTool } from './tools/definition.js'
import type { Pin } from './tools/pins.js'

export type ServerRow = Selectable<Tables['mcp_servers']>
export type ListingRow = Selectable<Tables['mcp_listings']>
export type ToolRow = Selectable<Tables['mcp_tools']>

/** The columns that a change may set. */
export type ServerColumns = Omit<
  ServerRow,
  'id' | 'tenant_id' | 'name' | 'limits_since' | 'created_at' | 'updated_at' | 'deleted_at'
>

/** Identifies a server of a tenant, however it was configured. */
export interface ServerKey {
  tenantId: string
  id: string
}

const maxServers = 100

const toValues = ({ auth, ...columns }: ServerColumns) => ({ ...columns, auth: JSON.stringify(auth) })

export async function insertServer(
  tx: Tx,
  row: Pick<ServerRow, 'id' | 'tenant_id' | 'name'>,
  columns: ServerColumns,
): Promise<ServerRow> {
  return await orNameTaken('server', row.name, () =>
    tx
      .insertInto('mcp_servers')
      .values({ ...row, ...toValues(columns), deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** The tenant's row is locked, so that concurrent creations cannot exceed the limit. */
export async function requireRoomForServer(tx: Tx, tenantId: string): Promise<void> {
  await sql`select from tenants where id = ${tenantId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('mcp_servers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= maxServers)
    throw conflict(`A tenant has at most ${maxServers} MCP servers of its own; delete one first`)
}

export async function updateServerRow(
  tx: Tx,
  { tenantId, id }: ServerKey,
  columns: ServerColumns,
): Promise<ServerRow> {
  return await tx
    .updateTable('mcp_servers')
    .set({ ...toValues(columns), updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Also finds a deleted server: deleting it again succeeds. */
export async function lockServer(tx: Tx, { tenantId, id }: ServerKey): Promise<ServerRow | undefined> {
  return await tx
    .selectFrom('mcp_servers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Erases its secrets; a trigger deletes dependent rows. */
export async function markServerDeleted(tx: Tx, { tenantId, id }: ServerKey): Promise<void> {
  await tx
    .updateTable('mcp_servers')
    .set({ deleted_at: sql<Date>`clock_timestamp()`, sealed_headers: null, sealed_client_secret: null })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function findServer(db: Db, { tenantId, id }: ServerKey): Promise<ServerRow | undefined> {
  return await selectServers(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** Lists all servers, newest first: there are at most 100. */
export async function listServers(db: Db, tenantId: string): Promise<ServerRow[]> {
  return await selectServers(db, tenantId).orderBy('id', 'desc').execute()
}

const selectServers = (db: Db, tenantId: string) =>
  db.selectFrom('mcp_servers').selectAll().where('tenant_id', '=', tenantId).where('deleted_at', 'is', null)

/**
 * Returns false for a server that is deleted or has a new address: its listing is then useless. The row stays
 * locked until the end of the transaction.
 */
export async function isServedAt(tx: Tx, { tenantId, id }: ServerKey, url: string): Promise<boolean> {
  const row = await tx
    .selectFrom('mcp_servers')
    .select('url')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row?.url === url
}

/**
 * Locks the row that represents all tools of a server. Every change of tools locks it first, so that listings and
 * decisions are serialised.
 */
export async function lockListing(tx: Tx, { tenantId, id }: ServerKey): Promise<ListingRow> {
  const key = { tenant_id: tenantId, server_id: id }
  await tx
    .insertInto('mcp_listings')
    .values({ ...key, status: 'ok' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await tx
    .selectFrom('mcp_listings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function listListings(db: Db, tenantId: string): Promise<Map<string, ListingRow>> {
  const rows = await db.selectFrom('mcp_listings').selectAll().where('tenant_id', '=', tenantId).execute()
  return new Map(rows.map((row) => [row.server_id, row]))
}

/** Lists tools by name; a null `serverId` means those of all servers. */
export async function listTools(db: Db, tenantId: string, serverId: string | null): Promise<ToolRow[]> {
  const all = db.selectFrom('mcp_tools').selectAll().where('tenant_id', '=', tenantId)
  const wanted = serverId === null ? all : all.where('server_id', '=', serverId)
  return await wanted.orderBy('server_id').orderBy(sql`name collate "C"`).execute()
}

/** The columns of a tool without its definitions, which can be long. */
export type PinRow = Pick<
  ToolRow,
  'server_id' | 'name' | 'seen_hash' | 'gone_at' | 'fault' | 'approved_hash' | 'blocked'
>

/** Lists the pins of all servers, by name. */
export async function listPins(db: Db, tenantId: string): Promise<PinRow[]> {
  return await db
    .selectFrom('mcp_tools')
    .select(['server_id', 'name', 'seen_hash', 'gone_at', 'fault', 'approved_hash', 'blocked'])
    .where('tenant_id', '=', tenantId)
    .orderBy(sql`name collate "C"`)
    .execute()
}

/** Lists servers by name. */
export async function listToolsNamed(
  tx: Tx,
  { tenantId, id }: ServerKey,
  names: readonly string[],
): Promise<ToolRow[]> {
  return await tx
    .selectFrom('mcp_tools')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', id)
    .where('name', 'in', names)
    .orderBy(sql`name collate "C"`)
    .execute()
}

/** Approves the newest definitions of tools. The listing must be locked, as for every change of tools. */
export async function markApproved(
  tx: Tx,
  { tenantId, id }: ServerKey,
  names: readonly string[],
  approvedBy: string,
): Promise<void> {
  await tx
    .updateTable('mcp_tools')
    .set((column) => ({
      approved_hash: column.ref('seen_hash'),
      approved_definition: column.ref('seen_definition'),
      approved_at: sql<Date>`now()`,
      approved_by: approvedBy,
      blocked: false,
    }))
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', id)
    .where('name', 'in', names)
    .execute()
}

export async function markBlocked(
  tx: Tx,
  { tenantId, id }: ServerKey,
  names: readonly string[],
): Promise<void> {
  await tx
    .updateTable('mcp_tools')
    .set({ blocked: true })
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', id)
    .where('name', 'in', names)
    .execute()
}

export const pinOf = (row: PinRow): Pin => ({
  name: row.name,
  seenHash: row.seen_hash,
  isGone: row.gone_at !== null,
  fault: row.fault,
  approvedHash: row.approved_hash,
  isBlocked: row.blocked,
})

/** `seen_at` is when the definition was first seen. */
export async function writeSeenTools(
  tx: Tx,
  { tenantId, id }: ServerKey,
  tools: readonly SeenTool[],
): Promise<void> {
  const ofAll = <Field extends keyof SeenTool>(field: Field) => tools.map((tool) => tool[field])
  await sql`
    insert into mcp_tools (tenant_id, server_id, name, seen_hash, seen_definition, fault)
    select ${tenantId}, ${id}, t.name, t.hash, t.definition, t.fault
    from unnest(${ofAll('name')}::text[], ${ofAll('hash')}::text[], ${ofAll('text')}::text[], ${ofAll('fault')}::text[])
      as t (name, hash, definition, fault)
    on conflict (tenant_id, server_id, name) do update set
      seen_at = case when mcp_tools.seen_hash = excluded.seen_hash then mcp_tools.seen_at else now() end,
      seen_hash = excluded.seen_hash, seen_definition = excluded.seen_definition, fault = excluded.fault, gone_at = null`.execute(
    tx,
  )
}

export async function markToolsGone(
  tx: Tx,
  { tenantId, id }: ServerKey,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await tx
    .updateTable('mcp_tools')
    .set({ gone_at: sql<Date>`now()`, fault: null })
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', id)
    .where('name', 'in', names)
    .execute()
}

export async function deleteTools(
  tx: Tx,
  { tenantId, id }: ServerKey,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await tx
    .deleteFrom('mcp_tools')
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', id)
    .where('name', 'in', names)
    .execute()
}

export async function updateListing(
  tx: Tx,
  { tenantId, id }: ServerKey,
  columns: Partial<Omit<ListingRow, 'tenant_id' | 'server_id' | 'checked_at' | 'refreshed_at'>> & {
    refreshed_at?: Date
  },
): Promise<void> {
  await tx
    .updateTable('mcp_listings')
    .set({ ...columns, checked_at: sql<Date>`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', id)
    .execute()
}

/** Counts the users' credentials, and the clients that were registered for them. */
export async function countCredentials(tx: Tx, { tenantId, id }: ServerKey): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from mcp_credentials where tenant_id = ${tenantId} and server_id = ${id})
      + (select count(*) from mcp_consents where tenant_id = ${tenantId} and server_id = ${id} and expires_at > now()))::int as count`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function deleteCredentials(tx: Tx, { tenantId, id }: ServerKey): Promise<void> {
  for (const table of ['mcp_credentials', 'mcp_consents', 'mcp_oauth_clients', 'mcp_sessions'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('server_id', '=', id).execute()
}

/** Lists the servers that have a credential of a user, or of a key without one. */
export async function listConnected(db: Db, tenantId: string, subject: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('mcp_credentials')
    .select('server_id')
    .where('tenant_id', '=', tenantId)
    .where('subject', '=', subject)
    .execute()
  return new Set(rows.map(({ server_id }) => server_id))
}
