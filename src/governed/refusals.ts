import type { Refused, RefusedBySpend } from '../admission/index.js'
import { ApiError, invalidRequest } from '../errors.js'
import { toUsd } from '../http/index.js'
import type { EntryOutcome } from '../ledger/index.js'
import type { SpendLimit } from '../modules/budgets/index.js'
import type { Demand } from './admit.js'
import { formatUsd } from './headers.js'

/** What a caller can change about a call that is larger than its limit, and where in the request. */
export interface SizeAdvice {
  path: string
  /** A sentence. */
  advice: string
}

/**
 * A call that does not fit the window of a rate limit. One that would fit later is told when. One that is larger than the limit itself is
 * an invalid request: clients retry a 429, and this one would be refused for ever.
 */
export function windowRefusal({ refusedBy, never, retryAfterSeconds }: Refused, size?: SizeAdvice): ApiError {
  const { limit, unit, amount } = refusedBy
  if (!never) {
    const message = `The limit of ${limit} ${unit} per minute is reached; try again in ${retryAfterSeconds} s`
    return new ApiError('rate_limit_exceeded', message, { retry_after: retryAfterSeconds })
  }
  const { path, advice } = size ?? { path: '', advice: 'Ask for less, or raise the limit.' }
  const message = `This call may use ${amount} ${unit}, and the limit is ${limit} ${unit} per minute, so it can never be admitted. ${advice}`
  return invalidRequest(message, [{ path, message }])
}

/**
 * The outcome of a call that ends with this error before it has an answer. A fault of this service is no decision of a rule, and
 * no failure of a provider: `otherwise` says what the rest is.
 */
export const outcomeOf = <Other extends EntryOutcome>(
  { serviceFault }: ApiError,
  otherwise: Other,
): Other | 'failed' => (serviceFault === null ? otherwise : 'failed')

const unknownLimit = { id: null, name: 'A limit on this call' }

/** `why`: what makes the call need that much, as the end of a sentence. */
export function budgetExceeded(
  { refusal }: RefusedBySpend,
  { spend, limits }: Pick<Demand, 'spend'> & { limits: readonly SpendLimit[] },
  why = '',
): ApiError {
  const { claim, spentNanos, usedNanos } = refusal
  const { scopeType, scopeId, endMs } = claim.account
  const { id, name } = limits.find((each) => each === claim)?.source ?? unknownLimit
  const left = Math.max(0, claim.limitNanos - usedNanos)
  const limit =
    id === null
      ? name
      : `The budget "${name}" (${id}) of ${scopeType === 'tag' ? `the tag ${scopeId}` : `this ${scopeType}`}`
  const message = `${limit} has $${formatUsd(left)} left of $${formatUsd(claim.limitNanos)}, and this call needs at least $${formatUsd(spend?.minNanos ?? 0)}${why}`
  return new ApiError('budget_exceeded', message, {
    limit_usd: toUsd(claim.limitNanos),
    spent_usd: toUsd(spentNanos),
    resets_at: endMs === null ? null : new Date(endMs).toISOString(),
    budget: { id, name, scope: { type: scopeType, id: scopeId } },
  })
}
