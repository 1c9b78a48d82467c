import type { EntryCheck } from '../../ledger/index.js'
import { scopeIdsOf } from '../../modules/keys/index.js'
import type { PacksInForce } from '../../modules/packs/index.js'
import type { PolicySets, Selection } from '../../modules/policies/index.js'
import type { PromptReader } from '../../modules/prompts/index.js'
import type { RouteRecord, Routes } from '../../modules/routes/index.js'
import type { ModelDirectories, TokenCounter } from '../../providers/index.js'
import type { ReceivedCall } from '../call.js'
import type { CourseTerms } from '../routing/course.js'
import type { OrderParts } from '../routing/order-targets.js'
import { findRouteTargets, findTarget } from './find-targets.js'
import { applyPrompt, type UsedPrompt } from './prompt.js'
import { type CallReferences, type ReferenceParts, readReferences } from './references.js'

/** What is decided once for a call. What depends on the target stands in the reservation of an attempt. */
export interface Plan {
  /** Where the call may go, how often, and for how long. */
  course: CourseTerms
  /** The route that the call names; null where it names a model. */
  route: RouteRecord | null
  /** Targets of the route that the caller may not use. */
  skipped: readonly EntryCheck[]
  prompt: UsedPrompt | null
  references: CallReferences
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

export interface PlanParts extends OrderParts, ReferenceParts {
  routes: Pick<Routes, 'find' | 'list'>
  directories: ModelDirectories
  tokens: TokenCounter
  prompts: PromptReader
  policySets: PolicySets
  packsInForce: PacksInForce
}

export async function makePlan(
  { call, entitlements }: Pick<ReceivedCall, 'call' | 'entitlements'>,
  parts: PlanParts,
): Promise<Plan> {
  const { tenantId } = entitlements
  const policySet = await parts.policySets.current(tenantId)
  const selection = policySet.selectFor(scopeIdsOf(entitlements))
  const models = await parts.directories.for(tenantId)
  // A route's name wins over a model of the same name.
  const route = await parts.routes.find(tenantId, call.model)
  const references = await readReferences(call, entitlements, parts)
  const asked = { call, entitlements, selection, references, tokens: parts.tokens }
  const { course, skipped } = route
    ? findRouteTargets(asked, route, models, parts)
    : findTarget(asked, models)
  const edits = new Map<string, string | null>()
  if (call.stream)
    for (const [name, json] of Object.entries(call.dialect.usageRequest(call.body))) edits.set(name, json)
  const prompt = await applyPrompt(call, tenantId, parts.prompts, edits)
  return {
    course,
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
