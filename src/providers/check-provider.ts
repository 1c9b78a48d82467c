import type { Dispatcher } from 'undici'
import { TokenRefusedError } from './credentials/ask-token-endpoint.js'
import type { Credential, CredentialPool } from './credentials/pool.js'
import { dialects } from './dialects/index.js'
import type { ProviderCheck, UpstreamRequest } from './transport.js'
import { describeFailure, retryAfterMsOf, TransportError } from './transport-failure.js'
import { joinQueries } from './upstream-path.js'
import type { AuthorizeTools, Vendor } from './vendors/index.js'

export interface CheckParts {
  provider: string
  vendor: Vendor
  headers: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  pool: CredentialPool
  tools: AuthorizeTools
  dispatcher(): Dispatcher
}

const timeoutMs = 15_000

/**
 * Asks a provider for something that costs nothing, to see that it is there and takes its credentials: all of them, those that rest
 * included. Its own words are not repeated.
 */
export async function checkProvider(parts: CheckParts): Promise<ProviderCheck> {
  const startedMs = performance.now()
  const { credentials } = parts.pool
  const errors = await Promise.all(
    credentials.length === 0 ? [tryOut(parts, null)] : credentials.map((each) => tryOut(parts, each)),
  )
  const error = errors.find((each) => each !== null) ?? null
  return { ok: error === null, latencyMs: Math.round(performance.now() - startedMs), error }
}

async function tryOut(parts: CheckParts, credential: Credential | null): Promise<string | null> {
  const { provider, vendor, auth, pool } = parts
  const { method, path, reached = [] } = vendor.probe(parts.tools.site)
  const which = credential === null ? '' : `Credential ${credential.name}: `
  try {
    const { status, retryAfterMs } = await ask(parts, method, path, credential?.value ?? null)
    // The caller's own credential decides, and a check has none.
    const isUnproved = auth === 'caller' && (status === 401 || status === 403)
    const isThere = status < 400 || reached.includes(status) || isUnproved
    if (credential !== null) pool.report(credential.id, isThere ? 200 : status, retryAfterMs)
    return isThere ? null : `${which}${provider} answered ${status}`
  } catch (cause) {
    if (credential !== null && cause instanceof TokenRefusedError) pool.report(credential.id, 401, null)
    const { error } =
      cause instanceof TransportError || !(cause instanceof Error)
        ? TransportError.from(cause, provider)
        : describeFailure(provider, cause)
    return which + error.message
  }
}

async function ask(
  { vendor, headers: ownHeaders, tools, dispatcher }: CheckParts,
  method: 'GET' | 'POST',
  probePath: string,
  credential: string | null,
): Promise<{ status: number; retryAfterMs: number | null }> {
  const { base } = tools.site
  const path = joinQueries(probePath, base.search.slice(1))
  const body = method === 'POST' ? Buffer.from('{}') : null
  const request = probeRequest(vendor)
  const headers = {
    ...(body !== null && { 'content-type': 'application/json' }),
    ...request.dialect.defaultHeaders,
    ...ownHeaders,
  }
  const outgoing = { request, method, url: new URL(path, base), headers, body: body ?? Buffer.alloc(0) }
  const proof = credential === null ? {} : await vendor.authorize(outgoing, credential, tools)
  const answer = await dispatcher().request({
    origin: base.origin,
    path,
    method,
    headers: { ...headers, ...proof },
    body,
    headersTimeout: timeoutMs,
    signal: AbortSignal.timeout(timeoutMs),
  })
  answer.body.on('error', () => undefined).destroy()
  return { status: answer.statusCode, retryAfterMs: retryAfterMsOf(answer.headers, tools.now()) }
}

/** In the dialect that the vendor is best at: some prove who calls in another way for each. */
function probeRequest({ dialects: names }: Vendor): UpstreamRequest {
  const dialect = Object.values(dialects).find(({ name }) => name === names[0]) ?? dialects.chat
  return {
    ...{ dialect, model: 'probe', stream: false, contextWindow: null, body: Buffer.alloc(0), headers: {} },
    ...{ query: '', callerAuthorization: null },
  }
}
