import type { BodyAccount } from '../../../http/index.js'
import type { Endpoint, Target } from '../../../providers/index.js'
import type { DecidedAttempt, EndedAttempt } from '../../core/index.js'
import type { Answer } from '../answer.js'
import type { CachedTarget } from '../cache/response-cache.js'
import type { Call, IncomingCall, ModelCallProgress } from '../call.js'
import type { Caller } from '../caller.js'
import type { CallContent } from '../content.js'
import type { Plan, PlannedModelCall } from '../plan/plan.js'
import type { GrantedCall, Reservation } from '../plan/reservation.js'
import type { JudgedRequest } from '../policies/judge-request.js'
import type { RetryPlan } from '../routing/retry-plan.js'
import type { CallUsage } from './count-usage.js'

/** An incoming model call, with the caller that waits for the answer. */
export interface ModelRequest extends IncomingCall {
  endpoint: Endpoint
  caller: Caller
  account: BodyAccount
  progress: ModelCallProgress
}

/** One attempt of a call at a target. */
export interface ModelAttempt extends PlannedModelCall {
  /** The number of the attempt, from 1. */
  number: number
  /** Where the attempt goes: to the provider, or to a cached response. */
  target: Target
  retryPlan: RetryPlan
  /** The response cache for this attempt. Null when it is not cached. */
  cached: CachedTarget | null
  /** Whether the response cache had an answer. Null when it was not asked. */
  cache: 'hit' | 'miss' | null
  /** Whether another attempt may follow, so that nothing is sent to the caller before there is content. */
  mayRetry: boolean
  /** How long to wait for content. Null when only the timeout of the provider applies. */
  contentTimeoutMs: number | null
}

/** The types of model calls. */
export interface ModelTypes {
  request: ModelRequest
  call: Call
  content: CallContent
  plan: Plan
  attempt: ModelAttempt
  reservation: Reservation
  grant: GrantedCall
  judged: JudgedRequest
  answer: Answer
  usage: CallUsage
  delivered: undefined
}

export type DecidedModelAttempt = DecidedAttempt<ModelTypes>
export type EndedModelAttempt = EndedAttempt<ModelTypes>
