import * as oidc from 'openid-client'
import type { OidcIdentity } from './oidc-identity.js'
import { refuse, SignInProblem } from './sign-in-problem.js'

export interface OidcIssuer {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupsClaim: string
}

/** What must come back as it was sent out. */
export interface OidcChecks {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
}

export interface OidcClient {
  /** Where the browser goes to sign in. */
  start(redirectUri: string): Promise<{ url: URL; checks: OidcChecks }>
  /** Of the address that the issuer sent the browser back to. */
  finish(search: string, checks: OidcChecks): Promise<OidcIdentity>
}

const timeoutSeconds = 10
const clockToleranceSeconds = 60
// The issuer's own description may change: where its keys and endpoints are.
const rediscoverMs = 3_600_000

/** Nothing is asked of the issuer before somebody signs in: the service starts without it. */
export function createOidcClient({
  issuer,
  clientId,
  clientSecret,
  scopes,
  groupsClaim,
}: OidcIssuer): OidcClient {
  const isPlain = issuer.startsWith('http:')
  let known: { configuration: oidc.Configuration; atMs: number } | null = null

  async function discover(): Promise<oidc.Configuration> {
    if (known !== null && known.atMs > Date.now() - rediscoverMs) return known.configuration
    const metadata = { client_secret: clientSecret, [oidc.clockTolerance]: clockToleranceSeconds }
    const options = {
      timeout: timeoutSeconds,
      [oidc.customFetch]: fetchSafely,
      ...(isPlain && { execute: [oidc.allowInsecureRequests] }),
    }
    const configuration = await oidc.discovery(new URL(issuer), clientId, metadata, undefined, options)
    known = { configuration, atMs: Date.now() }
    return configuration
  }

  return {
    async start(redirectUri) {
      try {
        const configuration = await discover()
        const codeVerifier = oidc.randomPKCECodeVerifier()
        const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier, redirectUri }
        const url = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        })
        return { url, checks }
      } catch (error) {
        throw toProblem(error)
      }
    },
    async finish(search, checks) {
      try {
        const configuration = await discover()
        const tokens = await oidc.authorizationCodeGrant(
          configuration,
          new URL(`${checks.redirectUri}${search}`),
          {
            pkceCodeVerifier: checks.codeVerifier,
            expectedState: checks.state,
            expectedNonce: checks.nonce,
            idTokenExpected: true,
          },
        )
        const claims = tokens.claims()
        if (claims === undefined) throw refuse('not_valid')
        const isEnough = claims.email !== undefined && claims[groupsClaim] !== undefined
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
        const more =
          isEnough || !hasMore ? {} : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        return readIdentity({ ...more, ...claims }, groupsClaim)
      } catch (error) {
        throw toProblem(error)
      }
    },
  }
}

/** By plain HTTP only where the issuer itself is: on this machine. */
const fetchSafely: oidc.CustomFetch = (url, { body, ...options }) => {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    throw new TypeError('an endpoint of the issuer is not https')
  return fetch(url, { ...options, ...(body != null && { body }) })
}

function readIdentity(
  claims: Record<string, unknown> & { iss: string; sub: string },
  groupsClaim: string,
): OidcIdentity {
  const { email, name } = claims
  const groups = claims[groupsClaim]
  const isAddress = typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 320
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isAddress ? email : null,
    // Some issuers send it as a text.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : null,
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  }
}

function toProblem(error: unknown): SignInProblem {
  if (error instanceof SignInProblem) return error
  if (error instanceof oidc.AuthorizationResponseError) return refuse('issuer_refused', error)
  // A code that was used already, or that is not ours.
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    return refuse('not_valid', error)
  if (error instanceof oidc.ClientError && isOurCheck(error)) return refuse('not_valid', error)
  return refuse('issuer_unreachable', error)
}

/** The answer came, and is not the one to our question: another state, another nonce, a signature that does not hold. */
const isOurCheck = ({ code }: oidc.ClientError) =>
  code === 'OAUTH_INVALID_RESPONSE' ||
  code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' ||
  code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'
