import {
  attemptIdOf,
  type EntryCheck,
  type EntryOutcome,
  type NewReceipt,
  type ReceiptDraft,
  targetField,
} from '../../../record/index.js'
import { scopeIdsOf } from '../../../resources/keys/index.js'
import { noTags } from '../../../shared/tags.js'
import { admissionChecks, cutShortCheck } from '../../core/index.js'
import type { Answer } from '../answer.js'
import type { ReservedAttempt } from '../plan/reservation.js'
import type { DecidedModelAttempt } from './attempt.js'
import type { CallUsage } from './count-usage.js'
import { describeIssued } from './issued-ids.js'

/** An attempt that limits and budgets have decided on. */
type RecordedAttempt = ReservedAttempt & Pick<DecidedModelAttempt, 'grant' | 'admittedAtMs'>

/** The result of an attempt. */
export interface ModelResult {
  latencyMs: number | null
  checks: EntryCheck[]
  answer: Pick<
    Answer,
    'status' | 'receiptFields' | 'issued' | 'firstByteMs' | 'commitment' | 'exceeded' | 'error'
  > & {
    outcome: EntryOutcome
  }
  usage: CallUsage
}

/** Recorded when the reported usage is implausible or not fully priced. */
const doubtedUsage: EntryCheck = { name: 'usage', applicable: true, result: 'fail', action: 'flag' }

/** Recorded when the provider answered with an error that it bills. The cost is what was reserved. */
const billedError: EntryCheck = { name: 'billed_error', applicable: true, result: 'fail', action: 'flag' }

/** Returns the checks about the usage for the receipt. */
export const usageChecks = ({ doubt, isBilledError }: CallUsage): EntryCheck[] => [
  ...(doubt === null ? [] : [doubtedUsage]),
  ...(isBilledError ? [billedError] : []),
]

/** Writes the receipt. Its `ts` is the time of admission, because limits, budgets and usage all count a call from then. */
export function writeReceipt(attempt: RecordedAttempt, result: ModelResult): NewReceipt {
  const { call, plan, reservation, commitmentKey } = attempt
  const { tenantId, keyId, userId, teamId } = scopeIdsOf(attempt.entitlements)
  const { answer, usage } = result
  const provider = reservation.target.provider.name
  // For a route, the model that it chose is recorded as the requested one.
  const model = plan.route === null ? call.model : reservation.target.name
  const draft: ReceiptDraft = {
    id: attemptIdOf(call.id, attempt.number),
    ts: new Date(attempt.admittedAtMs).toISOString(),
    kind: 'model',
    key: keyId,
    provider,
    model,
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
      ...result.checks,
      ...(answer.exceeded === null ? [] : [cutShortCheck(answer.exceeded)]),
      ...usageChecks(usage),
    ],
  }
  // Members are assigned, because an object that is written with spreads is several times as slow.
  Object.assign(draft, targetField({ provider, model }, reservation.target.model), answer.receiptFields)
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
  if (result.latencyMs !== null) draft.latencyMs = Math.round(result.latencyMs)
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
  return issued ? { tenantId, commitmentKey, draft, issued } : { tenantId, commitmentKey, draft }
}

/** Returns the receipt that is recorded if this process dies before the attempt has ended. */
export function writeInterrupted(attempt: RecordedAttempt): NewReceipt {
  const { counts, tier, costNanos } = attempt.grant.reserved
  return writeReceipt(attempt, {
    latencyMs: null,
    checks: admissionChecks(attempt.reservation, { overBudget: null }),
    answer: {
      outcome: 'interrupted',
      status: 500,
      receiptFields: {},
      issued: [],
      firstByteMs: null,
      commitment: null,
      exceeded: null,
      error: null,
    },
    usage: { counts, tier, costNanos, source: 'reserved', doubt: null, isBilledError: false },
  })
}
