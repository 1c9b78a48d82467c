import type {
  CredentialKey,
  Grant,
  McpCredentials,
  StoredCredential,
} from '../../resources/mcp-credentials/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { createSemaphore } from '../../shared/semaphore.js'
import { type IdentityParts, informationOf } from './client-identity.js'
import { toConsentFault } from './describe-fault.js'
import { ConsentFault } from './fault.js'
import { readTokens } from './grant.js'
import { loadSdk } from './sdk.js'
import type { VettedFetch } from './vetted-fetch.js'

export interface RenewalParts extends IdentityParts {
  credentials: McpCredentials
  vetted: VettedFetch
}

export interface Renewal {
  /**
   * Renews the tokens, unless another replica has already done so, which is the case when `isStale` is false for the stored ones. Returns
   * null when the user must give consent again. Throws a `ConsentFault` when a retry may succeed.
   */
  renew(server: ToolServer, key: CredentialKey, isStale: (grant: Grant) => boolean): Promise<Grant | null>
}

// Each renewal holds a database connection while the authorization server is asked.
const maxConcurrent = 4

export function createRenewal({ credentials, vetted, ...identity }: RenewalParts): Renewal {
  // Bounded: open renewals.
  const renewals = new Map<string, Promise<Grant | null>>()
  const limitConcurrency = createSemaphore(maxConcurrent)

  async function renewNow(server: ToolServer, grant: Grant): Promise<Grant | null> {
    if (grant.refreshToken === null) return null
    const sdk = await loadSdk()
    const { client, authorizationServer, resource } = grant
    const information = await informationOf(client, server, identity)
    if (information === null) return null
    try {
      const tokens = await sdk.refreshAuthorization(authorizationServer.issuer, {
        metadata: authorizationServer,
        clientInformation: information,
        refreshToken: grant.refreshToken,
        resource,
        fetchFn: vetted.fetch,
      })
      return { ...grant, ...readTokens(tokens, grant, Date.now()) }
    } catch (error) {
      const code = error instanceof sdk.OAuthError ? error.code : null
      if (code === sdk.OAuthErrorCode.InvalidGrant) return null
      const isUnknownClient =
        code === sdk.OAuthErrorCode.InvalidClient || code === sdk.OAuthErrorCode.UnauthorizedClient
      // Tokens belong to their client and are lost with it, unless a manager set the client and can correct it.
      if (isUnknownClient && client.type === 'registered') {
        const { tenantId, id: serverId } = server
        const key = { tenantId, serverId, issuer: authorizationServer.issuer }
        await identity.clients.forget(key, client.information.client_id)
        return null
      }
      const { message, cause } = toConsentFault(sdk, error)
      throw new ConsentFault(message, true, { cause })
    }
  }

  async function renew(
    server: ToolServer,
    key: CredentialKey,
    isStale: (grant: Grant) => boolean,
  ): Promise<Grant | null> {
    const stored = await credentials.change(key, async (current): Promise<StoredCredential | null> => {
      if (current?.type !== 'oauth' || !isStale(current.grant)) return current
      const grant = await renewNow(server, current.grant)
      return grant && { ...current, grant }
    })
    return stored?.type === 'oauth' ? stored.grant : null
  }

  return {
    renew(server, key, isStale) {
      const name = JSON.stringify([key.tenantId, key.serverId, key.subject])
      const known = renewals.get(name)
      if (known !== undefined) return known
      const renewing = limitConcurrency(() => renew(server, key, isStale)).finally(() =>
        renewals.delete(name),
      )
      renewals.set(name, renewing)
      return renewing
    },
  }
}
