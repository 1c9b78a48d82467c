import type { ApiError } from '../../errors.js'
import type { AttemptFailure } from '../routing/course.js'
import type { FailureKind } from '../routing/route.js'

/** How an exchange with a provider ended, as far as another attempt depends on it. */
export interface FailedExchange {
  /** Of the provider's answer; 0 where there is none. */
  status: number
  headers: Readonly<Record<string, string>>
  /** Ours; null where the provider answered with an error. */
  error: ApiError | null
}

/** Null where another attempt would end the same way: the request itself is at fault. */
export function describeExchange({ status, headers, error }: FailedExchange): AttemptFailure | null {
  const kind = kindOf(status, error)
  return kind && { kind, retryAfterMs: readRetryAfter(headers) }
}

function kindOf(status: number, error: ApiError | null): FailureKind | null {
  if (status === 0 || (error !== null && status < 400))
    return error?.type === 'upstream_timeout' ? 'timeout' : status === 0 ? 'connect' : '5xx'
  if (status === 401 || status === 403) return 'credential'
  if (status === 408) return 'timeout'
  if (status === 429) return '429'
  // A provider that reports its failure inside of a stream has answered 200 before.
  return status >= 500 || status < 400 ? '5xx' : null
}

/** Seconds or a date; some vendors have a header in milliseconds beside it. */
function readRetryAfter(headers: FailedExchange['headers']): number | null {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (exact >= 0) return exact
  const value = headers['retry-after']
  if (value === undefined) return null
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
