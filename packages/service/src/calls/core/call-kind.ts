import type { Counts, Price } from '@tallystick/record/pricing'
import type { Principal } from '../../http/index.js'
import type { Admitted, Hold, RefusedBySpend, RefusedByWindow } from '../../limits/index.js'
import type { EntryCheck, NewReceipt, ReceiptDraft } from '../../record/index.js'
import type { CaptureSettings } from '../../resources/content/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import type { ApiError } from '../../shared/errors.js'
import type { LimitClaims } from './admission/limit-claims.js'
import type { CallTrace } from './call-trace.js'
import type { CallLabels } from './request/call-labels.js'
import type { Stages } from './stages.js'

/** The caller that waits for the answer to a call. */
export interface WaitingCaller {
  /** True once the caller has disconnected. */
  isGone(): boolean
}

/** What is known about a call so far. Logs, metrics and traces use it, however the call ends. */
export interface CallProgress {
  /** The times of the current attempt. */
  stages: Stages
  /** Null when traces are off. */
  trace: CallTrace | null
  entitlements: Entitlements | null
  call: (CallLabels & { id: string }) | null
  /** True once the call was reported, so that an error sent to the caller afterwards is not reported again. */
  isReported: boolean
}

/** The types of one kind of call, in the order in which the pipeline creates their values. */
export interface CallTypes {
  /** The incoming request. */
  request: { principal: Principal; caller: WaitingCaller; progress: CallProgress }
  /** The request after parsing and validation. */
  call: CallLabels & { id: string }
  /** Captures the content of the call. */
  content: unknown
  /** The decisions that are made once for a call. */
  plan: unknown
  /** One attempt before its admission. */
  attempt: ReceivedCall<CallTypes> & { number: number }
  /** The most that an attempt may use. */
  reservation: LimitClaims
  /** The attempt, limited to what the granted money pays for. */
  grant: unknown
  /** The request after policies have judged and changed it. */
  judged: JudgedRequest
  /** How an attempt ended. The caller has not seen the end of it yet. */
  answer: unknown
  usage: { counts: Counts; costNanos: number }
  /** The return value of the pipeline. */
  delivered: unknown
}

/** A call together with its caller. */
export interface ReceivedCall<T extends CallTypes> {
  call: T['call']
  entitlements: Entitlements
  caller: T['request']['caller']
  commitmentKey: Buffer
  /** The commitment to the bytes that the caller sent. */
  commitment: string
  /** Null when the tenant does not capture content. */
  content: T['content'] | null
  progress: T['request']['progress']
}

export type PlannedCall<T extends CallTypes> = ReceivedCall<T> & { plan: T['plan'] }

/** An attempt that limits and budgets have decided about. They may have refused it. */
export type DecidedAttempt<T extends CallTypes> = T['attempt'] & Admission<T>

interface Admission<T extends CallTypes> {
  /** The entitlements at the time of admission. */
  entitlements: Entitlements
  reservation: T['reservation']
  /** Hash of the price entry in the record. */
  priceHash: string
  grant: T['grant']
  /** What to settle or release. Null when the attempt was refused, and when its hold is settled elsewhere, as for a line of a batch. */
  hold: Hold | null
  /** The time of the decision. NaN when a rate limit refused the attempt, which then has no receipt. */
  admittedAtMs: number
  /** Null when the attempt asked for no money or was granted none. */
  grantedNanos: number | null
}

/** The verdict of policies on a request. */
export interface JudgedRequest {
  refusal: ApiError | null
  /** Returns one check for each policy. Complete once the answer has been judged. */
  checks(): EntryCheck[]
}

/** Whether the caller is permitted to make the attempt, regardless of its cost. */
export interface Permission {
  checks: readonly EntryCheck[]
  refusal: ApiError | null
}

/** The checks and the answer of an attempt. */
export interface AnsweredAttempt<T extends CallTypes> {
  checks: EntryCheck[]
  answer: T['answer']
}

/** What a receipt adds to the attempt itself. */
export interface AttemptResult<T extends CallTypes> extends AnsweredAttempt<T> {
  usage: T['usage']
  latencyMs: number
}

/** An attempt that has ended. Its receipt is durable unless `fault` is set. */
export interface EndedAttempt<T extends CallTypes> extends AttemptResult<T> {
  attempt: DecidedAttempt<T>
  /** The receipt as it was written to the record. */
  draft: ReceiptDraft
  /** The number of the receipt. Null while the receipt waits in the spool, and when it could not be made durable. */
  seq: number | null
  /** Why the receipt could not be made durable. The caller receives this error instead of an answer. */
  fault: ApiError | null
}

/**
 * The steps of one kind of call. The pipeline decides when each step runs, what happens when it fails, and that every attempt is settled
 * and recorded exactly once.
 */
export interface CallKind<T extends CallTypes>
  extends PlanSteps<T>,
    AdmissionSteps<T>,
    AnswerSteps<T>,
    EndSteps<T> {
  /** Sends the answer to the caller. Called once the receipt is durable, or with a fault when it could not be made durable. */
  deliver(ended: EndedAttempt<T>): T['delivered']
  /** Called when the next attempt was not admitted. Delivers the answer of the last attempt, or throws the error. */
  deliverLast(ended: EndedAttempt<T>, error: unknown): T['delivered']
}

/** The steps before admission. They may throw; the call then leaves no receipt. */
export interface PlanSteps<T extends CallTypes> {
  read(request: T['request'], entitlements: Entitlements): Promise<T['call']>
  /** Returns the bytes that the caller sent. The receipt contains a commitment to them. */
  sentBytesOf(call: T['call']): Buffer
  /** Called when the tenant captures content. */
  captureContent(options: CaptureSettings, call: T['call'], entitlements: Entitlements): T['content']
  plan(received: ReceivedCall<T>): Promise<T['plan']>
  firstAttempt(planned: PlannedCall<T>, request: T['request']): Promise<T['attempt']>
  /** Returns the next attempt. Null, or a promise of null, when the answer of the last attempt is final. */
  nextAttempt(ended: EndedAttempt<T>): Promise<T['attempt'] | null> | null
}

/** The steps of admission. An error in the first five ends the call without a receipt. An error in the others ends the attempt with one. */
export interface AdmissionSteps<T extends CallTypes> {
  priceOf(attempt: T['attempt']): Price
  /**
   * Returns the most that the attempt may use and what it claims from each limit. `now` decides which period of a budget applies. The
   * reservation must not be coarse unless `mayBeCoarse` is set.
   */
  reserve(
    attempt: T['attempt'],
    entitlements: Entitlements,
    now: Date,
    mayBeCoarse?: boolean,
  ): Promise<T['reservation']>
  /** Limits the attempt to the granted money. Null grants everything that was requested. */
  grant(reservation: T['reservation'], nanos: number | null): T['grant']
  /** Returns the receipt that is recorded if this process dies before the attempt has ended. */
  writeInterrupted(attempt: DecidedAttempt<T>): NewReceipt
  /** Returns the error for an attempt that a rate limit refused. */
  createRateLimitError(attempt: DecidedAttempt<T>, decision: RefusedByWindow): ApiError
  /** Returns the error for an attempt that a budget refused. */
  createBudgetError(attempt: DecidedAttempt<T>, decision: RefusedBySpend): ApiError
  permit(attempt: DecidedAttempt<T>): Permission
}

/** The steps from admission to the answer. An error ends the attempt, which is recorded. `refuse` and `abandon` never throw. */
export interface AnswerSteps<T extends CallTypes> {
  /** Called before the other steps, including when a budget refuses the attempt. */
  onDecided?(attempt: DecidedAttempt<T>, decision: Admitted | RefusedBySpend): void
  /** Called when a budget refuses the attempt. Runs the policies whose refusal takes precedence over an exhausted budget. */
  judgeOverBudget?(attempt: DecidedAttempt<T>): Promise<T['judged']>
  judge(attempt: DecidedAttempt<T>): Promise<T['judged']>
  /** Sends the request. Resolves when the answer is complete or has failed. */
  forward(attempt: DecidedAttempt<T>, judged: T['judged']): Promise<T['answer']>
  /** Returns the answer of an attempt that was not forwarded, with an error of this service. */
  refuse(attempt: DecidedAttempt<T>, error: ApiError, outcome: 'blocked' | 'aborted'): T['answer']
  /** Returns the answer of an attempt whose caller disconnected before it was forwarded. */
  abandon(attempt: DecidedAttempt<T>): T['answer']
}

/** The steps after the answer. They never throw. */
export interface EndSteps<T extends CallTypes> {
  countUsage(attempt: DecidedAttempt<T>, answer: T['answer']): Promise<T['usage']> | T['usage']
  writeReceipt(attempt: DecidedAttempt<T>, result: AttemptResult<T>): NewReceipt
  /** Called when the reservation could not be settled. */
  onSettleFailed(attempt: DecidedAttempt<T>, error: unknown): void
  /** Called once for every attempt that was not refused by a rate limit, after its receipt was written. */
  onFinished(ended: EndedAttempt<T>): void
}
