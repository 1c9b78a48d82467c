import type { Target } from '../../../providers/index.js'
import { commitYielding, newCommitmentKey, type ShutdownSignal, startStages } from '../../core/index.js'
import { type CacheParts, openCache } from '../cache/response-cache.js'
import { sentBytesOf } from '../call.js'
import type { PlannedModelCall } from '../plan/plan.js'
import type { OrderParts } from '../routing/order-targets.js'
import { type AttemptFailure, RetryPlan } from '../routing/retry-plan.js'
import type { FailureKind } from '../routing/retry-rules.js'
import type { TargetHealth } from '../routing/target-health.js'
import type { EndedModelAttempt, ModelAttempt } from './attempt.js'

export interface RetryParts extends CacheParts, Pick<OrderParts, 'random'> {
  health: TargetHealth
  shutdown: ShutdownSignal
  /** The monotonic clock, in milliseconds. */
  now(): number
  /** Called when another attempt follows one that failed. Must not throw. */
  onFurtherAttempt(failed: Target, kind: FailureKind): void
}

export function planFirstAttempt(planned: PlannedModelCall, parts: RetryParts): Promise<ModelAttempt> {
  return planAttempt(planned, new RetryPlan(planned.plan.attemptOptions, parts.now, parts.random), 1, parts)
}

/**
 * Plans another attempt after a failure, if the caller has seen nothing, is still waiting, and the route allows it. Null when the answer
 * of the last attempt is final.
 */
export function planNextAttempt(
  ended: EndedModelAttempt,
  parts: RetryParts,
): Promise<ModelAttempt | null> | null {
  const { attempt, answer, fault } = ended
  const { cached, retryPlan } = attempt
  const target = retryPlan.current
  if (fault === null) cached?.keep({ answer, isLowered: isLowered(attempt) })
  if (!cached?.isHit) reportHealth(parts.health, target, ended)
  if (answer.failure === null || fault !== null) return null
  const { kind } = answer.failure
  const step = retryPlan.next(answer.failure)
  return step && planRetry(attempt, step.delayMs, () => parts.onFurtherAttempt(target, kind), parts)
}

async function planAttempt(
  planned: PlannedModelCall,
  retryPlan: RetryPlan,
  number: number,
  parts: RetryParts,
): Promise<ModelAttempt> {
  const { current, mayRetry } = retryPlan
  const contentTimeoutMs = retryPlan.attemptTimeoutMs()
  const cached = await openCache(planned, current, parts)
  const target = cached?.target ?? current
  planned.progress.target = target
  const cache: ModelAttempt['cache'] =
    cached === null || planned.recorded ? null : cached.isHit ? 'hit' : 'miss'
  return Object.assign(planned, { number, target, retryPlan, cached, cache, mayRetry, contentTimeoutMs })
}

/** Plans a further attempt, with its own times and commitment. Null when the caller disconnects or the service stops during the delay. */
async function planRetry(
  last: ModelAttempt,
  delayMs: number,
  onRetry: () => void,
  parts: RetryParts,
): Promise<ModelAttempt | null> {
  if (!(await wait(delayMs, last, parts))) return null
  onRetry()
  const { progress, call, retryPlan, number } = last
  const nowMs = parts.now()
  progress.stages = { ...startStages(nowMs), readMs: nowMs, receivedMs: nowMs, plannedMs: nowMs }
  progress.trace = progress.nextTrace()
  const commitmentKey = newCommitmentKey()
  const commitment = await commitYielding(commitmentKey, sentBytesOf(call), parts.yieldToEventLoop)
  return await planAttempt({ ...last, commitmentKey, commitment }, retryPlan, number + 1, parts)
}

/** True when the maximum output was lowered because the budget did not pay for all of it. */
const isLowered = ({ grantedNanos, reservation: { spend } }: EndedModelAttempt['attempt']): boolean =>
  grantedNanos !== null && spend !== null && grantedNanos < spend.maxNanos

/**
 * Reports how the target did. Endings caused by the caller, a policy or this service say nothing about the target. Neither does a rate
 * limit of the caller's own account, or of one of several accounts. An error that is the request's fault shows that the target works.
 */
function reportHealth(
  health: TargetHealth,
  target: Target,
  { attempt: { progress }, answer }: EndedModelAttempt,
): void {
  if (answer.outcome === 'aborted' || answer.outcome === 'failed') return
  const { forwardedMs, guardedMs } = progress.stages
  if (answer.failure !== null) {
    if (!isOfOneAccount(target, answer.failure)) health.recordFailure(target, answer.failure)
  } else if (answer.upstreamStatus !== null) health.recordAnswer(target, forwardedMs - guardedMs)
}

function isOfOneAccount({ provider }: Target, { kind }: AttemptFailure): boolean {
  if (kind !== '429' && kind !== 'credential') return false
  if (provider.auth === 'caller') return true
  return provider.credentialCount > 1 && provider.credentials().some(({ status }) => status === 'active')
}

/** Waits. Resolves with false when the caller disconnects or the service stops before the time is over. */
function wait(ms: number, { caller }: PlannedModelCall, { shutdown }: RetryParts): Promise<boolean> {
  if (caller.isGone() || shutdown.fired()) return Promise.resolve(false)
  if (ms === 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      stopListening()
      shutdown.remove(stop)
      resolve(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    const stopListening = caller.onGone(stop)
    shutdown.add(stop)
  })
}
