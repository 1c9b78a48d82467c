import { userSuspended } from '../../../http/index.js'
import type { EntryCheck } from '../../../record/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { Permission } from '../call-kind.js'
import { admissionChecks, check, type LimitCheckResult } from './checks.js'
import type { LimitClaims } from './limit-claims.js'

export interface GuardResult {
  checks: EntryCheck[]
  /** Why the call must not be forwarded; null when it may. */
  refusal: ApiError | null
}

/**
 * Checks whether the call may be forwarded. Every check is recorded, including those that passed. A missing permission is reported in
 * preference to an exhausted budget.
 */
export function guard(
  { reservation, entitlements }: { reservation: LimitClaims; entitlements: Entitlements },
  permission: Permission,
  admission: LimitCheckResult,
): GuardResult {
  const isSuspended = entitlements.user?.suspended === true
  const overBudget = admission === 'not checked' ? null : admission.overBudget
  return {
    checks: [
      ...admissionChecks(reservation, admission),
      check('userStatus', entitlements.user !== null, !isSuspended),
      ...permission.checks,
    ],
    refusal: isSuspended ? userSuspended() : (permission.refusal ?? overBudget),
  }
}
