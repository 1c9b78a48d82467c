import type {
  CredentialKey,
  Grant,
  McpCredentials,
  StoredCredential,
} from '../../resources/mcp-credentials/index.js'
import type { McpServerTerms } from '../../resources/mcp-servers/index.js'
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
   * Renews the tokens, unless another replica has done so: `isStale` says whether those that are there now are the old ones. Null when the
   * user must give consent again. Throws a `ConsentFault` where it may go better later.
   */
  renew(
    server: McpServerTerms,
    place: CredentialKey,
    isStale: (grant: Grant) => boolean,
  ): Promise<Grant | null>
}

// Each renewal holds a database connection while the authorization server is asked.
const maxUnderWay = 4

export function createRenewal({ credentials, vetted, ...identity }: RenewalParts): Renewal {
  // Bounded: open renewals.
  const underWay = new Map<string, Promise<Grant | null>>()
  const inTurn = createQueue(maxUnderWay)

  async function renewNow(server: McpServerTerms, grant: Grant): Promise<Grant | null> {
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
        const place = { tenantId: server.tenantId, serverId: server.id, issuer: authorizationServer.issuer }
        await identity.clients.forget(place, client.information.client_id)
        return null
      }
      const { message, cause } = toConsentFault(sdk, error)
      throw new ConsentFault(message, true, { cause })
    }
  }

  async function renew(
    server: McpServerTerms,
    place: CredentialKey,
    isStale: (grant: Grant) => boolean,
  ): Promise<Grant | null> {
    const kept = await credentials.change(place, async (current): Promise<StoredCredential | null> => {
      if (current?.type !== 'oauth' || !isStale(current.grant)) return current
      const grant = await renewNow(server, current.grant)
      return grant && { ...current, grant }
    })
    return kept?.type === 'oauth' ? kept.grant : null
  }

  return {
    renew(server, place, isStale) {
      const name = JSON.stringify([place.tenantId, place.serverId, place.subject])
      const known = underWay.get(name)
      if (known !== undefined) return known
      const renewing = inTurn(() => renew(server, place, isStale)).finally(() => underWay.delete(name))
      underWay.set(name, renewing)
      return renewing
    },
  }
}

/** Limits how many run at a time, in order of arrival. */
function createQueue(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  // Bounded: calls that wait for a renewal, each with a connection.
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
