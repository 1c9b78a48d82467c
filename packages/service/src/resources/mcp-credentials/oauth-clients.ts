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
  find(place: ClientKey): Promise<StoredClient | null>
  keep(place: ClientKey, client: StoredClient): Promise<void>
  /** Records the first issuer that a manager's client is used with. False when that was another issuer. */
  isFirstIssuer(place: ClientKey, client: StoredClient): Promise<boolean>
  /** Called when the authorization server no longer knows the client. */
  forget(place: ClientKey, clientId: string): Promise<void>
}

const placeOf = ({ tenantId, serverId, issuer }: ClientKey) => ({
  purpose: 'mcp_oauth_clients.sealed',
  tenantId,
  rowId: JSON.stringify([serverId, issuer]),
})

export function createOAuthClients({ db, secrets }: { db: Db; secrets: Secrets }): OAuthClients {
  async function find(place: ClientKey): Promise<StoredClient | null> {
    const row = await db
      .selectFrom('mcp_oauth_clients')
      .select('sealed')
      .where('tenant_id', '=', place.tenantId)
      .where('server_id', '=', place.serverId)
      .where('issuer', '=', place.issuer)
      .executeTakeFirst()
    if (!row) return null
    const opened = await secrets.open(placeOf(place), row.sealed)
    return opened === undecryptable ? null : JSON.parse(opened.toString())
  }

  async function keep(place: ClientKey, client: StoredClient): Promise<void> {
    const sealed = await secrets.seal(placeOf(place), Buffer.from(JSON.stringify(client)))
    await db
      .insertInto('mcp_oauth_clients')
      .values({ tenant_id: place.tenantId, server_id: place.serverId, issuer: place.issuer, sealed })
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'server_id', 'issuer']).doUpdateSet({ sealed }),
      )
      .execute()
  }

  return {
    find,
    keep,
    async isFirstIssuer(place, client) {
      const others = await db
        .selectFrom('mcp_oauth_clients')
        .select('issuer')
        .where('tenant_id', '=', place.tenantId)
        .where('server_id', '=', place.serverId)
        .where('issuer', '!=', place.issuer)
        .execute()
      for (const { issuer } of others) {
        const used = await find({ ...place, issuer })
        if (used?.information.client_id === client.information.client_id) return false
      }
      await keep(place, client)
      return true
    },
    async forget(place, clientId) {
      if ((await find(place))?.information.client_id !== clientId) return
      await db
        .deleteFrom('mcp_oauth_clients')
        .where('tenant_id', '=', place.tenantId)
        .where('server_id', '=', place.serverId)
        .where('issuer', '=', place.issuer)
        .execute()
    },
  }
}
