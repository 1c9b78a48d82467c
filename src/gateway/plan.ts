import type { Claim } from '../admission/index.js'
import { ApiError, invalidField } from '../errors.js'
import type { Caller } from '../http/index.js'
import type { ModelDirectory, Target, TokenCounter } from '../providers/index.js'
import type { Call } from './call.js'
import { editMembers } from './json-members.js'

/** What will be sent, where, and what must be admitted first. */
export interface Plan {
  target: Target
  /** The bytes to forward: the caller's own, but for the members that had to change. */
  body: Buffer
  claims: Claim[]
  /** Input tokens as we count them, before the provider has. Counted at most once. */
  inputTokens(): Promise<number>
}

interface PlanParts {
  models: ModelDirectory
  tokens: TokenCounter
}

const windowMs = 60_000

// For a model whose maximum is not known: enough for an ordinary answer, and corrected when it ends.
const unknownMaxOutput = 4_096

export async function makePlan(call: Call, caller: Caller, { models, tokens }: PlanParts): Promise<Plan> {
  const target = models.find(call.model)
  if ('missing' in target) throw new ApiError('model_not_found', target.missing)
  if (!target.provider.dialects.includes(call.dialect.name)) {
    throw invalidField('model', `${call.model} is served by ${target.provider.name}, which does not answer this endpoint`)
  }
  const inputTokens = countOnce(call, tokens)
  const edits = new Map<string, string | null>()
  if (target.model !== call.model) edits.set('model', JSON.stringify(target.model))
  if (call.stream) for (const [name, json] of Object.entries(call.dialect.usageRequest(call.body))) edits.set(name, json)

  const claims: Claim[] = []
  if (caller.rpmLimit !== null) {
    claims.push({ id: `${caller.keyId}/rpm`, unit: 'requests', limit: caller.rpmLimit, amount: 1, windowMs })
  }
  if (caller.tpmLimit !== null) {
    const { tpmLimit } = caller
    const reserved = reserveOutput(call, target, tpmLimit - (await inputTokens()))
    if (reserved.forwardedMaximum) edits.set(reserved.forwardedMaximum.field, String(reserved.forwardedMaximum.tokens))
    const amount = (await inputTokens()) + reserved.tokens
    claims.push({ id: `${caller.keyId}/tpm`, unit: 'tokens', limit: tpmLimit, amount, windowMs })
  }

  const body = edits.size === 0 ? call.raw : editMembers(call.raw, call.members, edits)
  return { target, body, claims, inputTokens }
}

function countOnce(call: Call, counter: TokenCounter): () => Promise<number> {
  let counted: Promise<number> | undefined
  return () => {
    const { texts, fixedTokens } = call.dialect.inputOf(call.body)
    counted ??= counter.count(texts).then((tokens) => tokens + fixedTokens)
    return counted
  }
}

/**
 * The most that the answer can take. A call that declares no maximum may take the model's own; where the key's whole
 * minute is smaller than that, the forwarded maximum is set to what a minute holds, or the call could never run.
 */
function reserveOutput(
  call: Call, target: Target, room: number,
): { tokens: number; forwardedMaximum?: { field: string; tokens: number } } {
  const choices = call.dialect.choicesOf(call.body)
  const { field, tokens: declared } = call.dialect.maxOutputOf(call.body)
  if (declared !== null) return { tokens: declared * choices }
  const most = target.maxOutputTokens ?? unknownMaxOutput
  const fits = Math.floor(room / choices)
  if (fits < 1 || fits >= most) return { tokens: most * choices }
  return { tokens: fits * choices, forwardedMaximum: { field, tokens: fits } }
}
