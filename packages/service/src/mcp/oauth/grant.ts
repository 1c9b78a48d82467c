import type { AuthorizationServerMetadata, OAuthTokens } from '@modelcontextprotocol/client'
import type { AuthorizationServer, Grant } from '../../resources/mcp-credentials/index.js'
import { ConsentFault } from './fault.js'

// No token lasts longer, and larger numbers would not be valid dates.
const maxLifetimeSeconds = 10 * 366 * 86_400

type Tokens = Pick<Grant, 'accessToken' | 'refreshToken' | 'obtainedAtMs' | 'expiresAtMs' | 'scope'>

/** Reads a token response. Throws when the token cannot be used in a header. */
export function readTokens(tokens: OAuthTokens, asked: { scope: string | null }, nowMs: number): Tokens {
  const { access_token: accessToken, token_type: type, expires_in: lifetime } = tokens
  if (type.toLowerCase() !== 'bearer' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw new ConsentFault(
      'The authorization server issued a token that cannot be used as a bearer token',
      false,
    )
  const isKnown = lifetime !== undefined && Number.isFinite(lifetime) && lifetime >= 0
  return {
    accessToken,
    refreshToken: tokens.refresh_token ?? null,
    obtainedAtMs: nowMs,
    expiresAtMs: isKnown ? nowMs + Math.min(lifetime, maxLifetimeSeconds) * 1_000 : null,
    scope: tokens.scope ?? asked.scope,
  }
}

// Tokens are renewed a minute before they expire, so that they do not expire during a call. Short-lived tokens are used for four fifths of
// their life.
const maxMarginMs = 60_000

export const hasEnded = ({ expiresAtMs }: Grant, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs

/** True when the token should be renewed. */
export function isDue(grant: Grant, nowMs: number): boolean {
  const { obtainedAtMs, expiresAtMs, refreshToken } = grant
  if (expiresAtMs === null || refreshToken === null) return hasEnded(grant, nowMs)
  return expiresAtMs - Math.min(maxMarginMs, (expiresAtMs - obtainedAtMs) / 5) <= nowMs
}

/** Returns the members of the metadata that are stored until the user returns and for renewals. */
export const keptMetadata = (metadata: AuthorizationServerMetadata): AuthorizationServer => ({
  issuer: metadata.issuer,
  authorization_endpoint: metadata.authorization_endpoint,
  token_endpoint: metadata.token_endpoint,
  response_types_supported: metadata.response_types_supported,
  ...(metadata.token_endpoint_auth_methods_supported !== undefined && {
    token_endpoint_auth_methods_supported: metadata.token_endpoint_auth_methods_supported,
  }),
  ...(metadata.authorization_response_iss_parameter_supported !== undefined && {
    authorization_response_iss_parameter_supported: metadata.authorization_response_iss_parameter_supported,
  }),
})
