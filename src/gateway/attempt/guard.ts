import { ApiError } from '../../errors.js'
import { userSuspended } from '../../http/index.js'
import type { EntryCheck } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import { allowlistsOf, mayUse } from '../plan/may-use.js'
import type { Reservation } from '../plan/reservation.js'

export interface Verdict {
  checks: EntryCheck[]
  /** Why the call must not be forwarded; null when it may. */
  refusal: ApiError | null
}

/** What limits and budgets said: nothing against it, that there is no money left, or that they were not asked. */
export type AdmissionVerdict = { overBudget: ApiError | null } | 'not asked'

/**
 * What must be true of the caller before its call is forwarded. Every check is recorded, also those that passed. What it may never
 * do is said before what it cannot pay for.
 */
export function guard(
  reservation: Reservation,
  entitlements: Entitlements,
  admission: AdmissionVerdict,
): Verdict {
  const { target } = reservation
  const suspended = entitlements.user?.suspended === true
  const allowed = mayUse(target, entitlements)
  const overBudget = admission === 'not asked' ? null : admission.overBudget
  const hasAllowlist = allowlistsOf(entitlements).length > 0
  const checks: EntryCheck[] = [
    ...admissionChecks(reservation, admission),
    check('userStatus', entitlements.user !== null, !suspended),
    check('modelAllowlist', hasAllowlist, allowed),
  ]
  if (suspended) return { checks, refusal: userSuspended() }
  if (!allowed) {
    return {
      checks,
      refusal: new ApiError('model_not_allowed', `This key may not use the model ${target.name}`),
    }
  }
  return { checks, refusal: overBudget }
}

/** What admission decided. A call that its rate limit refuses leaves no receipt: those that do have passed it. */
export function admissionChecks({ claims, spend }: Reservation, admission: AdmissionVerdict): EntryCheck[] {
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
}

const skip = (kind: keyof typeof names, applicable: boolean): EntryCheck => ({
  name: names[kind],
  applicable,
  result: 'skip',
})

function check(kind: keyof typeof names, applicable: boolean, passed: boolean): EntryCheck {
  const name = names[kind]
  if (!applicable) return skip(kind, false)
  return passed ? { name, applicable, result: 'pass' } : { name, applicable, result: 'fail', action: 'block' }
}
