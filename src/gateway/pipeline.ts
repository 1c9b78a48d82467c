import { databaseUnavailable, unauthorized } from '../errors.js'
import { commitInTurns, newCommitmentKey, requireRecord } from '../governed/index.js'
import type { BodyAccount, Principal } from '../http/index.js'
import type { ContentCapture } from '../modules/content/index.js'
import type { Entitlements } from '../modules/keys/index.js'
import type { Dialect } from '../providers/index.js'
import type { EndedAttempt } from './attempt/attempt.js'
import { attemptTargets, type CourseParts } from './attempt/attempt-targets.js'
import { type CallProgress, type IncomingCall, type ReceivedCall, readCall, sentBytesOf } from './call.js'
import type { Caller } from './caller.js'
import { CallContent } from './content.js'
import { makePlan, type PlannedCall, type PlanParts } from './plan/plan.js'
import { isFinal } from './repeats/final-answer.js'
import type { TargetHealth } from './routing/target-health.js'

export interface GatewayParts extends PlanParts, CourseParts {
  health: TargetHealth
  /** What the key of a principal may use; null when it was revoked meanwhile. */
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  /** False while another process may count calls that this one does not see. */
  mayServe(): boolean
  /** Waits a moment for it to be true again, and tells whether it is. */
  mayServeAgain(): Promise<boolean>
  contentCapture: Pick<ContentCapture, 'termsFor' | 'add'>
}

/**
 * The spine: one governed call, from who makes it to the end of its answer.
 *
 *   receive    who calls, what it may use, what it asks for
 *   plan       targets, prompt, policies, size of the input      plan/
 *   attempt    for a target, and for the next one while nothing has reached the caller    routing/, attempt/
 *     reserve    the worst case at the target's price
 *     admit      rate limits and budgets, all or none; written down as under way
 *     guard      user, allowed models, then policies             judged/
 *     forward    to the provider; a stream reaches the caller as it comes, except for its end    stream/
 *     settle     what was really used
 *     receipt    durable
 *   deliver    the answer, or the end of it
 */
export async function govern(
  incoming: IncomingCall,
  dialect: Dialect,
  caller: Caller,
  account: BodyAccount,
  progress: CallProgress,
  parts: GatewayParts,
): Promise<void> {
  const received = await receive(incoming, dialect, caller, account, progress, parts)
  const planned = { ...received, plan: await makePlan(received, parts) }
  progress.stages.plannedMs = parts.now()
  deliver(planned, await attemptTargets(planned, parts), parts)
}

async function receive(
  incoming: IncomingCall,
  dialect: Dialect,
  caller: Caller,
  account: BodyAccount,
  progress: CallProgress,
  { now, entitlementsOf, ledger, mayServe, mayServeAgain, waitForTurn, contentCapture }: GatewayParts,
): Promise<ReceivedCall> {
  progress.stages.readMs = now()
  const entitlements = await entitlementsOf(incoming.principal)
  if (entitlements === null) throw unauthorized()
  progress.entitlements = entitlements
  const call = await readCall(incoming, dialect, entitlements.key.tags, {
    waitForTurn,
    charge: (bytes) => account.take(bytes),
  })
  progress.call = call
  requireRecord(ledger, entitlements.tenantId)
  if (!mayServe() && !(await mayServeAgain()))
    throw databaseUnavailable('Another process may be serving this database; nothing was forwarded')
  const commitmentKey = newCommitmentKey()
  const commitment = await commitInTurns(commitmentKey, sentBytesOf(call), waitForTurn)
  const terms = await contentCapture.termsFor(entitlements.tenantId)
  const content = terms && new CallContent(terms, call, entitlements)
  progress.stages.receivedMs = now()
  const { recorded } = incoming
  return { call, entitlements, caller, commitmentKey, commitment, content, progress, recorded }
}

/** A complete answer is only seen by a caller whose receipt is durable. */
function deliver(
  { content, caller }: PlannedCall,
  { number, answer, headers, fault }: EndedAttempt,
  { contentCapture }: GatewayParts,
): void {
  if (fault === null) answer.release(headers)
  else answer.withhold(fault)
  if (fault === null && isFinal(answer)) caller.remember?.()
  if (fault === null) content?.keep(answer, number, contentCapture)
}
