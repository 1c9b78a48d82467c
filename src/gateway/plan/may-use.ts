import type { Entitlements } from '../../modules/keys/index.js'
import { hasModel } from '../../modules/policies/index.js'
import type { Target } from '../../providers/index.js'

/** Both lists must have the model: the key's own, and the one of the user who owns it. */
export const mayUse = ({ names }: Pick<Target, 'names'>, entitlements: Entitlements): boolean =>
  allowlistsOf(entitlements).every((list) => hasModel(list, names))

export const allowlistsOf = ({ key, user }: Entitlements): string[][] =>
  [key.allowedModels, user?.allowedModels ?? null].filter((list) => list !== null)
