import type { ApiError } from '../../errors.js'
import type { FailureKind as TransportFailure } from '../../providers/index.js'
import type { AttemptFailure } from '../routing/course.js'
import type { FailureKind } from '../routing/route.js'

/** How an exchange with a provider failed, as far as another attempt depends on it. */
export interface FailedExchange {
  /** Of the provider's answer; 0 where there is none. */
  status: number
  retryAfterMs: number | null
  /** Of the transport; null where the provider answered. */
  transport: TransportFailure | null
  /** By which statuses the provider refuses a credential. */
  refusals: readonly number[]
  /** The provider has another credential, which does not rest. */
  hasOtherAccount: boolean
  /** Ours; null where the provider's own error is the answer. */
  error: ApiError | null
}

/** Null where another attempt would end the same way: the request itself is at fault. */
export function describeExchange({ status, retryAfterMs, ...failed }: FailedExchange): AttemptFailure | null {
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
  // The limit is one of the account.
  if (status === 429) return hasOtherAccount ? 'credential' : '429'
  // Below 400: what it answered cannot be read, or it reported its failure inside of a stream.
  return status >= 500 || status < 400 ? '5xx' : null
}
