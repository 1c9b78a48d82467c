import type { Admitted, RefusedBySpend } from '../../admission/index.js'
import { ApiError } from '../../errors.js'
import {
  budgetExceeded,
  type CallTrace,
  formatUsd,
  outcomeOf,
  rateLimitHeaders,
  recordReceipt,
  type Stages,
  stageEndsOf,
  windowRefusal,
} from '../../governed/index.js'
import { toApiError } from '../../http/index.js'
import type { EntryCheck, Ledger, ReceiptDraft } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import { modelPoliciesOf, type PolicyJudge } from '../../modules/policies/index.js'
import type { Target, TokenCounter } from '../../providers/index.js'
import { type Answer, withoutAnswer } from '../answer.js'
import type { Call } from '../call.js'
import type { Caller } from '../caller.js'
import { type JudgedRequest, judgePlannedRequest } from '../judged/request.js'
import type { ReservedUse } from '../plan/bounds.js'
import type { PlannedCall } from '../plan/plan.js'
import { type Attempt, type GrantedCall, outputDemand } from '../plan/reservation.js'
import { type AdmitParts, admit } from './admit.js'
import { type AttemptTerms, type ForwardParts, forward } from './forward.js'
import { guard } from './guard.js'
import { answerIdOf } from './issued.js'
import { writeReceipt } from './receipt.js'
import { type CallUsage, countUsage, settle } from './settle.js'

export interface AttemptParts extends AdmitParts, ForwardParts {
  tokens: TokenCounter
  policies: PolicyJudge
  ledger: Pick<Ledger, 'append' | 'available' | 'faultOf'>
  onRateLimited(attempt: { entitlements: Entitlements; call: Call; target: Target }): void
  /** Called once for every attempt that was let in, when its receipt was written. Must not throw. */
  onFinished(finished: FinishedCall): void
}

/** All that is known of a call when it has ended: what logs, metrics and traces are made of. */
export interface FinishedCall {
  call: Call
  entitlements: Entitlements
  target: Target
  /** The receipt, as it was given to the record. */
  draft: ReceiptDraft
  /** Its number. Null while it waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why the receipt could not be made durable. Then the caller got this error instead of an answer. */
  fault: ApiError | null
  /** Why there was no answer, or not all of it. Null when there was, also where it is the provider's own error. */
  error: ApiError | null
  stages: Stages
  trace: CallTrace | null
  /** Until the end of the answer, from when all of the request was here. */
  latencyMs: number
  /** Until the first byte of the answer. Null when there was none. */
  firstByteMs: number | null
  /** What the provider answered with; null when it did not answer, or was not asked. */
  upstreamStatus: number | null
  /** The provider's id of its answer; null where it issued none. */
  answerId: string | null
  /** Why the provider's count cannot be right. */
  doubt: CallUsage['doubt']
  /** Whether the cache of its route had an answer; null where none was asked. */
  cache: 'hit' | 'miss' | null
}

/** An attempt that has ended. Its receipt is durable, unless there is a fault. */
export interface EndedAttempt {
  /** Which one it was, from 1. */
  number: number
  answer: Answer
  headers: Record<string, string>
  fault: ApiError | null
  /** Less was asked for than the caller did: there was no money for more. */
  isLowered: boolean
}

/**
 * The call at one target, from its reservation to its receipt. Throws when it is not admitted: a rate limit refuses it, it is larger
 * than the limit itself, or the limits cannot be asked. Then nothing was forwarded, and there is no receipt.
 */
export async function attemptCall(
  planned: PlannedCall,
  target: Target,
  terms: AttemptTerms,
  parts: AttemptParts,
): Promise<EndedAttempt> {
  const { call, entitlements, caller, progress } = planned
  const { stages } = progress
  progress.target = target
  const { attempt, decision, fault, granted } = await admit(planned, target, terms.number, parts)
  stages.admittedMs = parts.now()
  caller.addHeaders(rateLimitHeaders(decision.standings))
  if (!decision.admitted && decision.reason === 'window') {
    if (!decision.never) parts.onRateLimited({ entitlements, call, target })
    throw windowRefusal(decision, attempt.reservation.sizeAdvice(decision.refusedBy))
  }

  caller.addHeaders({
    'x-tallystick-model': target.name,
    'x-tallystick-attempts': String(terms.number),
  })

  // From here on no step may throw: whatever happens, the attempt is settled and receipted, once.
  const { checks, answer, reserved } = await answerAttempt(
    { ...attempt, terms },
    decision,
    fault,
    granted,
    parts,
  )
  const endedMs = parts.now()
  if (Number.isNaN(stages.guardedMs)) stages.guardedMs = endedMs
  const latencyMs = endedMs - stages.readMs

  const usage = await countUsage(answer, attempt, reserved, parts.tokens)
  if (decision.admitted) await settle(decision.pass, usage.counts, parts.admission, caller.log)

  stages.settledMs = parts.now()

  const facts = { admittedAtMs: decision.atMs, latencyMs, checks, answer, usage }
  const receipt = { ...writeReceipt(attempt, facts), stageEnds: stageEndsOf(stages) }
  const { seq, fault: lost } = await recordReceipt(receipt, parts.ledger)
  stages.recordedMs = parts.now()
  progress.isTold = true
  parts.onFinished({
    call,
    entitlements: attempt.entitlements,
    target,
    draft: receipt.draft,
    seq,
    fault: lost,
    error: answer.error,
    stages,
    trace: progress.trace,
    latencyMs,
    firstByteMs: answer.firstByteMs,
    upstreamStatus: answer.upstreamStatus,
    answerId: answerIdOf(answer, attempt),
    doubt: usage.doubt,
    cache: terms.cache,
  })
  return {
    number: terms.number,
    answer,
    headers: lost ? {} : receiptHeaders(usage, seq),
    fault: lost,
    isLowered: decision.admitted && isLess(decision.grantedNanos, attempt.reservation),
  }
}

const isLess = (grantedNanos: number | null, { spend }: Attempt['reservation']): boolean =>
  grantedNanos !== null && spend !== null && grantedNanos < spend.maxNanos

/** Guards the attempt and forwards it. After a fault of this service nothing is forwarded. */
async function answerAttempt(
  attempt: Attempt & { terms: AttemptTerms },
  decision: Admitted | RefusedBySpend,
  fault: ApiError | null,
  granted: GrantedCall,
  parts: AttemptParts,
): Promise<{ checks: EntryCheck[]; answer: Answer; reserved: ReservedUse }> {
  const { reservation, entitlements, caller } = attempt
  try {
    const overBudget = decision.admitted
      ? null
      : budgetExceeded(decision, reservation, outputDemand(reservation))
    const { checks, refusal } = guard(reservation, entitlements, attempt.plan.references, { overBudget })
    if (refusal !== null && refusal === overBudget && fault === null) {
      const byModel = await judgeModel(attempt, granted, parts)
      const answer = refuse(byModel.refusal ?? overBudget, caller)
      return { checks: [...checks, ...byModel.checks()], answer, reserved: granted.reserved }
    }
    const obstacle = fault ?? refusal
    if (obstacle) return { checks, answer: refuse(obstacle, caller), reserved: granted.reserved }
    const judged = await judgePlannedRequest(attempt, granted.body, parts)
    attempt.progress.stages.guardedMs = parts.now()
    const changed = judged.body === granted.body ? granted : await granted.replaceBody(judged.body)
    const answer =
      judged.refusal !== null || changed === null
        ? refuse(judged.refusal ?? tooLong, caller)
        : await forward(attempt, { body: changed.body, headers: judged.headers }, parts, judged.judge)
    if (answer.outcome === 'ok' && judged.redacted()) answer.outcome = 'redacted'
    return { checks: [...checks, ...judged.checks()], answer, reserved: (changed ?? granted).reserved }
  } catch (error) {
    return { checks: [], answer: refuse(toApiError(error), caller), reserved: granted.reserved }
  }
}

/** A model that policies forbid is said before a budget that is spent: money would not help. */
function judgeModel(attempt: Attempt, { body }: GrantedCall, parts: AttemptParts): Promise<JudgedRequest> {
  const selection = modelPoliciesOf(attempt.plan.selection)
  return judgePlannedRequest({ ...attempt, plan: { ...attempt.plan, selection } }, body, parts)
}

const tooLong = new ApiError(
  'budget_exceeded',
  'What policies put into this request makes it longer than its budget pays for',
)

/** A refused call still counts as one request; it uses no tokens and costs nothing. */
const refuse = (error: ApiError, caller: Caller): Answer =>
  withoutAnswer(caller, { outcome: outcomeOf(error, 'blocked'), status: error.status, error }, 'nothing')

const receiptHeaders = ({ costNanos }: CallUsage, seq: number | null): Record<string, string> => ({
  'x-tallystick-cost-usd': formatUsd(costNanos),
  ...(seq !== null && { 'x-tallystick-receipt': String(seq) }),
})
