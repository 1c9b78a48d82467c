import type { AuthorizationServerMetadata, OAuthTokens } from '@modelcontextprotocol/client'
import type { AuthorizationServer, Grant } from '../../modules/mcp-credentials/index.js'
import { ConsentFault } from './fault.js'

// No token lasts longer; a larger figure would not be a date.
const maxLifetimeSeconds = 10 * 366 * 86_400

type Tokens = Pick<Grant, 'accessToken' | 'refreshToken' | 'obtainedAtMs' | 'expiresAtMs' | 'scope'>

/** Of what an authorization server gave. Throws where it cannot be sent on. */
export function readTokens(tokens: OAuthTokens, asked: { scope: string | null }, nowMs: number): Tokens {
  const { access_token: accessToken, token_type: type, expires_in: lifetime } = tokens
  if (type.toLowerCase() !== 'bearer' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw new ConsentFault('The authorization server gave a token of a kind that cannot be used', false)
  const isKnown = lifetime !== undefined && Number.isFinite(lifetime) && lifetime >= 0
  return {
    accessToken,
    refreshToken: tokens.refresh_token ?? null,
    obtainedAtMs: nowMs,
    expiresAtMs: isKnown ? nowMs + Math.min(lifetime, maxLifetimeSeconds) * 1_000 : null,
    scope: tokens.scope ?? asked.scope,
  }
}

// A token that ends while its call is on the way is refused. Of one that lives for a minute, most of the minute is used.
const maxMarginMs = 60_000

export const hasEnded = ({ expiresAtMs }: Grant, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs

/** Whether to ask for the next one. */
export function isDue(grant: Grant, nowMs: number): boolean {
  const { obtainedAtMs, expiresAtMs, refreshToken } = grant
  if (expiresAtMs === null || refreshToken === null) return hasEnded(grant, nowMs)
  return expiresAtMs - Math.min(maxMarginMs, (expiresAtMs - obtainedAtMs) / 5) <= nowMs
}

/** What is needed again: when the user comes back, and when tokens are renewed. */
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
