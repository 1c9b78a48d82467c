import { ApiError } from '../../errors.js'
import { userSuspended } from '../../http/index.js'
import type { EntryCheck } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import { hasModel } from '../../modules/policies/index.js'
import type { Target } from '../../providers/index.js'
import type { Reservation } from '../plan/reservation.js'

export interface Verdict {
  checks: EntryCheck[]
  /** Why the call must not be forwarded; null when it may. */
  refusal: ApiError | null
}

/**
 * What must be true of the caller before its call is forwarded. Every check is recorded, also those that passed.
 * `overBudget` is the refusal of admission, if money was the reason.
 */
export function guard(
  reservation: Reservation,
  entitlements: Entitlements,
  overBudget: ApiError | null,
): Verdict {
  const { target } = reservation
  const suspended = entitlements.user?.suspended === true
  const allowed = mayUse(target, entitlements)
  const hasAllowlist = allowlistsOf(entitlements).length > 0
  const checks: EntryCheck[] = [
    ...admissionChecks(reservation, overBudget === null),
    check('userStatus', entitlements.user !== null, !suspended),
    check('modelAllowlist', hasAllowlist, allowed),
  ]
  if (overBudget) return { checks, refusal: overBudget }
  if (suspended) return { checks, refusal: userSuspended() }
  if (!allowed) {
    return {
      checks,
      refusal: new ApiError('model_not_allowed', `This key may not use the model ${target.name}`),
    }
  }
  return { checks, refusal: null }
}

/** What admission decided. A call that its rate limit refuses leaves no receipt: those that do have passed it. */
export const admissionChecks = ({ claims, spend }: Reservation, fitsBudget: boolean): EntryCheck[] => [
  check('rateLimit', claims.length > 0, true),
  check('budget', spend !== null && spend.claims.length > 0, fitsBudget),
]

const names = {
  rateLimit: 'rate_limit',
  budget: 'budget',
  userStatus: 'user_status',
  modelAllowlist: 'model_allowlist',
}

function check(kind: keyof typeof names, applicable: boolean, passed: boolean): EntryCheck {
  const name = names[kind]
  if (!applicable) return { name, applicable, result: 'skip' }
  return passed ? { name, applicable, result: 'pass' } : { name, applicable, result: 'fail', action: 'block' }
}

/** Both lists must have the model: the key's own, and the one of the user who owns it. */
export const mayUse = ({ names }: Target, entitlements: Entitlements): boolean =>
  allowlistsOf(entitlements).every((list) => hasModel(list, names))

const allowlistsOf = ({ key, user }: Entitlements): string[][] =>
  [key.allowedModels, user?.allowedModels ?? null].filter((list) => list !== null)
