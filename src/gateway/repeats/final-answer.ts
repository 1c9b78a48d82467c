import type { Answer } from '../answer.js'

/**
 * Errors that are not about the request. Client libraries send it again after 408, 409, 429 and 5xx, with the same key, and expect
 * another answer. 401, 402 and 403 are about the account at the provider, which its operator puts right.
 */
const isPassing = (status: number): boolean =>
  [401, 402, 403, 408, 409, 429].includes(status) || status >= 500

/**
 * Whether a call has had its answer, so that nobody need call again for it: the provider's own, or that policies do not let it be
 * shown. What was refused before it was forwarded, what was cut short and what may do better next time has not.
 */
export function isFinal({ outcome, status, error, upstreamStatus }: Answer): boolean {
  switch (outcome) {
    case 'ok':
    case 'redacted':
      return true
    case 'blocked':
      return upstreamStatus !== null
    case 'upstream_error':
      return error === null && !isPassing(status)
    case 'aborted':
    case 'failed':
      return false
  }
}
