import type { ApiError } from '../errors.js'
import type { EntryCheck } from '../ledger/index.js'
import type { Demand } from './admit.js'

/** What limits and budgets said: nothing against it, that there is no money left, or that they were not asked. */
export type AdmissionVerdict = { overBudget: ApiError | null } | 'not asked'

/** What admission decided. A call that its rate limit refuses leaves no receipt: those that do have passed it. */
export function admissionChecks(
  { claims, spend }: Pick<Demand, 'claims' | 'spend'>,
  admission: AdmissionVerdict,
): EntryCheck[] {
  const hasBudget = spend !== null && spend.claims.length > 0
  if (admission === 'not asked') return [skip('rateLimit', claims.length > 0), skip('budget', hasBudget)]
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

/** A call that was ended: by the size or the time that its answer took, or since its caller read nothing. */
export const endedFor = (name: 'answer_size' | 'answer_duration' | 'reader'): EntryCheck => ({
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
