import type { EntryCheck } from '../../../record/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { LimitClaims } from './limit-claims.js'

/** Whether a budget is exhausted, or that limits and budgets were not asked, as in a policy trial. */
export type LimitCheckResult = { overBudget: ApiError | null } | 'not checked'

/**
 * The checks of admission for the receipt. A call that a rate limit refuses has no receipt, so a recorded rate limit check always passed.
 */
export function admissionChecks(
  { claims, spend }: Pick<LimitClaims, 'claims' | 'spend'>,
  admission: LimitCheckResult,
): EntryCheck[] {
  const hasBudget = spend !== null && spend.accountLimits.length > 0
  if (admission === 'not checked') return [skip('rateLimit', claims.length > 0), skip('budget', hasBudget)]
  return [
    check('rateLimit', claims.length > 0, true),
    check('budget', hasBudget, admission.overBudget === null),
  ]
}

const names = {
  rateLimit: 'rate_limit',
  budget: 'budget',
  userStatus: 'user_status',
  modelAllowlist: 'model_allowlist',
  toolAllowlist: 'tool_allowlist',
  references: 'references',
}

const skip = (kind: keyof typeof names, applicable: boolean): EntryCheck => ({
  name: names[kind],
  applicable,
  result: 'skip',
})

/** The check that is recorded when a call was cut short by the size or duration of its answer, or because its caller stopped reading. */
export const cutShortCheck = (name: 'answer_size' | 'answer_duration' | 'reader'): EntryCheck => ({
  name,
  applicable: true,
  result: 'fail',
  action: 'block',
})

export function check(kind: keyof typeof names, applicable: boolean, passed: boolean): EntryCheck {
  const name = names[kind]
  if (!applicable) return skip(kind, false)
  return passed ? { name, applicable, result: 'pass' } : { name, applicable, result: 'fail', action: 'block' }
}
