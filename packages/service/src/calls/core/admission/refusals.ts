import { toUsd } from '../../../http/index.js'
import type { RefusedBySpend, RefusedByWindow } from '../../../limits/index.js'
import type { EntryOutcome } from '../../../record/index.js'
import { ApiError, invalidRequest } from '../../../shared/errors.js'
import { formatUsd } from '../answer/headers.js'
import type { LimitClaims } from './limit-claims.js'

/** How a caller can make a call fit that is larger than its limit. */
export interface SizeAdvice {
  path: string
  /** A complete sentence. */
  advice: string
}

/**
 * The error for a call that does not fit the window of a rate limit. It says when to try again. A call that is larger than the limit
 * itself is an invalid request instead, because clients retry a 429 and this call would be refused every time.
 */
export function windowRefusal(
  { refusedBy, neverFits, retryAfterSeconds }: RefusedByWindow,
  size?: SizeAdvice,
): ApiError {
  const { limit, unit, amount } = refusedBy
  if (!neverFits) {
    const message = `The limit of ${limit} ${unit} per minute is reached; try again in ${retryAfterSeconds} s`
    return new ApiError('rate_limit_exceeded', message, { retry_after: retryAfterSeconds })
  }
  const { path, advice } = size ?? { path: '', advice: 'Ask for less, or raise the limit.' }
  const message = `This call may use ${amount} ${unit}, and the limit is ${limit} ${unit} per minute, so it can never be admitted. ${advice}`
  return invalidRequest(message, [{ path, message }])
}

/** Returns `failed` when the error is a fault of this service, which neither a policy nor a provider caused; otherwise `otherwise`. */
export const outcomeOf = <Other extends EntryOutcome>(
  { serviceFault }: ApiError,
  otherwise: Other,
): Other | 'failed' => (serviceFault === null ? otherwise : 'failed')

const unknownLimit = { id: null, name: 'A limit on this call' }

/** Returns the error for a call that a budget refuses. `why` ends the sentence that says how much the call needs. */
export function budgetExceeded(
  { refusal }: RefusedBySpend,
  { spend, limits }: Pick<LimitClaims, 'spend' | 'limits'>,
  why = '',
): ApiError {
  const { accountLimit, spentNanos, usedNanos } = refusal
  const { scopeType, scopeId, endMs } = accountLimit.account
  const { id, name } = limits.find((each) => each === accountLimit)?.source ?? unknownLimit
  const left = Math.max(0, accountLimit.limitNanos - usedNanos)
  const limit =
    id === null
      ? name
      : `The budget "${name}" (${id}) of ${scopeType === 'tag' ? `the tag ${scopeId}` : `this ${scopeType}`}`
  const message = `${limit} has $${formatUsd(left)} left of $${formatUsd(accountLimit.limitNanos)}, and this call needs at least $${formatUsd(spend?.minNanos ?? 0)}${why}`
  return new ApiError('budget_exceeded', message, {
    limit_usd: toUsd(accountLimit.limitNanos),
    spent_usd: toUsd(spentNanos),
    resets_at: endMs === null ? null : new Date(endMs).toISOString(),
    budget: { id, name, scope: { type: scopeType, id: scopeId } },
  })
}
