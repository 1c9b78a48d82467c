import { expression } from './expression.js'
import { http } from './http.js'
import { keywords } from './keywords.js'
import type { Kind } from './kind.js'
import { limits } from './limits.js'
import { modelAllowlist, modelDenylist } from './model-lists.js'
import { pattern } from './pattern.js'
import { pii } from './pii.js'
import { secrets } from './secrets.js'
import { tools } from './tools.js'

/** All kinds of policies, by their API name. */
export const kinds = {
  model_allowlist: modelAllowlist,
  model_denylist: modelDenylist,
  keywords,
  pattern,
  pii,
  secrets,
  limits,
  tools,
  expression,
  http,
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

export const kindNames = Object.keys(kinds).filter(isKindName)

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name)
}
