import type { Provider, FailureKind as TransportFailure } from '../../../../providers/index.js'
import type { Answer } from '../../answer.js'
import type { AttemptFailure } from '../../routing/retry-plan.js'
import type { FailureKind } from '../../routing/retry-rules.js'

/** How a request to a provider ended, as far as it matters for another attempt. */
export interface FailedExchange {
  /** The status of the provider's answer. 0 when there is none. */
  status: number
  retryAfterMs: number | null
  /** The failure of the transport. Null when the provider answered. */
  transport: TransportFailure | null
}

/**
 * Returns the failure for the retry plan. Null when the call succeeded, was ended by this service, or would fail at another attempt too.
 */
export function describeFailure(
  answer: Pick<Answer, 'outcome' | 'error'>,
  provider: Provider,
  exchange: FailedExchange,
): AttemptFailure | null {
  const { outcome } = answer
  const hasFailed = outcome === 'upstream_error' || (outcome === 'failed' && exchange.transport !== null)
  const kind = hasFailed ? kindOf(answer, provider, exchange) : null
  return kind && { kind, retryAfterMs: exchange.retryAfterMs }
}

function kindOf(
  { error }: Pick<Answer, 'error'>,
  provider: Provider,
  { status, transport }: FailedExchange,
): FailureKind | null {
  if (transport === 'refused') return null
  if (transport === 'credential') return 'credential'
  if (transport === 'timeout' || error?.type === 'upstream_timeout') return 'timeout'
  if (transport !== null) return 'connect'
  if (provider.credentialRejectionStatuses.includes(status)) return 'credential'
  if (status === 408) return 'timeout'
  // Rate limits apply per account, so another credential may help.
  if (status === 429) return hasOtherAccount(provider) ? 'credential' : '429'
  // Below 400, the answer could not be read, or the failure was reported inside the stream.
  return status >= 500 || status < 400 ? '5xx' : null
}

const hasOtherAccount = (provider: Provider): boolean =>
  provider.credentialCount > 1 && provider.credentials().some(({ status }) => status === 'active')
