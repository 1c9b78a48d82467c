import type { EntryCheck, NewReceipt, ReceiptDraft } from '../ledger/index.js'
import type { TokenUsage } from '../providers/index.js'
import type { Answer } from './answer.js'
import { commitTo } from './commitment.js'
import type { DecidedCall } from './forward.js'

/** What came of a call, beside the call itself. */
export interface ReceiptFacts {
  admittedAt: Date
  latencyMs: number
  checks: EntryCheck[]
  answer: Answer
  usage: TokenUsage
  costMicros: number
}

/** `ts` is the moment of admission: limits, budgets and usage all count a call when it was let in. */
export function writeReceipt(decided: DecidedCall, facts: ReceiptFacts): NewReceipt {
  const { call, caller, plan, commitmentKey } = decided
  const { answer, usage } = facts
  const draft: ReceiptDraft = {
    id: call.id,
    ts: facts.admittedAt.toISOString(),
    kind: 'model',
    key: caller.keyId,
    provider: plan.target.provider.name,
    model: call.model,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedTokens: usage.cachedTokens,
    costMicros: facts.costMicros,
    latencyMs: Math.round(facts.latencyMs),
    stream: call.stream,
    status: answer.status,
    outcome: answer.outcome,
    request: commitTo(commitmentKey, call.raw),
    policies: plan.policies,
    checks: facts.checks,
  }
  if (caller.userId !== null) draft.user = caller.userId
  if (caller.teamId !== null) draft.team = caller.teamId
  if (answer.upstreamModel !== null) draft.upstream = answer.upstreamModel
  if (answer.firstByteMs !== null) draft.firstTokenMs = Math.round(answer.firstByteMs)
  if (answer.commitment !== null) draft.response = answer.commitment
  if (plan.prompt !== null) {
    draft.promptId = plan.prompt.id
    draft.promptVersion = plan.prompt.version
  }
  return { tenantId: caller.tenantId, commitmentKey, draft }
}
