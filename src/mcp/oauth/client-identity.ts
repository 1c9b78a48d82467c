import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from '@modelcontextprotocol/client'
import type { GrantClient, OAuthClients, RegisteredClient } from '../../modules/mcp-credentials/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import { asking } from './describe-fault.js'
import { ConsentFault } from './fault.js'
import type { OAuthSdk } from './sdk.js'
import type { VettedFetch } from './vetted-fetch.js'

export interface IdentityParts {
  clients: OAuthClients
  clientSecretOf(server: McpServerTerms): Promise<string | null>
}

export interface ClientRequest {
  server: McpServerTerms
  authorizationServerUrl: string
  metadata: AuthorizationServerMetadata
  redirectUri: string
  scope: string | null
  /** Where the document about us is; null where no authorization server could read it. */
  documentUrl: string | null
}

export const clientName = 'Tallystick'

/** As whom consent is asked for: as the client that a manager set, else as one that registered itself, else as one with a document. */
export async function chooseClient(
  sdk: OAuthSdk,
  vetted: VettedFetch,
  { clients }: IdentityParts,
  request: ClientRequest,
): Promise<GrantClient> {
  const { server, metadata, redirectUri, documentUrl } = request
  const place = { tenantId: server.tenantId, serverId: server.id, issuer: metadata.issuer }
  if (server.auth.type === 'oauth' && server.auth.clientId !== null) {
    const { clientId } = server.auth
    // The server says who its authorization server is. One that names another later would get the secret of a client that is not there.
    if (!(await clients.isFirstIssuer(place, { redirectUri, information: { client_id: clientId } })))
      throw new ConsentFault(
        'The server names another authorization server than the one that its `clientId` was first used with: a manager has to look at it, and to set a `clientId` of the new one',
        false,
      )
    return { type: 'configured', clientId }
  }
  if (metadata.registration_endpoint !== undefined) {
    const known = await clients.find(place)
    if (known !== null && known.redirectUri === redirectUri && !hasExpired(known.information))
      return { type: 'registered', information: known.information }
    const information = await register(sdk, vetted, request)
    await clients.keep(place, { redirectUri, information })
    return { type: 'registered', information }
  }
  if (metadata.client_id_metadata_document_supported === true && documentUrl !== null)
    return { type: 'document', clientId: documentUrl }
  throw new ConsentFault(
    'The authorization server does not let clients register themselves: a manager has to set a `clientId` of this server',
    false,
  )
}

/** What a request for tokens proves itself with. Null when the manager set another client since. */
export async function informationOf(
  client: GrantClient,
  server: McpServerTerms,
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
  const given = await asking(sdk, () =>
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

/** What we say of ourselves, when we register and in the document. */
export const describeClient = (redirectUri: string, authMethod: string) => ({
  client_name: clientName,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: authMethod,
  application_type: /^https?:\/\/(localhost|127\.|\[::1\])/.test(redirectUri) ? 'native' : 'web',
})

/** With a secret where that is possible: it is kept sealed, and a code or a refresh token that leaked is worth nothing without it. */
function authMethodFor({
  token_endpoint_auth_methods_supported: offered,
}: AuthorizationServerMetadata): string {
  // RFC 8414: the default where it is not said.
  const methods = offered ?? ['client_secret_basic']
  return ['client_secret_basic', 'client_secret_post'].find((method) => methods.includes(method)) ?? 'none'
}

/** A minute before, so that a consent that begins now can still end. */
const hasExpired = ({ client_secret_expires_at: at = 0 }: RegisteredClient): boolean =>
  at !== 0 && at * 1_000 < Date.now() + 11 * 60_000
