import type { Claim, SpendRequest } from '../../admission/index.js'
import { ApiError, invalidField } from '../../errors.js'
import { editMembers } from '../../json/index.js'
import type { SpendLimits } from '../../modules/budgets/index.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'
import type { PacksInForce } from '../../modules/packs/index.js'
import type { PolicySets, Selection } from '../../modules/policies/index.js'
import type { PromptReader } from '../../modules/prompts/index.js'
import type { ModelDirectory, Target, TokenCounter } from '../../providers/index.js'
import type { Call } from '../call.js'
import { applyPrompt, type UsedPrompt } from './prompt.js'
import {
  lowerToFit,
  pricingOf,
  reserveOutput,
  spendRequest,
  type WorstCase,
  worstCaseOf,
} from './reservation.js'

/** What will be sent, where, and what must be admitted first. */
export interface Plan {
  target: Target
  prompt: UsedPrompt | null
  /** Hash of the policy set in force. */
  policies: string
  /** `framework@version` of the packs in force. */
  packs: readonly string[]
  /** Those of its policies that apply to the caller. */
  selection: Selection
  claims: Claim[]
  spend: SpendRequest | null
  /** What the call uses if everything that it may use is used. */
  worstCase: WorstCase
  /** The bytes to forward: the caller's own, but for the members that had to change so that the call fits its money. */
  bodyWithin(grantedMicros: number | null): Buffer
}

export interface PlanParts {
  models: ModelDirectory
  tokens: TokenCounter
  prompts: PromptReader
  spendLimits: SpendLimits
  policySets: PolicySets
  packsInForce: PacksInForce
}

/** Which windows count the calls and the tokens of a key. */
export const rateWindows = {
  windowMs: 60_000,
  requestsOf: (keyId: string) => `${keyId}/rpm`,
  tokensOf: (keyId: string) => `${keyId}/tpm`,
}

export async function makePlan(
  call: Call,
  entitlements: Entitlements,
  now: Date,
  parts: PlanParts,
): Promise<Plan> {
  const { tenantId, key } = entitlements
  const { windowMs } = rateWindows
  const target = findTarget(call, parts.models)
  const edits = new Map<string, string | null>()
  if (target.model !== call.model) edits.set('model', JSON.stringify(target.model))
  if (call.stream)
    for (const [name, json] of Object.entries(call.dialect.usageRequest(call.body))) edits.set(name, json)
  const prompt = await applyPrompt(call, tenantId, parts.prompts, edits)

  const claims: Claim[] = []
  if (key.rpmLimit !== null) {
    claims.push({
      id: rateWindows.requestsOf(key.id),
      unit: 'requests',
      limit: key.rpmLimit,
      amount: 1,
      windowMs,
    })
  }
  const limits = await parts.spendLimits.limitsFor(entitlements, now)
  const input = await countInput(call, prompt, parts.tokens)
  const output = reserveOutput(call, target, key.tpmLimit === null ? null : key.tpmLimit - input)
  if (output.forwarded !== null) edits.set(output.field, String(output.forwarded))
  const pricing = pricingOf(target, call)
  const worstCase = worstCaseOf(pricing, input, output)
  if (key.tpmLimit !== null) {
    const amount = worstCase.inputTokens + worstCase.outputTokens
    claims.push({
      id: rateWindows.tokensOf(key.id),
      unit: 'tokens',
      limit: key.tpmLimit,
      amount,
      windowMs,
    })
  }
  const spend = spendRequest(limits, pricing, worstCase, output)
  const policySet = await parts.policySets.current(tenantId)

  return {
    target,
    prompt,
    policies: policySet.hash,
    selection: policySet.selectFor(scopeIdsOf(entitlements)),
    packs: await parts.packsInForce.current(tenantId),
    claims,
    spend,
    worstCase,
    bodyWithin(grantedMicros) {
      if (grantedMicros !== null && grantedMicros < worstCase.costMicros) {
        edits.set(output.field, String(lowerToFit(grantedMicros, pricing, input, output)))
      }
      return edits.size === 0 ? call.raw : editMembers(call.raw, call.members, edits)
    },
  }
}

function findTarget(call: Call, models: ModelDirectory): Target {
  const target = models.find(call.model)
  if ('missing' in target) throw new ApiError('model_not_found', target.missing)
  if (target.provider.dialects.includes(call.dialect.name)) return target
  throw invalidField(
    'model',
    `${call.model} is served by ${target.provider.name}, which does not answer this endpoint`,
  )
}

async function countInput(call: Call, prompt: UsedPrompt | null, counter: TokenCounter): Promise<number> {
  const { texts, fixedTokens } = call.dialect.inputOf(call.body)
  return (await counter.count(prompt ? [prompt.text, ...texts] : texts)) + fixedTokens
}
