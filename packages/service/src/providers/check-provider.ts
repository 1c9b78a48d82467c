import { TokenRefusedError } from './credentials/call-token-endpoint.js'
import type { Credential, CredentialPool } from './credentials/pool.js'
import type { ProviderCheck } from './provider.js'
import { type ProviderRequestParts, sendProviderRequest } from './send-provider-request.js'
import { describeFailure, retryAfterMsOf, TransportError } from './transport/transport-failure.js'

export interface CheckParts extends ProviderRequestParts {
  provider: string
  auth: 'own' | 'caller'
  pool: CredentialPool
}

const timeoutMs = 15_000

/**
 * Checks that a provider is reachable and accepts its credentials, with a request that costs nothing. All
 * credentials are checked, also those that are paused. The provider's own message is never repeated.
 */
export async function checkProvider(parts: CheckParts): Promise<ProviderCheck> {
  const startedMs = performance.now()
  const { credentials } = parts.pool
  const errors = await Promise.all(
    credentials.length === 0
      ? [checkCredential(parts, null)]
      : credentials.map((each) => checkCredential(parts, each)),
  )
  const error = errors.find((each) => each !== null) ?? null
  return { ok: error === null, latencyMs: Math.round(performance.now() - startedMs), error }
}

async function checkCredential(parts: CheckParts, credential: Credential | null): Promise<string | null> {
  const { provider, vendor, auth, pool } = parts
  const { method, path, acceptedStatuses = [] } = vendor.probe(parts.tools.site)
  const prefix = credential === null ? '' : `Credential ${credential.name}: `
  const sentAtMs = parts.tools.now()
  try {
    const { status, headers } = await sendProviderRequest(parts, {
      ...{ method, path, credential: credential?.value ?? null, timeoutMs, maxAnswerBytes: 0 },
      ...(method === 'POST' && { body: { bytes: Buffer.from('{}') } }),
    })
    const retryAfterMs = retryAfterMsOf(headers, parts.tools.now())
    // The provider expects the caller's own credential, which a check does not have.
    const isUntestable = auth === 'caller' && (status === 401 || status === 403)
    const isAccepted = (status >= 200 && status < 300) || acceptedStatuses.includes(status) || isUntestable
    if (credential !== null) pool.report(credential.id, isAccepted ? 200 : status, retryAfterMs, sentAtMs)
    return isAccepted ? null : `${prefix}${provider} answered ${status}${adviceFor(status)}`
  } catch (cause) {
    if (credential !== null && cause instanceof TokenRefusedError)
      pool.report(credential.id, 401, null, sentAtMs)
    const { error } =
      cause instanceof TransportError || !(cause instanceof Error)
        ? TransportError.from(cause, provider)
        : describeFailure(provider, cause)
    return prefix + error.message
  }
}

/** Calls do not follow redirects either: a credential is sent only to the address it was configured for. */
const adviceFor = (status: number): string =>
  status >= 300 && status < 400
    ? ', a redirect, and redirects are not followed: set `baseUrl` to the address that it leads to'
    : ''
