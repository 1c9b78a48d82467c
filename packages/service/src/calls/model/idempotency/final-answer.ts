import type { Answer } from '../answer.js'

/**
 * True for errors that are not the request's fault. Client libraries retry 408, 409, 429 and 5xx with the same key and expect another
 * answer. 401, 402 and 403 concern the account at the provider, which the operator can fix.
 */
const isTemporary = (status: number): boolean =>
  [401, 402, 403, 408, 409, 429].includes(status) || status >= 500

/**
 * True when the answer may be replayed: it is the provider's answer, or policies blocked that answer. False when the call was refused
 * before it was forwarded, was cut short, or may succeed when it is repeated.
 */
export function isFinal({ outcome, status, error, upstreamStatus }: Answer): boolean {
  switch (outcome) {
    case 'ok':
    case 'redacted':
      return true
    case 'blocked':
      return upstreamStatus !== null
    case 'upstream_error':
      return error === null && !isTemporary(status)
    case 'aborted':
    case 'failed':
      return false
  }
}
