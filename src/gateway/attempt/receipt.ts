import { admissionChecks, endedFor } from '../../governed/index.js'
import {
  attemptIdOf,
  type EntryCheck,
  type EntryOutcome,
  type NewReceipt,
  type ReceiptDraft,
  targetFact,
} from '../../ledger/index.js'
import { scopeIdsOf } from '../../modules/keys/index.js'
import { noTags } from '../../tags.js'
import type { Answer } from '../answer.js'
import type { ReservedUse } from '../plan/bounds.js'
import type { Attempt } from '../plan/reservation.js'
import { describeIssued } from './issued.js'
import type { CallUsage } from './settle.js'

/** What came of a call, beside the call itself. */
export interface ReceiptFacts {
  admittedAtMs: number
  latencyMs: number | null
  checks: EntryCheck[]
  answer: Pick<
    Answer,
    'status' | 'upstreamModel' | 'issued' | 'firstByteMs' | 'commitment' | 'exceeded' | 'error'
  > & {
    outcome: EntryOutcome
  }
  usage: CallUsage
}

/** The provider reports a use that cannot be, or that its price does not name. */
const doubtedUsage: EntryCheck = { name: 'usage', applicable: true, result: 'fail', action: 'flag' }

/** The provider answered with an error that it bills: the cost is what was reserved. */
const billedError: EntryCheck = { name: 'billed_error', applicable: true, result: 'fail', action: 'flag' }

/** What is to be said of a use in the receipt. */
export const usageChecks = ({ doubt, isBilledError }: CallUsage): EntryCheck[] => [
  ...(doubt === null ? [] : [doubtedUsage]),
  ...(isBilledError ? [billedError] : []),
]

/** `ts` is the moment of admission: limits, budgets and usage all count a call when it was let in. */
export function writeReceipt(attempt: Attempt, facts: ReceiptFacts): NewReceipt {
  const { call, plan, reservation, commitmentKey } = attempt
  const { tenantId, keyId, userId, teamId } = scopeIdsOf(attempt.entitlements)
  const { answer, usage } = facts
  const provider = reservation.target.provider.name
  // A route is no model: the one that it chose is what was asked for.
  const model = plan.route === null ? call.model : reservation.target.name
  const draft: ReceiptDraft = {
    id: attemptIdOf(call.id, attempt.number),
    ts: new Date(facts.admittedAtMs).toISOString(),
    kind: 'model',
    key: keyId,
    provider,
    model,
    ...targetFact({ provider, model }, reservation.target.model),
    inputTokens: usage.counts.input ?? 0,
    outputTokens: usage.counts.output ?? 0,
    cachedTokens: usage.counts.cached ?? 0,
    costNanos: usage.costNanos,
    counts: usage.counts,
    usage: usage.source,
    price: attempt.priceHash,
    stream: call.stream,
    status: answer.status,
    outcome: answer.outcome,
    request: attempt.commitment,
    policies: plan.policies,
    checks: [
      ...plan.skipped,
      ...facts.checks,
      ...(answer.exceeded === null ? [] : [endedFor(answer.exceeded)]),
      ...usageChecks(usage),
    ],
  }
  if (answer.outcome === 'failed') draft.fault = answer.error?.serviceFault ?? 'internal'
  if (attempt.number > 1) {
    draft.call = call.id
    draft.attempt = attempt.number
  }
  if (call.batch !== null) {
    draft.batch = call.batch.id
    draft.line = call.batch.line
  }
  if (plan.route !== null) draft.route = plan.route.name
  if (usage.tier !== null) draft.tier = usage.tier
  if (userId !== null) draft.user = userId
  if (teamId !== null) draft.team = teamId
  if (call.session !== null) draft.session = call.session
  if (call.agent !== null) draft.agent = call.agent
  if (call.tags !== noTags && Object.keys(call.tags).length > 0) draft.tags = call.tags
  if (facts.latencyMs !== null) draft.latencyMs = Math.round(facts.latencyMs)
  if (answer.upstreamModel !== null) draft.upstream = answer.upstreamModel
  if (reservation.target.isCached) draft.cache = 'hit'
  if (answer.firstByteMs !== null) draft.firstTokenMs = Math.round(answer.firstByteMs)
  if (answer.commitment !== null) draft.response = answer.commitment
  if (attempt.content !== null) draft.content = attempt.content.mode
  if (plan.packs.length > 0) draft.packs = [...plan.packs]
  if (plan.prompt !== null) {
    draft.promptId = plan.prompt.id
    draft.promptVersion = plan.prompt.version
  }
  const issued = describeIssued(answer, attempt)
  return { tenantId, commitmentKey, draft, ...(issued && { issued }) }
}

/** The receipt for the case that this process dies before the call has ended: nobody will know more of it than this. */
export function writeInterrupted(attempt: Attempt, reserved: ReservedUse, admittedAtMs: number): NewReceipt {
  return writeReceipt(attempt, {
    admittedAtMs,
    latencyMs: null,
    checks: admissionChecks(attempt.reservation, { overBudget: null }),
    answer: {
      outcome: 'interrupted',
      status: 500,
      upstreamModel: null,
      issued: [],
      firstByteMs: null,
      commitment: null,
      exceeded: null,
      error: null,
    },
    usage: { ...reserved, source: 'reserved', doubt: null, isBilledError: false },
  })
}
