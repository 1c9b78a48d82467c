import type { Db } from '../../db/index.js'
import type { PublicAddress } from '../../http/index.js'
import type { Outbound, UrlRules } from '../../outbound/index.js'
import type { Actor } from '../../resources/audit/index.js'
import type { CredentialStores } from '../../resources/mcp-credentials/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { createConsentFlow } from './consent.js'
import { createCredentialHeaders } from './credential-headers.js'
import { createRenewal } from './renewal.js'
import { startPath } from './routes.js'
import { createVettedFetch } from './vetted-fetch.js'

export { registerConsentPages } from './routes.js'

export interface UserCredentialOptions {
  db: Db
  outbound: Outbound
  urlRules: UrlRules
  stores: CredentialStores
  publicAddress: PublicAddress | null
  findServer(tenantId: string, id: string): Promise<ToolServer | null>
  clientSecretOf(server: ToolServer): Promise<string | null>
  userAgent: string
}

/** Manages the credentials with which users call servers. Each user has their own. */
export function createUserCredentials(options: UserCredentialOptions) {
  const { db, publicAddress, urlRules } = options
  const { credentials, links, consents, clients } = options.stores
  const vetted = createVettedFetch(options.outbound, urlRules, options.userAgent)
  const identity = { clients, clientSecretOf: options.clientSecretOf }
  const connectPath = async (actor: Actor, server: ToolServer): Promise<string> => {
    const { tenantId, userId, keyId, sessionId } = actor
    return startPath(await links.seal({ actor: { tenantId, userId, keyId, sessionId }, serverId: server.id }))
  }
  return {
    connectPath,
    flow: createConsentFlow({
      ...{ db, links, credentials, vetted, urlRules, consents },
      ...identity,
      findServer: options.findServer,
    }),
    readCredentialHeaders: createCredentialHeaders({
      credentials,
      renewal: createRenewal({ credentials, vetted, ...identity }),
      consentUrl: async (server, { tenantId, userId, keyId }) =>
        publicAddress &&
        `${publicAddress.origin}${publicAddress.prefix}${await connectPath({ tenantId, userId, keyId, sessionId: null }, server)}`,
    }),
    close: vetted.close,
  }
}
