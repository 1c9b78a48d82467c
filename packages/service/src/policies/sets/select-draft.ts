import type { PolicyDraft } from '../trial-schema.js'
import { type Selection, select } from './compile-set.js'
import { compilePolicy } from './compiled-policy.js'

/** The reference of a draft in checks and findings. A draft has no id and no version yet. */
export const draftReference = 'draft'

/**
 * Returns the policies of a caller with a draft added. The draft replaces the policy that it is a draft of; a new one comes last. Its scope
 * is ignored: it always applies to the call that is tried.
 */
export function selectDraft(selection: Selection, { policy, alone }: PolicyDraft): Selection {
  const compiled = compilePolicy({ ...policy, id: draftReference, version: 0 }, draftReference)
  if (alone === true) return select([compiled])
  const isReplaced = selection.all.some(({ id }) => id === policy.id)
  const all = selection.all.map((each) => (each.id === policy.id ? compiled : each))
  return select(isReplaced ? all : [...all, compiled])
}
