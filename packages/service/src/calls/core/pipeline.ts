import { type Principal, toApiError } from '../../http/index.js'
import type { Admitted, RefusedBySpend } from '../../limits/index.js'
import type { Ledger } from '../../record/index.js'
import type { ContentCapture } from '../../resources/content/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { type ApiError, databaseUnavailable, serviceStopping, unauthorized } from '../../shared/errors.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import { type AdmitParts, admitAttempt } from './admission/admit-attempt.js'
import { guard } from './admission/guard.js'
import type {
  AnsweredAttempt,
  CallKind,
  CallTypes,
  DecidedAttempt,
  EndedAttempt,
  EndSteps,
  PlannedCall,
  ReceivedCall,
} from './call-kind.js'
import { recordReceipt, requireRecord } from './record-receipt.js'
import { commitYielding, newCommitmentKey } from './request/commitment.js'
import type { ShutdownSignal } from './shutdown-signal.js'

export interface PipelineParts extends AdmitParts {
  /** Returns what the key of a principal may use. Null when the key was revoked in the meantime. */
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  /**
   * Waits briefly while another process may be admitting calls that this process does not see. Returns false if that does not end.
   * Asked for each call, because the lock is checked less while there are none.
   */
  waitUntilMayServe(): Promise<boolean>
  ledger: Pick<Ledger, 'append' | 'available' | 'faultOf'>
  contentCapture: Pick<ContentCapture, 'settingsFor' | 'add'>
  shutdown: ShutdownSignal
  yieldToEventLoop: YieldToEventLoop
  /** The monotonic clock, in milliseconds. */
  now(): number
}

/**
 * Runs one call of any kind.
 *
 *   receive    find out who calls and what they may use; read the request
 *   plan       decide once about targets, prompt and policies
 *   attempt    once, and again while the kind has another way to get an answer
 *     admit      claim from all rate limits and budgets or from none; store the attempt as an open call
 *     guard      check the user, the permission for the model or tool, the budget and the policies
 *     forward    send the request to the provider or MCP server
 *     settle     replace the reservation by the actual usage
 *     record     make the receipt durable
 *   deliver    send the answer, or the end of it, to the caller
 *
 * A call that is refused before admission or by a rate limit leaves no receipt. Every other attempt leaves exactly one.
 *
 * When the caller disconnects, the attempt is still settled and recorded. Before the request is forwarded, it ends as aborted and costs
 * nothing. Afterwards it costs what was used until the kind could stop it.
 */
export async function runCall<T extends CallTypes>(
  kind: CallKind<T>,
  request: T['request'],
  parts: PipelineParts,
): Promise<T['delivered']> {
  const planned = await planCall(kind, request, parts)
  let ended = await runAttempt(kind, await kind.firstAttempt(planned, request), parts)
  for (;;) {
    const planning = kind.nextAttempt(ended)
    const next = planning === null ? null : await planning
    if (next === null) return kind.deliver(ended)
    try {
      ended = await runAttempt(kind, next, parts)
    } catch (error) {
      return kind.deliverLast(ended, error)
    }
  }
}

/** Runs the first two steps of a call: receive and plan. */
export async function planCall<T extends CallTypes>(
  kind: CallKind<T>,
  request: T['request'],
  parts: PipelineParts,
): Promise<PlannedCall<T>> {
  const received = await receive(kind, request, parts)
  const { stages } = request.progress
  stages.receivedMs = parts.now()
  const plan = await kind.plan(received)
  stages.plannedMs = parts.now()
  return Object.assign(received, { plan })
}

async function receive<T extends CallTypes>(
  kind: CallKind<T>,
  request: T['request'],
  { now, entitlementsOf, ledger, waitUntilMayServe, contentCapture, yieldToEventLoop }: PipelineParts,
): Promise<ReceivedCall<T>> {
  const { caller, progress, principal } = request
  progress.stages.readMs = now()
  const entitlements = await entitlementsOf(principal)
  if (entitlements === null) throw unauthorized()
  progress.entitlements = entitlements
  const call = await kind.read(request, entitlements)
  progress.call = call
  requireRecord(ledger, entitlements.tenantId)
  if (!(await waitUntilMayServe()))
    throw databaseUnavailable('Another process may be serving this database; nothing was forwarded')
  const commitmentKey = newCommitmentKey()
  const commitment = await commitYielding(commitmentKey, kind.sentBytesOf(call), yieldToEventLoop)
  const capture = await contentCapture.settingsFor(entitlements.tenantId)
  const content = capture && kind.captureContent(capture, call, entitlements)
  return { call, entitlements, caller, commitmentKey, commitment, content, progress }
}

/** Runs one attempt from admission to receipt. Throws when a rate limit refuses it; nothing was forwarded then, and there is no receipt. */
async function runAttempt<T extends CallTypes>(
  kind: CallKind<T>,
  planned: T['attempt'],
  parts: PipelineParts,
): Promise<EndedAttempt<T>> {
  const { attempt, decision, fault } = await admitAttempt(kind, planned, parts)
  attempt.progress.stages.admittedMs = parts.now()
  if (!decision.admitted && decision.reason === 'window') throw kind.createRateLimitError(attempt, decision)

  // From here on no step may throw, so that the attempt is settled and recorded exactly once.
  const answered = await answerAttempt(kind, attempt, decision, fault, parts)
  return await endAttempt(kind, attempt, answered, parts)
}

/** Guards an attempt and forwards it, unless there was a fault of this service. Never rejects. */
async function answerAttempt<T extends CallTypes>(
  kind: CallKind<T>,
  attempt: DecidedAttempt<T>,
  decision: Admitted | RefusedBySpend,
  fault: ApiError | null,
  { now, shutdown }: PipelineParts,
): Promise<AnsweredAttempt<T>> {
  try {
    kind.onDecided?.(attempt, decision)
    const overBudget = decision.admitted ? null : kind.createBudgetError(attempt, decision)
    const { checks, refusal } = guard(attempt, kind.permit(attempt), { overBudget })
    const obstacle = fault ?? refusal
    if (obstacle !== null) {
      const judged =
        obstacle === overBudget && kind.judgeOverBudget ? await kind.judgeOverBudget(attempt) : null
      const answer = kind.refuse(attempt, judged?.refusal ?? obstacle, 'blocked')
      return { checks: judged === null ? checks : [...checks, ...judged.checks()], answer }
    }
    const judged = await kind.judge(attempt)
    attempt.progress.stages.guardedMs = now()
    const answer = await forwardAttempt(kind, attempt, judged, shutdown)
    return { checks: [...checks, ...judged.checks()], answer }
  } catch (error) {
    return { checks: [], answer: kind.refuse(attempt, toApiError(error), 'blocked') }
  }
}

/** Forwards a judged attempt, unless a policy refused it, its caller has disconnected, or the service is stopping. */
async function forwardAttempt<T extends CallTypes>(
  kind: CallKind<T>,
  attempt: DecidedAttempt<T>,
  judged: T['judged'],
  shutdown: ShutdownSignal,
): Promise<T['answer']> {
  if (judged.refusal !== null) return kind.refuse(attempt, judged.refusal, 'blocked')
  if (attempt.caller.isGone()) return kind.abandon(attempt)
  if (shutdown.fired()) return kind.refuse(attempt, serviceStopping(), 'aborted')
  return await kind.forward(attempt, judged)
}

/** Settles an attempt and writes its receipt. Also called for lines of batches, which another process may have admitted. */
export async function endAttempt<T extends CallTypes>(
  kind: EndSteps<T>,
  attempt: DecidedAttempt<T>,
  { checks, answer }: AnsweredAttempt<T>,
  { now, admission, ledger }: Pick<PipelineParts, 'now' | 'admission'> & { ledger: Pick<Ledger, 'append'> },
): Promise<EndedAttempt<T>> {
  const { progress, hold } = attempt
  const { stages } = progress
  const endedMs = now()
  if (Number.isNaN(stages.guardedMs)) stages.guardedMs = endedMs
  const latencyMs = endedMs - stages.readMs

  const usage = await kind.countUsage(attempt, answer)
  const { input = 0, output = 0 } = usage.counts
  if (hold !== null) {
    // The receipt is written even when the limit store cannot be reached. The reservation then expires with its window.
    try {
      await admission.settle(hold, { tokens: input + output })
    } catch (error) {
      kind.onSettleFailed(attempt, error)
    }
  }
  stages.settledMs = now()

  const receipt = kind.writeReceipt(attempt, { checks, answer, usage, latencyMs })
  const { seq, fault } = await recordReceipt(receipt, ledger)
  stages.recordedMs = now()
  progress.isReported = true
  const ended = { attempt, checks, answer, usage, latencyMs, draft: receipt.draft, seq, fault }
  kind.onFinished(ended)
  return ended
}
