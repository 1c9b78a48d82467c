import { modelPoliciesOf, type PolicyJudge } from '../../policies/index.js'
import type { Target, TokenCounter } from '../../providers/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { ApiError } from '../../shared/errors.js'
import {
  budgetExceeded,
  type CallKind,
  outcomeOf,
  type PipelineParts,
  rateLimitHeaders,
  receiptHeaders,
  stageEndsOf,
  windowRefusal,
} from '../core/index.js'
import { type Answer, callerGone, createEmptyAnswer } from './answer.js'
import type { DecidedModelAttempt, EndedModelAttempt, ModelTypes } from './attempt/attempt.js'
import { countUsage } from './attempt/count-usage.js'
import { describeFinishedAttempt, type FinishedModelAttempt } from './attempt/finished-attempt.js'
import { forward } from './attempt/forward/forward.js'
import type { ForwardParts } from './attempt/forward/forward-parts.js'
import { planFirstAttempt, planNextAttempt, type RetryParts } from './attempt/next-attempt.js'
import { permitModel } from './attempt/permit-model.js'
import { writeInterrupted, writeReceipt } from './attempt/receipt.js'
import { type Call, readCall, sentBytesOf } from './call.js'
import { CallContent } from './content.js'
import { isFinal } from './idempotency/final-answer.js'
import { makePlan, type PlanParts } from './plan/plan.js'
import { explainRequiredOutput, type ReservationParts, reserve } from './plan/reservation.js'
import { type JudgedRequest, judgePlannedRequest } from './policies/judge-request.js'
import type { TargetHealth } from './routing/target-health.js'

export interface ModelParts extends PipelineParts, PlanParts, ReservationParts, RetryParts, ForwardParts {
  now(): number
  health: TargetHealth
  tokens: TokenCounter
  policies: PolicyJudge
  onRateLimited(attempt: { entitlements: Entitlements; call: Call; target: Target }): void
  /** Called once for every attempt that has a receipt, after it was written. Must not throw. */
  onFinished(finished: FinishedModelAttempt): void
}

/**
 * The call kind of model calls. The plan decides once which targets the caller may use and in which order. Each attempt goes to one of
 * them. A stream is relayed as it arrives, except for its end.
 */
export function createModelKind(parts: ModelParts): CallKind<ModelTypes> {
  return {
    read: (request, { key }) =>
      readCall(request, request.endpoint, key.tags, {
        yieldToEventLoop: parts.yieldToEventLoop,
        charge: (bytes) => request.account.take(bytes),
      }),
    sentBytesOf,
    captureContent: (options, call, entitlements) => new CallContent(options, call, entitlements),
    plan: (received) => makePlan(received, parts),
    firstAttempt: (planned, { recorded }) =>
      planFirstAttempt(recorded === undefined ? planned : { ...planned, recorded }, parts),
    nextAttempt: (ended) => planNextAttempt(ended, parts),

    priceOf: ({ target }) => target.price,
    async reserve(attempt, entitlements, now, mayBeCoarse) {
      const { call, plan, target, progress } = attempt
      const reservation = await reserve({ call, entitlements, plan }, target, now, parts, mayBeCoarse)
      const { stages } = progress
      if (Number.isNaN(stages.reservedMs)) stages.reservedMs = parts.now()
      return reservation
    },
    grant: (reservation, nanos) => reservation.within(nanos),
    writeInterrupted,
    createRateLimitError({ caller, entitlements, call, target, reservation }, decision) {
      caller.addHeaders(rateLimitHeaders(decision.limitStatuses))
      if (!decision.neverFits) parts.onRateLimited({ entitlements, call, target })
      return windowRefusal(decision, reservation.sizeAdvice(decision.refusedBy))
    },

    onDecided({ caller, target, number }, { limitStatuses }) {
      caller.addHeaders(rateLimitHeaders(limitStatuses))
      caller.addHeaders({
        'x-tallystick-model': target.name,
        'x-tallystick-attempts': String(number),
      })
    },
    createBudgetError: ({ reservation }, decision) =>
      budgetExceeded(decision, reservation, explainRequiredOutput(reservation)),
    permit: ({ target, entitlements, plan }) => permitModel(target, entitlements, plan.references),
    // A policy that forbids the model takes precedence over an exhausted budget, because more money would not help.
    judgeOverBudget(attempt) {
      const selection = modelPoliciesOf(attempt.plan.selection)
      return judgePlannedRequest(
        { ...attempt, plan: { ...attempt.plan, selection } },
        attempt.grant.body,
        parts,
      )
    },
    judge: (attempt) => judgePlannedRequest(attempt, attempt.grant.body, parts),
    forward: (attempt, judged) =>
      attempt.plan.selection.all.length === 0
        ? forward(attempt, judged, parts, judged.judge)
        : forwardJudged(attempt, judged, parts),

    refuse: ({ caller }, error, outcome) =>
      createEmptyAnswer(
        caller,
        { outcome: outcomeOf(error, outcome), status: error.status, error },
        'nothing',
      ),
    abandon({ caller }) {
      const answer = createEmptyAnswer(caller, callerGone, 'nothing')
      if (caller.isStalled?.()) answer.exceeded = 'reader'
      return answer
    },
    countUsage: (attempt, answer) => countUsage(answer, attempt, attempt.grant, parts.tokens),
    writeReceipt(attempt, result) {
      const receipt = writeReceipt(attempt, result)
      receipt.stageEnds = stageEndsOf(attempt.progress.stages)
      return receipt
    },
    onSettleFailed: ({ caller }, error) =>
      caller.log.error(
        { err: error },
        'a call could not be settled: its reservation counts until it expires',
      ),
    onFinished: (ended) => parts.onFinished(describeFinishedAttempt(ended)),

    deliver,
    // The answer of the earlier attempt is more useful than the refusal of the next one.
    deliverLast: deliver,
  }

  function deliver({ attempt, answer, usage, seq, fault }: EndedModelAttempt): undefined {
    const { caller, content, number } = attempt
    if (fault !== null) {
      answer.withhold(fault)
      return
    }
    answer.release(receiptHeaders(usage.costNanos, seq))
    if (isFinal(answer)) caller.remember?.()
    content?.keep(answer, number, parts.contentCapture)
  }
}

/** Forwards a judged request. Text that policies added must be covered by the reservation. */
async function forwardJudged(
  attempt: DecidedModelAttempt,
  { body, headers, judge, redacted }: JudgedRequest,
  parts: ForwardParts,
): Promise<Answer> {
  const { grant, caller } = attempt
  if (body !== grant.body) {
    const changed = await grant.replaceBody(body)
    if (changed === null) return createEmptyAnswer(caller, blockedBy(tooLong), 'nothing')
    attempt.grant = { ...grant, ...changed }
  }
  const answer = await forward(attempt, { body: attempt.grant.body, headers }, parts, judge)
  if (answer.outcome === 'ok' && redacted()) answer.outcome = 'redacted'
  return answer
}

const tooLong = new ApiError('budget_exceeded', 'Policies made this request longer than its budget pays for')

const blockedBy = (error: ApiError) => ({ outcome: 'blocked' as const, status: error.status, error })
