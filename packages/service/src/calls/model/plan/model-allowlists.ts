import { hasModel } from '../../../policies/index.js'
import type { Target } from '../../../providers/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'

/** True when the allowlists of the key and of its user contain the model. */
export const isModelAllowed = ({ names }: Pick<Target, 'names'>, entitlements: Entitlements): boolean =>
  allowlistsOf(entitlements).every((list) => hasModel(list, names))

export const allowlistsOf = ({ key, user }: Entitlements): string[][] =>
  [key.allowedModels, user?.allowedModels ?? null].filter((list) => list !== null)
