import type { Caller } from '../http/index.js'
import type { EntryCheck, NewReceipt } from '../ledger/index.js'
import type { TokenUsage } from '../providers/index.js'
import type { Answer } from './answer.js'
import type { Call } from './call.js'
import { commitTo } from './commitment.js'
import type { Plan } from './plan.js'

export interface ReceiptFacts {
  call: Call
  caller: Caller
  plan: Plan
  commitmentKey: Buffer
  admittedAt: Date
  latencyMs: number
  checks: EntryCheck[]
  answer: Answer
  usage: TokenUsage
  costMicros: number
}

/** `ts` is the moment of admission: limits, budgets and usage all count a call when it was let in. */
export function writeReceipt(facts: ReceiptFacts): NewReceipt {
  const { call, caller, plan, answer, usage, commitmentKey } = facts
  return {
    tenantId: caller.tenantId,
    commitmentKey,
    draft: {
      id: call.id,
      ts: facts.admittedAt.toISOString(),
      kind: 'model',
      key: caller.keyId,
      ...(caller.userId !== null && { user: caller.userId }),
      ...(caller.teamId !== null && { team: caller.teamId }),
      provider: plan.target.provider.name,
      model: call.model,
      ...(answer.upstreamModel !== null && { upstream: answer.upstreamModel }),
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cachedTokens: usage.cachedTokens,
      costMicros: facts.costMicros,
      latencyMs: Math.round(facts.latencyMs),
      ...(answer.firstByteMs !== null && { firstTokenMs: Math.round(answer.firstByteMs) }),
      stream: call.stream,
      status: answer.status,
      outcome: answer.outcome,
      request: commitTo(commitmentKey, call.raw),
      ...(answer.commitment !== null && { response: answer.commitment }),
      ...(plan.prompt !== null && { promptId: plan.prompt.id, promptVersion: plan.prompt.version }),
      policies: plan.policies,
      checks: facts.checks,
    },
  }
}
