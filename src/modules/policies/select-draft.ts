import { type Selection, select } from './compile-set.js'
import { compilePolicy } from './compiled-policy.js'
import type { PolicyDraft } from './schema.js'

/** What a draft is called in checks and findings: it has no id and no version yet. */
export const draftReference = 'draft'

/**
 * The policies of a caller as they would be with a draft: in the place of the policy that it is a draft of, else after all
 * others, like any new one. Its scope does not matter: the call is the one that it is tried on.
 */
export function selectDraft(selection: Selection, { policy, alone }: PolicyDraft): Selection {
  const compiled = compilePolicy({ ...policy, id: draftReference, version: 0 }, draftReference)
  if (alone === true) return select([compiled])
  const isReplaced = selection.all.some(({ id }) => id === policy.id)
  const all = selection.all.map((each) => (each.id === policy.id ? compiled : each))
  return select(isReplaced ? all : [...all, compiled])
}
