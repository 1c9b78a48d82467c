import { type Db, inTransaction, type Tx } from '../../db/index.js'
import { conflict, notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { ToolServer } from '../mcp-servers/index.js'
import { type CredentialKey, endOf, type StoredCredential, subjectOf } from './credential.js'
import type { McpCredentials } from './credentials.js'
import type { McpCredential } from './schema.js'
import { deleteCredential } from './store.js'

export interface CredentialStore {
  db: Db
  credentials: McpCredentials
}

export const credentialKeyOf = (actor: Actor, server: Pick<ToolServer, 'id'>): CredentialKey => ({
  tenantId: actor.tenantId,
  serverId: server.id,
  subject: subjectOf(actor),
})

/** True when the credential is of the kind that the server requires, and was given for its current address. */
export const isOf = (server: ToolServer, credential: StoredCredential | null): boolean =>
  credential !== null &&
  credential.type === server.auth.type &&
  server.transport.type === 'http' &&
  credential.url === server.transport.url

export async function showCredential(
  db: Db,
  credentials: McpCredentials,
  actor: Actor,
  server: ToolServer,
): Promise<McpCredential> {
  const found = await credentials.find(db, credentialKeyOf(actor, server))
  if (found === null || !isOf(server, found.credential))
    return { type: server.auth.type, connected: false, expiresAt: null, updatedAt: null }
  return {
    type: server.auth.type,
    connected: true,
    expiresAt: endOf(found.credential)?.toISOString() ?? null,
    updatedAt: found.updatedAt.toISOString(),
  }
}

export async function setHeaderValue(
  { db, credentials }: CredentialStore,
  actor: Actor,
  server: ToolServer,
  value: string,
): Promise<McpCredential> {
  if (server.auth.type !== 'header' || server.transport.type !== 'http')
    throw conflict(
      `MCP server ${server.name} takes no value of each user; its \`auth\` is of type ${server.auth.type}`,
    )
  const credential = { type: 'header' as const, url: server.transport.url, value }
  return await inTransaction(
    db,
    async (tx) => await keepCredential(credentials, tx, actor, server, credential, 'mcp_credential.set'),
  )
}

/** Stores a credential and an audit log entry, which names the user and the server but contains no secret. */
export async function keepCredential(
  credentials: McpCredentials,
  tx: Tx,
  actor: Actor,
  server: ToolServer,
  credential: StoredCredential,
  action: 'mcp_credential.set' | 'mcp_credential.connect',
): Promise<McpCredential> {
  const before = await showCredential(tx, credentials, actor, server)
  if (!(await credentials.keep(tx, credentialKeyOf(actor, server), credential))) throw notFound('MCP server')
  const after = await showCredential(tx, credentials, actor, server)
  await recordChange(tx, actor, { action, subjectId: server.id, before, after })
  return after
}

export async function removeCredential(
  { db, credentials }: CredentialStore,
  actor: Actor,
  server: ToolServer,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await showCredential(tx, credentials, actor, server)
    if (!(await deleteCredential(tx, credentialKeyOf(actor, server)))) return
    await recordChange(tx, actor, {
      action: 'mcp_credential.delete',
      subjectId: server.id,
      before,
      after: null,
    })
  })
}
