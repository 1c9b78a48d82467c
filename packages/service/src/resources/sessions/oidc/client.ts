import * as oidc from 'openid-client'
import type { Dispatcher } from 'undici'
import { refuse, SignInProblem } from '../sign-in-problem.js'
import { createFetchFromIssuer, requireSafe } from './fetch.js'
import { checkIdToken } from './id-token.js'
import { hasAllClaims, type OidcIdentity, readIdentity } from './identity.js'

export interface OidcIssuer {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupsClaim: string
}

/** Values that the issuer must return unchanged. */
export interface OidcChecks {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
}

export interface OidcClient {
  /** Returns the address at which the browser signs in. */
  start(redirectUri: string): Promise<{ url: URL; checks: OidcChecks }>
  /** Completes the sign-in, from the address that the issuer redirected the browser to. */
  finish(search: string, checks: OidcChecks): Promise<OidcIdentity>
}

const timeoutSeconds = 10
const clockToleranceSeconds = 60
// The issuer may change its metadata: where its keys and endpoints are.
const rediscoverMs = 3_600_000

/** The issuer is not contacted before somebody signs in, so the service starts without it. */
export function createOidcClient(
  { issuer, clientId, clientSecret, scopes, groupsClaim }: OidcIssuer,
  dispatcher?: Dispatcher,
): OidcClient {
  const fetchFromIssuer = createFetchFromIssuer(dispatcher)
  const isPlain = issuer.startsWith('http:')
  const metadata = { client_secret: clientSecret, [oidc.clockTolerance]: clockToleranceSeconds }
  let known: { server: oidc.ServerMetadata; atMs: number } | null = null

  async function discover(): Promise<oidc.ServerMetadata> {
    if (known !== null && known.atMs > Date.now() - rediscoverMs) return known.server
    const options = {
      timeout: timeoutSeconds,
      [oidc.customFetch]: fetchFromIssuer,
      ...(isPlain && { execute: [oidc.allowInsecureRequests] }),
    }
    const found = await oidc.discovery(new URL(issuer), clientId, metadata, undefined, options)
    known = { server: found.serverMetadata(), atMs: Date.now() }
    return known.server
  }

  /**
   * Returns a configuration for one sign-in. It has no keys yet, so each sign-in reads the issuer's keys once: a
   * key that the issuer adds or withdraws applies at the next sign-in, and no token can cause more requests. The
   * `iss` of a token must be the issuer's own, which also excludes Microsoft's issuers for all organizations
   * (`/common`): anybody could name their groups as yours.
   */
  async function configure(): Promise<oidc.Configuration> {
    const configuration = new oidc.Configuration(await discover(), clientId, metadata)
    configuration.timeout = timeoutSeconds
    configuration[oidc.customFetch] = fetchFromIssuer
    if (isPlain) oidc.allowInsecureRequests(configuration)
    // The signature of the ID token is verified in addition to TLS: the answer of the token endpoint may come from
    // a cache or a proxy.
    oidc.enableNonRepudiationChecks(configuration)
    return configuration
  }

  async function orProblem<Result>(
    act: (configuration: oidc.Configuration) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await act(await configure())
    } catch (error) {
      const problem = toProblem(error)
      // The issuer's metadata may have changed: its endpoints, or where its keys are.
      if (problem.status >= 500) known = null
      throw problem
    }
  }

  return {
    start: (redirectUri) =>
      orProblem(async (configuration) => {
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
        requireSafe(url)
        return { url, checks }
      }),
    finish: (search, checks) =>
      orProblem(async (configuration) => {
        const query = new URLSearchParams(search)
        if (query.getAll('state').join() !== checks.state) throw refuse('not_valid')
        const url = new URL(`${checks.redirectUri}${search}`)
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: checks.codeVerifier,
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          idTokenExpected: true,
        })
        const claims = checkIdToken({
          idToken: tokens.id_token ?? '',
          claims: tokens.claims(),
          clientId,
          accessToken: tokens.access_token,
          code: query.get('code') ?? '',
          clockToleranceSeconds,
        })
        const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined
        // The call fails when its `sub` differs from that of the ID token.
        const userinfo =
          hasAllClaims(claims, groupsClaim) || !hasUserinfo
            ? {}
            : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        return readIdentity(claims, userinfo, groupsClaim)
      }),
  }
}

function toProblem(error: unknown): SignInProblem {
  if (error instanceof SignInProblem) return error
  if (error instanceof oidc.AuthorizationResponseError) return refuse('issuer_refused', error)
  // The code was already used, or issued to somebody else.
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    return refuse('not_valid', error)
  if (!(error instanceof oidc.ClientError) || !failedChecks.has(error.code ?? ''))
    return refuse('issuer_unreachable', error)
  // Another nonce: the code was obtained in another sign-in.
  return refuse(claimOf(error) === 'nonce' ? 'not_valid' : 'answer_not_valid', error)
}

/** The issuer answered, and its answer failed verification. */
const failedChecks = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** Returns the claim that failed a check. */
function claimOf({ cause }: { cause?: unknown }): unknown {
  if (typeof cause !== 'object' || cause === null) return undefined
  if ('claim' in cause) return cause.claim
  return 'cause' in cause ? claimOf(cause) : undefined
}
