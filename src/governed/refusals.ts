import type { Refused, RefusedBySpend } from '../admission/index.js'
import { ApiError } from '../errors.js'
import { toUsd } from '../http/index.js'
import type { EntryOutcome } from '../ledger/index.js'
import type { SpendLimit } from '../modules/budgets/index.js'
import type { Demand } from './admit.js'
import { formatUsd } from './headers.js'

export function rateLimitExceeded({ refusedBy, never, retryAfterSeconds }: Refused): ApiError {
  const { limit, unit, amount } = refusedBy
  const advice = never
    ? `this call may take ${amount}, so waiting does not help: lower its maximum output, or raise the limit`
    : `try again in ${retryAfterSeconds} s`
  const message = `The limit of ${limit} ${unit} per minute is reached; ${advice}`
  return new ApiError('rate_limit_exceeded', message, { retry_after: retryAfterSeconds })
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
