import { ApiError, invalidField } from '../../errors.js'
import { scopeIdsOf } from '../../modules/keys/index.js'
import type { PacksInForce } from '../../modules/packs/index.js'
import type { PolicySets, Selection } from '../../modules/policies/index.js'
import type { PromptReader } from '../../modules/prompts/index.js'
import type { ModelDirectories, ModelDirectory, Target } from '../../providers/index.js'
import type { Call, ReceivedCall } from '../call.js'
import { applyPrompt, type UsedPrompt } from './prompt.js'

/** What is decided once for a call. What depends on the target stands in the reservation of an attempt. */
export interface Plan {
  /** Where the call may go, in the order in which they are tried. */
  targets: readonly [Target, ...Target[]]
  prompt: UsedPrompt | null
  /** Hash of the policy set in force. */
  policies: string
  /** The policies that apply to the caller. */
  selection: Selection
  /** `framework@version` of the packs in force. */
  packs: readonly string[]
  /** Members to change in what is forwarded, whatever the target. Null takes a member out. */
  edits: ReadonlyMap<string, string | null>
}

export interface PlannedCall extends ReceivedCall {
  plan: Plan
}

export interface PlanParts {
  directories: ModelDirectories
  prompts: PromptReader
  policySets: PolicySets
  packsInForce: PacksInForce
}

export async function makePlan(
  { call, entitlements }: Pick<ReceivedCall, 'call' | 'entitlements'>,
  parts: PlanParts,
): Promise<Plan> {
  const { tenantId } = entitlements
  const targets = findTargets(call, await parts.directories.for(tenantId))
  const edits = new Map<string, string | null>()
  if (call.stream)
    for (const [name, json] of Object.entries(call.dialect.usageRequest(call.body))) edits.set(name, json)
  const prompt = await applyPrompt(call, tenantId, parts.prompts, edits)
  const policySet = await parts.policySets.current(tenantId)
  return {
    targets,
    prompt,
    policies: policySet.hash,
    selection: policySet.selectFor(scopeIdsOf(entitlements)),
    packs: await parts.packsInForce.current(tenantId),
    edits,
  }
}

/** The model that the call names. */
function findTargets(call: Call, models: ModelDirectory): Plan['targets'] {
  const target = models.find(call.model)
  if ('missing' in target) throw new ApiError('model_not_found', target.missing)
  if (target.provider.dialects.includes(call.dialect.name)) return [target]
  throw invalidField(
    'model',
    `${call.model} is served by ${target.provider.name}, which does not answer this endpoint`,
  )
}
