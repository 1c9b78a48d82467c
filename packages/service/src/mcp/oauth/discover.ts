import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import { ConsentFault } from './fault.js'
import type { OAuthSdk } from './sdk.js'
import type { VettedFetch } from './vetted-fetch.js'

export interface Discovered {
  authorizationServerUrl: string
  metadata: AuthorizationServerMetadata
  /** The resource that tokens are requested for (RFC 8707). */
  resource: string
  /** The scopes. Null for the default of the authorization server. */
  scope: string | null
  /** The host that receives the permission, when it is not the one of the consent page. Null when it is, or when a mix-up is detected. */
  otherHost: string | null
}

/** Discovers the authorization server of a server (RFC 9728) and its metadata (RFC 8414 or OpenID Connect). */
export async function discover(
  sdk: OAuthSdk,
  vetted: VettedFetch,
  serverUrl: string,
  wantedScopes: readonly string[],
): Promise<Discovered> {
  const challenge = await askForChallenge(sdk, vetted, serverUrl)
  const { resourceMetadataUrl } = challenge
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } =
    await sdk.discoverOAuthServerInfo(serverUrl, {
      fetchFn: vetted.fetch,
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    })
  const metadata = requireUsable(authorizationServerMetadata)
  return {
    authorizationServerUrl,
    metadata,
    resource: resourceOf(sdk, serverUrl, resourceMetadata),
    scope: scopeOf(wantedScopes, challenge.scope, metadata, resourceMetadata),
    otherHost: otherHostOf(metadata),
  }
}

/** Finds the resource metadata: a request without a token is answered with its URL. Otherwise it is at the well-known path. */
async function askForChallenge(sdk: OAuthSdk, vetted: VettedFetch, serverUrl: string) {
  const answer = await vetted.ask(serverUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  })
  return answer.status === 401 ? sdk.extractWWWAuthenticateParams(answer) : {}
}

function requireUsable(metadata: AuthorizationServerMetadata | undefined): AuthorizationServerMetadata {
  if (metadata === undefined)
    throw new ConsentFault(
      'The server has no OAuth metadata, so its authorization server is not known',
      false,
    )
  // The protocol requires this check. Without the member, PKCE is not supported.
  if (!metadata.code_challenge_methods_supported?.includes('S256'))
    throw new ConsentFault('The authorization server does not support PKCE with S256', false)
  return metadata
}

/**
 * Returns the resource that the server declares. It must match the called address, because a token for another resource would not be valid
 * here.
 */
function resourceOf(
  sdk: OAuthSdk,
  serverUrl: string,
  metadata: OAuthProtectedResourceMetadata | undefined,
): string {
  const own = sdk.resourceUrlFromServerUrl(serverUrl)
  if (metadata === undefined) return own.href
  if (!sdk.checkResourceAllowed({ requestedResource: own, configuredResource: metadata.resource }))
    throw new ConsentFault('The `resource` in the metadata of the server is not its address', false)
  return metadata.resource
}

/** Returns the scopes that a manager set, else those that the server requests, plus a refresh token if supported. */
function scopeOf(
  wanted: readonly string[],
  challenged: string | undefined,
  metadata: AuthorizationServerMetadata,
  resource: OAuthProtectedResourceMetadata | undefined,
): string | null {
  if (wanted.length > 0) return wanted.join(' ')
  const asked = challenged ?? resource?.scopes_supported?.join(' ') ?? ''
  if (asked === '') return null
  const isOffered = metadata.scopes_supported?.includes('offline_access') ?? false
  return isOffered && !asked.split(' ').includes('offline_access') ? `${asked} offline_access` : asked
}

/**
 * Returns the host that receives the permission, when it differs from the host of the consent page. Metadata can combine the consent page
 * of one company with the token endpoint of an attacker, who would receive the code and its verifier (RFC 9207, "mix-up"). This is detected
 * when the authorization response contains the issuer. Otherwise the page warns the user. It is not refused, because companies use several
 * hosts.
 */
function otherHostOf(metadata: AuthorizationServerMetadata): string | null {
  if (metadata.authorization_response_iss_parameter_supported === true) return null
  const consentOrigin = new URL(metadata.authorization_endpoint).origin
  const others = [metadata.token_endpoint, metadata.issuer].map((url) => new URL(url))
  return others.find(({ origin }) => origin !== consentOrigin)?.host ?? null
}
