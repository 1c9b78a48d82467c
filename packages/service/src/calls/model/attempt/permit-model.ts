import type { Target } from '../../../providers/index.js'
import type { EntryCheck } from '../../../record/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import { ApiError } from '../../../shared/errors.js'
import { check, type Permission } from '../../core/index.js'
import { allowlistsOf, isModelAllowed } from '../plan/model-allowlists.js'
import type { CallReferences } from '../plan/references.js'

/** Checks whether the caller may use the model and the stored objects that the call names. */
export function permitModel(
  target: Target,
  entitlements: Entitlements,
  references: CallReferences,
): Permission {
  const isAllowed = isModelAllowed(target, entitlements)
  const checks: EntryCheck[] = [check('modelAllowlist', allowlistsOf(entitlements).length > 0, isAllowed)]
  const lost = references.refusalAt(target.provider)
  if (references.named.length > 0) checks.push(check('references', true, lost === null))
  const refusal = isAllowed
    ? lost
    : new ApiError('model_not_allowed', `This key may not use the model ${target.name}`)
  return { checks, refusal }
}
