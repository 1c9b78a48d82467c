import type { Admitted } from '../../admission/index.js'
import type { EntryCheck, EntryOutcome, NewReceipt, ReceiptDraft } from '../../ledger/index.js'
import { scopeIdsOf } from '../../modules/keys/index.js'
import type { TokenUsage } from '../../providers/index.js'
import type { Answer } from '../answer.js'
import type { Attempt } from '../plan/reservation.js'
import { admissionChecks } from './guard.js'

/** What came of a call, beside the call itself. */
export interface ReceiptFacts {
  admittedAtMs: number
  latencyMs: number | null
  checks: EntryCheck[]
  answer: Pick<Answer, 'status' | 'upstreamModel' | 'firstByteMs' | 'commitment'> & {
    outcome: EntryOutcome
  }
  usage: Omit<TokenUsage, 'cacheWriteTokens'>
  costNanos: number
}

/** `ts` is the moment of admission: limits, budgets and usage all count a call when it was let in. */
export function writeReceipt(attempt: Attempt, facts: ReceiptFacts): NewReceipt {
  const { call, plan, reservation, commitmentKey } = attempt
  const { tenantId, keyId, userId, teamId } = scopeIdsOf(attempt.entitlements)
  const { answer, usage } = facts
  const draft: ReceiptDraft = {
    id: call.id,
    ts: new Date(facts.admittedAtMs).toISOString(),
    kind: 'model',
    key: keyId,
    provider: reservation.target.provider.name,
    model: call.model,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedTokens: usage.cachedTokens,
    costNanos: facts.costNanos,
    stream: call.stream,
    status: answer.status,
    outcome: answer.outcome,
    request: attempt.commitment,
    policies: plan.policies,
    checks: facts.checks,
  }
  if (userId !== null) draft.user = userId
  if (teamId !== null) draft.team = teamId
  if (facts.latencyMs !== null) draft.latencyMs = Math.round(facts.latencyMs)
  if (answer.upstreamModel !== null) draft.upstream = answer.upstreamModel
  if (answer.firstByteMs !== null) draft.firstTokenMs = Math.round(answer.firstByteMs)
  if (answer.commitment !== null) draft.response = answer.commitment
  if (plan.packs.length > 0) draft.packs = [...plan.packs]
  if (plan.prompt !== null) {
    draft.promptId = plan.prompt.id
    draft.promptVersion = plan.prompt.version
  }
  return { tenantId, commitmentKey, draft }
}

/** The receipt for the case that this process dies before the call has ended: nobody will know more of it than this. */
export function writeInterrupted(
  attempt: Attempt,
  { atMs, grantedNanos }: Pick<Admitted, 'atMs' | 'grantedNanos'>,
): NewReceipt {
  const { inputTokens, outputTokens, costNanos } = attempt.reservation.worstCase
  return writeReceipt(attempt, {
    admittedAtMs: atMs,
    latencyMs: null,
    checks: admissionChecks(attempt.reservation, true),
    answer: {
      outcome: 'interrupted',
      status: 500,
      upstreamModel: null,
      firstByteMs: null,
      commitment: null,
    },
    usage: { inputTokens, outputTokens, cachedTokens: 0 },
    costNanos: grantedNanos ?? costNanos,
  })
}
