import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client'
import type { GrantClient, OAuthClients, RegisteredClient } from '../../resources/mcp-credentials/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { translateFaults } from './describe-fault.js'
import { ConsentFault } from './fault.js'
import type { OAuthSdk } from './sdk.js'
import type { VettedFetch } from './vetted-fetch.js'

export interface IdentityParts {
  clients: OAuthClients
  clientSecretOf(server: ToolServer): Promise<string | null>
}

export interface ClientRequest {
  server: ToolServer
  authorizationServerUrl: string
  metadata: AuthorizationServerMetadata
  redirectUri: string
  scope: string | null
  /** The URL of the client metadata document. Null when no authorization server could reach it. */
  documentUrl: string | null
}

export const clientName = 'Tallystick'

/** Returns the client for a consent: the one that a manager set, else a dynamically registered one, else one with a metadata document. */
export async function chooseClient(
  sdk: OAuthSdk,
  vetted: VettedFetch,
  { clients }: IdentityParts,
  request: ClientRequest,
): Promise<GrantClient> {
  const { server, metadata, redirectUri, documentUrl } = request
  const key = { tenantId: server.tenantId, serverId: server.id, issuer: metadata.issuer }
  if (server.auth.type === 'oauth' && server.auth.clientId !== null) {
    const { clientId } = server.auth
    // The MCP server names its authorization server. If it named another one later, that one would receive the client's secret.
    if (!(await clients.isFirstIssuer(key, { redirectUri, information: { client_id: clientId } })))
      throw new ConsentFault(
        'The server names another authorization server than the one that its `clientId` was first used with: a manager must check this, and set a `clientId` of the new one',
        false,
      )
    return { type: 'configured', clientId }
  }
  if (metadata.registration_endpoint !== undefined) {
    const known = await clients.find(key)
    if (known !== null && known.redirectUri === redirectUri && !hasExpired(known.information))
      return { type: 'registered', information: known.information }
    const information = await register(sdk, vetted, request)
    await clients.keep(key, { redirectUri, information })
    return { type: 'registered', information }
  }
  if (metadata.client_id_metadata_document_supported === true && documentUrl !== null)
    return { type: 'document', clientId: documentUrl }
  throw new ConsentFault(
    'The authorization server does not let clients register themselves: a manager must set a `clientId` of this server',
    false,
  )
}

/** Returns how to authenticate a token request. Null when the manager has set another client since. */
export async function informationOf(
  client: GrantClient,
  server: ToolServer,
  parts: IdentityParts,
): Promise<OAuthClientInformationMixed | null> {
  if (client.type === 'registered') return client.information
  if (client.type === 'document') return { client_id: client.clientId }
  if (server.auth.type !== 'oauth' || server.auth.clientId !== client.clientId) return null
  const secret = await parts.clientSecretOf(server)
  return { client_id: client.clientId, ...(secret !== null && { client_secret: secret }) }
}

async function register(
  sdk: OAuthSdk,
  vetted: VettedFetch,
  { authorizationServerUrl, metadata, redirectUri, scope }: ClientRequest,
): Promise<RegisteredClient> {
  const given = await translateFaults(sdk, () =>
    sdk.registerClient(authorizationServerUrl, {
      metadata,
      clientMetadata: describeClient(redirectUri, authMethodFor(metadata)),
      ...(scope !== null && { scope }),
      fetchFn: vetted.fetch,
    }),
  )
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = given
  return {
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(client_secret_expires_at !== undefined && { client_secret_expires_at }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
  }
}

/** Returns the client metadata, for registration and for the document. */
export const describeClient = (redirectUri: string, authMethod: string) => ({
  client_name: clientName,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: authMethod,
  application_type: /^https?:\/\/(localhost|127\.|\[::1\])/.test(redirectUri) ? 'native' : 'web',
})

/** Returns the authentication method, with a secret if possible, so that a leaked code or refresh token is useless without it. */
function authMethodFor({
  token_endpoint_auth_methods_supported: offered,
}: AuthorizationServerMetadata): string {
  // The default of RFC 8414.
  const methods = offered ?? ['client_secret_basic']
  return ['client_secret_basic', 'client_secret_post'].find((method) => methods.includes(method)) ?? 'none'
}

/** Returns true a minute before the registration expires, so that a consent that begins now can still end. */
const hasExpired = ({ client_secret_expires_at: at = 0 }: RegisteredClient): boolean =>
  at !== 0 && at * 1_000 < Date.now() + 11 * 60_000
