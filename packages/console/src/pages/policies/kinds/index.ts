import type { Kind } from '../policy'
import { expression } from './expression'
import { http } from './http'
import { keywords } from './keywords'
import type { PolicyKind } from './kind'
import { limits } from './limits'
import { modelAllowlist, modelDenylist } from './model-lists'
import { pattern } from './pattern'
import { pii } from './pii'
import { secrets } from './secrets'
import { tools } from './tools'

/** All kinds of policies, in display order. */
export const kinds: Record<Kind, PolicyKind> = {
  pii,
  secrets,
  keywords,
  pattern,
  model_allowlist: modelAllowlist,
  model_denylist: modelDenylist,
  limits,
  tools,
  expression,
  http,
}

export const kindNames = Object.keys(kinds).filter((name): name is Kind => name in kinds)
export const isKind = (name: string | undefined): name is Kind =>
  name !== undefined && Object.hasOwn(kinds, name)
