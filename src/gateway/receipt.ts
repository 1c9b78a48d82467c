import type { Caller } from '../http/index.js'
import type { EntryCheck, EntryOutcome, NewReceipt } from '../ledger/index.js'
import type { TokenUsage } from '../providers/index.js'
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
  outcome: EntryOutcome
  status: number
  checks: EntryCheck[]
  usage: TokenUsage
  costMicros: number
  upstreamModel: string | null
  firstByteMs: number | null
  response: string | null
}

/** `ts` is the moment of admission: limits, budgets and usage all count a call when it was let in. */
export function writeReceipt(facts: ReceiptFacts): NewReceipt {
  const { call, caller, plan, usage, commitmentKey } = facts
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
      ...(facts.upstreamModel !== null && { upstream: facts.upstreamModel }),
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cachedTokens: usage.cachedTokens,
      costMicros: facts.costMicros,
      latencyMs: Math.round(facts.latencyMs),
      ...(facts.firstByteMs !== null && { firstTokenMs: Math.round(facts.firstByteMs) }),
      stream: call.stream,
      status: facts.status,
      outcome: facts.outcome,
      request: commitTo(commitmentKey, call.raw),
      ...(facts.response !== null && { response: facts.response }),
      checks: facts.checks,
    },
  }
}
