import type { Refused, RefusedBySpend } from '../../admission/index.js'
import { ApiError } from '../../errors.js'
import { toUsd } from '../../http/index.js'
import { formatUsd } from '../headers.js'
import type { Reservation } from '../plan/reservation.js'

export function rateLimitExceeded({ refusedBy, never, retryAfterSeconds }: Refused): ApiError {
  const { limit, unit, amount } = refusedBy
  const advice = never
    ? `this call may take ${amount}, so waiting does not help: lower its maximum output, or raise the limit`
    : `try again in ${retryAfterSeconds} s`
  const message = `The limit of ${limit} ${unit} per minute is reached; ${advice}`
  return new ApiError('rate_limit_exceeded', message, { retry_after: retryAfterSeconds })
}

const unknownLimit = { id: null, name: 'A limit on this call' }

export function budgetExceeded(
  { refusal }: RefusedBySpend,
  { spend, limits, minOutputTokens }: Reservation,
): ApiError {
  const { claim, spentNanos, usedNanos } = refusal
  const { scopeType, scopeId, endMs } = claim.account
  const { id, name } = limits.find((each) => each === claim)?.source ?? unknownLimit
  const left = Math.max(0, claim.limitNanos - usedNanos)
  const demand =
    minOutputTokens === 0
      ? ''
      : ` for its thinking budget of ${minOutputTokens - 1} tokens: lower that, or the input`
  const limit =
    id === null
      ? name
      : `The budget "${name}" (${id}) of ${scopeType === 'tag' ? `the tag ${scopeId}` : `this ${scopeType}`}`
  const message = `${limit} has $${formatUsd(left)} left of $${formatUsd(claim.limitNanos)}, and this call needs at least $${formatUsd(spend?.minNanos ?? 0)}${demand}`
  return new ApiError('budget_exceeded', message, {
    limit_usd: toUsd(claim.limitNanos),
    spent_usd: toUsd(spentNanos),
    resets_at: endMs === null ? null : new Date(endMs).toISOString(),
    budget: { id, name, scope: { type: scopeType, id: scopeId } },
  })
}
