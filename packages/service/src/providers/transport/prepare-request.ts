import { ApiError } from '../../shared/errors.js'
import { TokenRefusedError } from '../credentials/call-token-endpoint.js'
import type { Credential, CredentialPool } from '../credentials/pool.js'
import type { UpstreamRequest } from '../provider.js'
import type { AuthorizeTools, Vendor } from '../vendors/index.js'
import { editBody } from './edit-body.js'
import type { PreparedRequest } from './http-transport.js'
import { joinQueries } from './join-queries.js'
import { rememberLast, secretsIn } from './redact-secrets.js'
import { TransportError } from './transport-failure.js'

export interface PrepareParts {
  provider: string
  vendor: Vendor
  /** Headers that the operator or the tenant configured. */
  headers: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  pool: CredentialPool
  tools: AuthorizeTools
}

/** Converts a gateway request into a request to the vendor: its path, headers and body, and its credential. */
export function createPrepare(
  parts: PrepareParts,
): (request: UpstreamRequest) => PreparedRequest | Promise<PreparedRequest> {
  const { vendor, auth, pool, tools } = parts
  const { base } = tools.site
  const secretsOf = rememberLast(secretsIn)

  return (request) => {
    const query = vendor.forwardsQuery === false ? '' : request.query
    const path = joinQueries(vendor.pathOf(request, tools.site), base.search.slice(1), query)
    const requested = { ...request.dialect.defaultHeaders, ...request.headers }
    const headers = {
      'content-type': 'application/json',
      ...(vendor.adaptHeaders?.(requested, request) ?? requested),
      ...parts.headers,
      // Answers are read while they are relayed, so they are requested uncompressed.
      'accept-encoding': 'identity',
    }
    const plain = { path, headers, body: adaptBody(request, vendor) }
    if (auth === 'caller') return complete(plain, authorizationOfCaller(request, parts.provider), null)
    const sentAtMs = tools.now()
    const credential = pool.pick()
    return credential === null ? complete(plain, {}, null) : authorize(plain, credential)

    function authorize(
      { path, headers, body }: typeof plain,
      credential: Credential,
    ): PreparedRequest | Promise<PreparedRequest> {
      const outgoing = { request, method: 'POST', url: new URL(path, base), headers, body }
      const authHeaders = vendor.authorize(outgoing, credential.value, tools)
      if (!(authHeaders instanceof Promise)) return complete(plain, authHeaders, credential)
      return authHeaders.then(
        (later) => complete(plain, later, credential),
        (error) => {
          if (error instanceof TokenRefusedError) pool.report(credential.id, 401, null, sentAtMs)
          throw error
        },
      )
    }

    function complete(
      { path, headers, body }: typeof plain,
      authHeaders: Record<string, string>,
      credential: Credential | null,
    ): PreparedRequest {
      return {
        path,
        headers: { ...headers, ...authHeaders },
        body,
        // The caller's own credential need not be hidden from the caller.
        secrets: secretsOf(credential === null ? parts.headers : { ...parts.headers, ...authHeaders }),
        onStatus(status, retryAfterMs) {
          if (credential === null) return
          const isRefused = status === 401 || status === 403
          // It may have been revoked. The next attempt fetches another token, and that one decides about the credential.
          if (isRefused && tools.forgetToken(credential.value)) return
          pool.report(credential.id, status, retryAfterMs, sentAtMs)
        },
        decoderFor: (responseHeaders) => vendor.decodeStream?.(request, responseHeaders) ?? null,
      }
    }
  }
}

function adaptBody(request: UpstreamRequest, { adaptBody }: Vendor): Buffer {
  return adaptBody === undefined ? request.body : editBody(request.body, (has) => adaptBody(request, has))
}

/** The caller's subscription pays, so no credential of this service is sent. */
function authorizationOfCaller(
  { callerAuthorization }: UpstreamRequest,
  provider: string,
): Record<string, string> {
  if (callerAuthorization !== null) return { authorization: callerAuthorization }
  const message = `Provider ${provider} is called with the caller's own account: send your virtual key as X-Tallystick-Key, and the provider's token as Authorization`
  throw new TransportError(new ApiError('unauthorized', message), 'refused')
}
