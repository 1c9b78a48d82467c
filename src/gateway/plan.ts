import type { Claim, SpendRequest } from '../admission/index.js'
import { ApiError, invalidField } from '../errors.js'
import type { Caller } from '../http/index.js'
import type { SpendLimits } from '../modules/budgets/index.js'
import type { PolicySets } from '../modules/policies/index.js'
import type { PromptReader } from '../modules/prompts/index.js'
import type { ModelDirectory, Target, TokenCounter } from '../providers/index.js'
import type { Call } from './call.js'
import { editMembers } from './json-members.js'
import { applyPrompt, type UsedPrompt } from './prompt.js'
import { lowerToFit, type OutputRange, reserveOutput, spendRequest } from './reservation.js'

/** What will be sent, where, and what must be admitted first. */
export interface Plan {
  target: Target
  prompt: UsedPrompt | null
  /** Hash of the policy set in force. */
  policies: string
  claims: Claim[]
  spend: SpendRequest | null
  /** The bytes to forward: the caller's own, but for the members that had to change so that the call fits its money. */
  bodyWithin(grantedMicros: number | null): Promise<Buffer>
  /** Input tokens as we count them, before the provider has. Counted at most once. */
  inputTokens(): Promise<number>
}

export interface PlanParts {
  models: ModelDirectory
  tokens: TokenCounter
  prompts: PromptReader
  spendLimits: SpendLimits
  policySets: PolicySets
}

const windowMs = 60_000

export async function makePlan(call: Call, caller: Caller, parts: PlanParts): Promise<Plan> {
  const target = findTarget(call, parts.models)
  const edits = new Map<string, string | null>()
  if (target.model !== call.model) edits.set('model', JSON.stringify(target.model))
  if (call.stream)
    for (const [name, json] of Object.entries(call.dialect.usageRequest(call.body))) edits.set(name, json)
  const prompt = await applyPrompt(call, caller.tenantId, parts.prompts, edits)
  const inputTokens = countOnce(call, prompt, parts.tokens)

  const claims: Claim[] = []
  if (caller.rpmLimit !== null) {
    claims.push({ id: `${caller.keyId}/rpm`, unit: 'requests', limit: caller.rpmLimit, amount: 1, windowMs })
  }
  const limits = await parts.spendLimits.limitsFor(caller, new Date())
  let output: OutputRange | null = null
  let spend: SpendRequest | null = null
  if (caller.tpmLimit !== null || limits.length > 0) {
    const input = await inputTokens()
    output = reserveOutput(call, target, caller.tpmLimit === null ? null : caller.tpmLimit - input)
    if (output.forwarded !== null) edits.set(output.field, String(output.forwarded))
    if (caller.tpmLimit !== null) {
      const amount = input + output.most * output.choices
      claims.push({ id: `${caller.keyId}/tpm`, unit: 'tokens', limit: caller.tpmLimit, amount, windowMs })
    }
    spend = spendRequest(limits, target.price, input, output)
  }

  return {
    target,
    prompt,
    policies: (await parts.policySets.current(caller.tenantId)).hash,
    claims,
    spend,
    inputTokens,
    async bodyWithin(grantedMicros) {
      if (output !== null && spend !== null && grantedMicros !== null && grantedMicros < spend.mostMicros) {
        edits.set(output.field, String(lowerToFit(grantedMicros, target.price, await inputTokens(), output)))
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

function countOnce(call: Call, prompt: UsedPrompt | null, counter: TokenCounter): () => Promise<number> {
  let counted: Promise<number> | undefined
  const count = async () => {
    const { texts, fixedTokens } = call.dialect.inputOf(call.body)
    return (await counter.count(prompt ? [prompt.text, ...texts] : texts)) + fixedTokens
  }
  return () => {
    counted ??= count()
    return counted
  }
}
