import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import type { CredentialKey, Subject } from './credential.js'

export type CredentialRow = Selectable<Tables['mcp_credentials']>

export async function findCredential(db: Db, key: CredentialKey): Promise<CredentialRow | undefined> {
  return await selectFrom(db, key).executeTakeFirst()
}

/**
 * Locks the credential until the transaction ends, so that only one of the replicas that renew it asks the
 * authorization server.
 */
export async function lockCredential(tx: Tx, key: CredentialKey): Promise<CredentialRow | undefined> {
  return await selectFrom(tx, key).forUpdate().executeTakeFirst()
}

const selectFrom = (db: Db, { tenantId, serverId, subject }: CredentialKey) =>
  db
    .selectFrom('mcp_credentials')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', serverId)
    .where('subject', '=', subject)

/** Returns false when the server no longer exists: its credentials were deleted with it. */
export async function writeCredential(
  tx: Tx,
  { tenantId, serverId, subject }: CredentialKey,
  { sealed, expiresAt }: { sealed: Buffer; expiresAt: Date | null },
): Promise<boolean> {
  // A deletion of the server waits for this, or this sees that it is deleted. Servers of the operator's file have
  // no row.
  const { rows } = await sql`
    with server as (
      select from mcp_servers where tenant_id = ${tenantId} and id = ${serverId} and deleted_at is null for share
    )
    insert into mcp_credentials (tenant_id, server_id, subject, sealed, expires_at)
    select ${tenantId}, ${serverId}, ${subject}, ${sealed}, ${expiresAt}::timestamptz
    where exists (select from server) or ${serverId} like 'file:%'
    on conflict (tenant_id, server_id, subject)
      do update set sealed = excluded.sealed, expires_at = excluded.expires_at, updated_at = clock_timestamp()
    returning server_id`.execute(tx)
  return rows.length > 0
}

export async function deleteCredential(
  db: Db,
  { tenantId, serverId, subject }: CredentialKey,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mcp_credentials')
    .where('tenant_id', '=', tenantId)
    .where('server_id', '=', serverId)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Erases the credentials with which a person calls servers, and consents in progress, so that none of them returns.
 */
export async function eraseCredentials(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  const subject: Subject = `user:${userId}`
  for (const table of ['mcp_credentials', 'mcp_consents'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('subject', '=', subject).execute()
}
