import type { FailureKind as TransportFailure } from '../../../providers/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { AttemptFailure } from '../routing/retry-plan.js'
import type { FailureKind } from '../routing/route.js'

/** How a request to a provider failed, as far as it matters for another attempt. */
export interface FailedExchange {
  /** The status of the provider's answer. 0 when there is none. */
  status: number
  retryAfterMs: number | null
  /** The failure of the transport. Null when the provider answered. */
  transport: TransportFailure | null
  /** The statuses by which the provider refuses a credential. */
  refusals: readonly number[]
  /** Whether the provider has another active credential. */
  hasOtherAccount: boolean
  /** The error of this service. Null when the provider's own error is the answer. */
  error: ApiError | null
}

/** Returns the failure for the retry plan. Null when the request itself is at fault, so that another attempt would fail too. */
export function describeFailure({ status, retryAfterMs, ...failed }: FailedExchange): AttemptFailure | null {
  const kind = kindOf(status, failed)
  return kind && { kind, retryAfterMs }
}

function kindOf(
  status: number,
  { transport, refusals, hasOtherAccount, error }: Omit<FailedExchange, 'status' | 'retryAfterMs'>,
): FailureKind | null {
  if (transport === 'refused') return null
  if (transport === 'credential') return 'credential'
  if (transport === 'timeout' || error?.type === 'upstream_timeout') return 'timeout'
  if (transport !== null) return 'connect'
  if (refusals.includes(status)) return 'credential'
  if (status === 408) return 'timeout'
  // Rate limits apply per account, so another credential may help.
  if (status === 429) return hasOtherAccount ? 'credential' : '429'
  // Below 400, the answer could not be read, or the failure was reported inside the stream.
  return status >= 500 || status < 400 ? '5xx' : null
}
