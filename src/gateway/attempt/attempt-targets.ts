import { commitInTurns, newCommitmentKey, startStages } from '../../governed/index.js'
import type { Target } from '../../providers/index.js'
import { type CacheParts, openCache } from '../cache/answer-cache.js'
import { sentBytesOf } from '../call.js'
import type { PlannedCall } from '../plan/plan.js'
import { type AttemptFailure, Course } from '../routing/course.js'
import type { OrderParts } from '../routing/order-targets.js'
import type { FailureKind } from '../routing/route.js'
import type { TargetHealth } from '../routing/target-health.js'
import { type AttemptParts, attemptCall, type EndedAttempt } from './attempt.js'
import type { AttemptTerms } from './forward.js'

export interface CourseParts extends AttemptParts, CacheParts, Pick<OrderParts, 'random'> {
  health: TargetHealth
  /** Called when another attempt follows one that failed. Must not throw. */
  onFurtherAttempt(failed: Target, kind: FailureKind): void
}

/**
 * Tries the targets of a call, one after the other, until one answers: as long as its caller has seen nothing, waits for an answer, and
 * its terms allow another attempt. What the last attempt leaves is the answer, also where it failed.
 */
export async function attemptTargets(planned: PlannedCall, parts: CourseParts): Promise<EndedAttempt> {
  const course = new Course(planned.plan.course, parts.now, parts.random)
  let last: EndedAttempt | null = null
  for (let number = 1; ; number++) {
    const target = course.current
    const { mayGoOn } = course
    const patienceMs = course.patienceMs()
    const tried = number === 1 ? planned : await beginAgain(planned, parts)
    const cached = await openCache(tried, target, parts)
    const cache = cached === null || planned.recorded ? null : cached.isHit ? 'hit' : 'miss'
    const terms: AttemptTerms = { number, mayGoOn, patienceMs, cache }
    let ended: EndedAttempt
    try {
      ended = await attemptCall(tried, cached?.target ?? target, terms, parts)
    } catch (error) {
      // It was not let in. What failed before is the better answer.
      if (last === null) throw error
      return last
    }
    const { answer, fault } = ended
    if (fault === null) cached?.keep(ended)
    if (!cached?.isHit) reportTo(parts.health, target, tried, ended)
    const next = answer.failure === null || fault !== null ? null : course.next(answer.failure)
    if (next === null || !(await wait(next.delayMs, planned, parts))) return ended
    if (answer.failure !== null) parts.onFurtherAttempt(target, answer.failure.kind)
    last = ended
  }
}

/** A further attempt has times and a commitment of its own. */
async function beginAgain(planned: PlannedCall, { now, waitForTurn }: CourseParts): Promise<PlannedCall> {
  const { progress, call } = planned
  const nowMs = now()
  progress.stages = {
    ...startStages(nowMs),
    readMs: nowMs,
    receivedMs: nowMs,
    plannedMs: nowMs,
  }
  progress.trace = progress.nextTrace()
  const commitmentKey = newCommitmentKey()
  const commitment = await commitInTurns(commitmentKey, sentBytesOf(call), waitForTurn)
  return { ...planned, commitmentKey, commitment }
}

/**
 * What a caller did, or a policy, or this service, says nothing of the target, nor does a limit of the account that pays where that is the caller's own, or
 * where there is another; an error that is the request's fault says that it is there.
 */
function reportTo(
  health: TargetHealth,
  target: Target,
  { progress: { stages } }: PlannedCall,
  { answer }: EndedAttempt,
): void {
  if (answer.outcome === 'aborted' || answer.outcome === 'failed') return
  if (answer.failure !== null) {
    if (!isOfOneAccount(target, answer.failure)) health.failed(target, answer.failure)
  } else if (answer.upstreamStatus !== null) health.answered(target, stages.forwardedMs - stages.guardedMs)
}

function isOfOneAccount({ provider }: Target, { kind }: AttemptFailure): boolean {
  if (kind !== '429' && kind !== 'credential') return false
  if (provider.auth === 'caller') return true
  return provider.credentialCount > 1 && provider.credentials().some(({ status }) => status === 'active')
}

/** False when the caller leaves, or the service stops, before the time is over. */
function wait(ms: number, { caller }: PlannedCall, { shutdown }: CourseParts): Promise<boolean> {
  if (caller.isGone() || shutdown.fired()) return Promise.resolve(false)
  if (ms === 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      stopHearing()
      shutdown.remove(stop)
      resolve(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    const stopHearing = caller.onGone(stop)
    shutdown.add(stop)
  })
}
