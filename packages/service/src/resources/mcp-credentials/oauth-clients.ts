import type { Db } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { RegisteredClient } from './credential.js'

/** Identifies an OAuth client: an authorization server, for a server of a tenant. */
export interface ClientKey {
  tenantId: string
  serverId: string
  issuer: string
}

/** The client, and the redirect address of its users. */
export interface StoredClient {
  redirectUri: string
  information: RegisteredClient
}

export interface OAuthClients {
  find(key: ClientKey): Promise<StoredClient | null>
  keep(key: ClientKey, client: StoredClient): Promise<void>
  /** Records the first issuer that a manager's client is used with. False when that was another issuer. */
  isFirstIssuer(key: ClientKey, client: StoredClient): Promise<boolean>
  /** Called when the authorization server no longer knows the client. */
  forget(key: ClientKey, clientId: string): Promise<void>
}

const locationOf = ({ tenantId, serverId, issuer }: ClientKey) => ({
  purpose: 'mcp_oauth_clients.sealed',
  tenantId,
  rowId: JSON.stringify([serverId, issuer]),
})

export function createOAuthClients({ db, secrets }: { db: Db; secrets: Secrets }): OAuthClients {
  async function find(key: ClientKey): Promise<StoredClient | null> {
    const row = await db
      .selectFrom('mcp_oauth_clients')
      .select('sealed')
      .where('tenant_id', '=', key.tenantId)
      .where('server_id', '=', key.serverId)
      .where('issuer', '=', key.issuer)
      .executeTakeFirst()
    if (!row) return null
    const opened = await secrets.open(locationOf(key), row.sealed)
    return opened === undecryptable ? null : JSON.parse(opened.toString())
  }

  async function keep(key: ClientKey, client: StoredClient): Promise<void> {
    const sealed = await secrets.seal(locationOf(key), Buffer.from(JSON.stringify(client)))
    await db
      .insertInto('mcp_oauth_clients')
      .values({ tenant_id: key.tenantId, server_id: key.serverId, issuer: key.issuer, sealed })
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'server_id', 'issuer']).doUpdateSet({ sealed }),
      )
      .execute()
  }

  return {
    find,
    keep,
    async isFirstIssuer(key, client) {
      const others = await db
        .selectFrom('mcp_oauth_clients')
        .select('issuer')
        .where('tenant_id', '=', key.tenantId)
        .where('server_id', '=', key.serverId)
        .where('issuer', '!=', key.issuer)
        .execute()
      for (const { issuer } of others) {
        const used = await find({ ...key, issuer })
        if (used?.information.client_id === client.information.client_id) return false
      }
      await keep(key, client)
      return true
    },
    async forget(key, clientId) {
      if ((await find(key))?.information.client_id !== clientId) return
      await db
        .deleteFrom('mcp_oauth_clients')
        .where('tenant_id', '=', key.tenantId)
        .where('server_id', '=', key.serverId)
        .where('issuer', '=', key.issuer)
        .execute()
    },
  }
}
