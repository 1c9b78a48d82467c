import { ApiError } from '../../errors.js'
import { type AdmissionVerdict, admissionChecks, check } from '../../governed/index.js'
import { userSuspended } from '../../http/index.js'
import type { EntryCheck } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import { allowlistsOf, mayUse } from '../plan/may-use.js'
import type { CallReferences } from '../plan/references.js'
import type { Reservation } from '../plan/reservation.js'

export interface Verdict {
  checks: EntryCheck[]
  /** Why the call must not be forwarded; null when it may. */
  refusal: ApiError | null
}

/**
 * What must be true of the caller before its call is forwarded. Every check is recorded, also those that passed. What it may never
 * do is said before what it cannot pay for.
 */
export function guard(
  reservation: Reservation,
  entitlements: Entitlements,
  references: CallReferences,
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
  const lost = references.refusalAt(target.provider)
  if (references.named.length > 0) checks.push(check('references', true, lost === null))
  if (suspended) return { checks, refusal: userSuspended() }
  if (!allowed) {
    return {
      checks,
      refusal: new ApiError('model_not_allowed', `This key may not use the model ${target.name}`),
    }
  }
  return { checks, refusal: lost ?? overBudget }
}
