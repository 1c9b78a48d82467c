import { ApiError } from '../errors.js'
import { type Caller, userSuspended } from '../http/index.js'
import type { EntryCheck } from '../ledger/index.js'
import type { Plan } from './plan.js'

export interface Verdict {
  checks: EntryCheck[]
  /** Why the call must not be forwarded; null when it may. */
  refusal: ApiError | null
}

/** What must be true of the caller before its call is forwarded. Every check is written down, also those that passed. */
export function guard(plan: Plan, caller: Caller): Verdict {
  const suspended = caller.userStatus === 'suspended'
  const allowed = caller.allowedModels === null || matchesAny(plan.target.names, caller.allowedModels)
  const checks: EntryCheck[] = [
    check('rate_limit', plan.claims.length > 0, true),
    check('budget', false, true),
    check('user_status', caller.userId !== null, !suspended),
    check('model_allowlist', caller.allowedModels !== null, allowed),
  ]
  if (suspended) return { checks, refusal: userSuspended() }
  if (!allowed) {
    return { checks, refusal: new ApiError('model_not_allowed', `This key may not use the model ${plan.target.name}`) }
  }
  return { checks, refusal: null }
}

function check(name: string, applicable: boolean, passed: boolean): EntryCheck {
  if (!applicable) return { name, applicable, result: 'skip' }
  return passed ? { name, applicable, result: 'pass' } : { name, applicable, result: 'fail', action: 'block' }
}

/** Exact names, or prefixes with a trailing `*`. */
export function matchesAny(names: readonly string[], patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*')
      ? names.some((name) => name.startsWith(pattern.slice(0, -1)))
      : names.includes(pattern))
}
