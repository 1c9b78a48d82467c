import type { PolicySets, Selection } from '../../../policies/index.js'
import type { ModelDirectories, TokenCounter } from '../../../providers/index.js'
import type { EntryCheck } from '../../../record/index.js'
import { scopeIdsOf } from '../../../resources/keys/index.js'
import type { PacksInForce } from '../../../resources/packs/index.js'
import type { PromptReader } from '../../../resources/prompts/index.js'
import type { RouteRecord, Routes } from '../../../resources/routes/index.js'
import type { ReceivedModelCall } from '../call.js'
import type { OrderParts } from '../routing/order-targets.js'
import type { AttemptOptions } from '../routing/retry-plan.js'
import { applyPrompt, type UsedPrompt } from './apply-prompt.js'
import { findRouteTargets, findTarget } from './find-targets.js'
import { type CallReferences, type ReferenceParts, readReferences } from './references.js'
import { modelNotFound } from './suggest-models.js'

/** The decisions that are made once for a call. What depends on the target is in the reservation of an attempt. */
export interface Plan {
  /** The targets, the number of attempts and the timeout. */
  attemptOptions: AttemptOptions
  /** The route that the call names. Null when it names a model. */
  route: RouteRecord | null
  /** One check for each target of the route that the caller may not use. */
  skipped: readonly EntryCheck[]
  prompt: UsedPrompt | null
  references: CallReferences
  /** Hash of the policy set in force. */
  policies: string
  /** The policies that apply to the caller. */
  selection: Selection
  /** `framework@version` of the packs in force. */
  packs: readonly string[]
  /** Members to change before forwarding, for every target. Null removes a member. */
  edits: ReadonlyMap<string, string | null>
}

export interface PlannedModelCall extends ReceivedModelCall {
  plan: Plan
}

export interface PlanParts extends OrderParts, ReferenceParts {
  routes: Pick<Routes, 'find' | 'list'>
  directories: ModelDirectories
  tokens: TokenCounter
  prompts: PromptReader
  policySets: PolicySets
  packsInForce: PacksInForce
}

export async function makePlan(
  { call, entitlements }: Pick<ReceivedModelCall, 'call' | 'entitlements'>,
  parts: PlanParts,
): Promise<Plan> {
  const { tenantId } = entitlements
  const policySet = await parts.policySets.current(tenantId)
  const selection = policySet.selectFor(scopeIdsOf(entitlements))
  const models = await parts.directories.for(tenantId)
  // A route's name wins over a model of the same name.
  const route = await parts.routes.find(tenantId, call.model)
  const references = await readReferences(call, entitlements, parts)
  const query = { call, entitlements, selection, references, tokens: parts.tokens }
  const found = route ? findRouteTargets(query, route, models, parts) : findTarget(query, models)
  if ('missing' in found)
    throw modelNotFound(
      { name: call.model, missing: found.missing, endpoint: call.endpoint },
      { ...query, models, routes: await parts.routes.list(tenantId) },
    )
  const { attemptOptions, skipped } = found
  const edits = new Map<string, string | null>()
  if (call.stream)
    for (const [name, json] of Object.entries(call.endpoint.requestUsage(call.body))) edits.set(name, json)
  const prompt = await applyPrompt(call, tenantId, parts.prompts, edits)
  return {
    attemptOptions,
    route,
    skipped,
    prompt,
    references,
    policies: policySet.hash,
    selection,
    packs: await parts.packsInForce.current(tenantId),
    edits,
  }
}
