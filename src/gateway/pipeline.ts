import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdmissionStore, Admitted, Pass, Refused, RefusedBySpend } from '../admission/index.js'
import { ApiError, unauthorized, unavailable } from '../errors.js'
import { type Principal, principalOf, toApiError, toUsd } from '../http/index.js'
import type { EntryCheck, Ledger } from '../ledger/index.js'
import type { Entitlements } from '../modules/keys/index.js'
import type { PolicyJudge } from '../modules/policies/index.js'
import { costMicros, type Dialect, type TokenCounter, type TokenUsage } from '../providers/index.js'
import { type AdmitParts, admit } from './attempt/admit.js'
import { type Answer, withoutAnswer } from './attempt/answer.js'
import { type ForwardParts, forward } from './attempt/forward.js'
import { guard } from './attempt/guard.js'
import { writeReceipt } from './attempt/receipt.js'
import { type Call, readCall } from './call.js'
import { commitTo, newCommitmentKey } from './commitment.js'
import type { ArrivedCall, DecidedCall } from './decided-call.js'
import { formatUsd, rateLimitHeaders } from './headers.js'
import { judgePlannedRequest } from './judged/request.js'
import type { Plan } from './plan/plan.js'

export interface GatewayParts extends ForwardParts, AdmitParts {
  /** What the key of a principal may use; null when it may use nothing any more. */
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  policies: PolicyJudge
  ledger: Ledger
  /** False while another process may count calls that this one does not see. */
  mayServe(): boolean
  onRateLimited(entitlements: Entitlements, plan: Plan, call: Call): void
  onFinished(call: Call, plan: Plan, answer: { outcome: string; latencyMs: number }): void
}

const nothingUsed: TokenUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

/** The spine: one governed call from its key to its receipt. */
export async function govern(
  request: FastifyRequest,
  dialect: Dialect,
  reply: FastifyReply,
  parts: GatewayParts,
): Promise<void> {
  const startedMs = parts.now()
  const entitlements = await parts.entitlementsOf(principalOf(request))
  if (entitlements === null) throw unauthorized()
  const call = readCall(request, dialect)
  if (!parts.ledger.available())
    throw unavailable('The record cannot be written at the moment; nothing was forwarded')
  if (!parts.mayServe())
    throw unavailable('Another process may be serving this database; nothing was forwarded')

  const commitmentKey = newCommitmentKey()
  const commitment = commitTo(commitmentKey, call.raw)
  const arrived: ArrivedCall = { call, entitlements, reply, commitmentKey, commitment, startedMs }
  const { decided, decision, fault } = await admit(arrived, parts)
  const { plan } = decided
  reply.headers(rateLimitHeaders(decision.standings))
  if (!decision.admitted && decision.reason === 'window') {
    parts.onRateLimited(entitlements, plan, call)
    throw rateLimitExceeded(decision)
  }

  // Decided: from here on no step may throw, for whatever happens the call is settled and receipted, once.
  const { checks, answer } = await answerCall(decided, decision, fault, parts)
  const latencyMs = parts.now() - startedMs

  const usage = await countUsage(answer, call, plan, parts.tokens)
  const cost = costMicros(plan.target.price, usage)
  if (decision.admitted) await settle(decision.pass, usage, cost, parts.admission, reply.log)

  const facts = { admittedAtMs: decision.atMs, latencyMs, checks, answer, usage, costMicros: cost }
  try {
    const { seq } = await parts.ledger.append(writeReceipt(decided, facts))
    answer.release({
      'x-tallystick-cost-usd': formatUsd(cost),
      ...(seq !== null && { 'x-tallystick-receipt': String(seq) }),
    })
  } catch (error) {
    answer.withhold(toApiError(error))
  }
  parts.onFinished(call, plan, { outcome: answer.outcome, latencyMs })
}

/** Guards the call and forwards it. A fault of our own, before anything was forwarded, blocks it. */
async function answerCall(
  decided: DecidedCall,
  decision: Admitted | RefusedBySpend,
  fault: ApiError | null,
  parts: GatewayParts,
): Promise<{ checks: EntryCheck[]; answer: Answer }> {
  const { plan, entitlements, reply } = decided
  try {
    const { checks, refusal } = guard(
      plan,
      entitlements,
      decision.admitted ? null : budgetExceeded(decision, plan),
    )
    const obstacle = fault ?? refusal
    if (obstacle) return { checks, answer: refuse(obstacle, reply) }
    const body = plan.bodyWithin(decision.admitted ? decision.grantedMicros : 0)
    const judged = await judgePlannedRequest(decided, plan, body, parts)
    const answer = judged.refusal
      ? refuse(judged.refusal, reply)
      : await forward(decided, judged.body, parts, judged.judge)
    if (answer.outcome === 'ok' && judged.redacted()) answer.outcome = 'redacted'
    return { checks: [...checks, ...judged.checks()], answer }
  } catch (error) {
    return { checks: [], answer: refuse(toApiError(error), reply) }
  }
}

/** It keeps its place in the minute and uses nothing else. */
const refuse = (error: ApiError, reply: FastifyReply): Answer =>
  withoutAnswer(reply, { outcome: 'blocked', status: error.status, error }, false)

function rateLimitExceeded({ refusedBy, never, retryAfterSeconds }: Refused): ApiError {
  const { limit, unit, amount } = refusedBy
  const advice = never
    ? `this call may take ${amount}, so waiting does not help: lower its maximum output, or raise the limit`
    : `try again in ${retryAfterSeconds} s`
  const message = `The limit of ${limit} ${unit} per minute is reached; ${advice}`
  return new ApiError('rate_limit_exceeded', message, { retry_after: retryAfterSeconds })
}

function budgetExceeded({ refusal }: RefusedBySpend, { spend }: Plan): ApiError {
  const { claim, spentMicros, usedMicros } = refusal
  const { scopeType, endMs } = claim.account
  const left = Math.max(0, claim.limitMicros - usedMicros)
  const message = `The budget of this ${scopeType} has $${formatUsd(left)} left of $${formatUsd(claim.limitMicros)}, and this call needs at least $${formatUsd(spend?.leastMicros ?? 0)}`
  return new ApiError('budget_exceeded', message, {
    limit_usd: toUsd(claim.limitMicros),
    spent_usd: toUsd(spentMicros),
    resets_at: endMs === null ? null : new Date(endMs).toISOString(),
  })
}

/** The provider's own count where there is one; else ours, of what went in and what came out. */
async function countUsage(
  { usage, produced }: Answer,
  call: Call,
  plan: Plan,
  tokens: TokenCounter,
): Promise<TokenUsage> {
  if (produced === null) return nothingUsed
  try {
    const outputTokens = usage?.outputTokens ?? (await tokens.count(produced()))
    return { ...(usage ?? { ...nothingUsed, inputTokens: plan.worstCase.inputTokens }), outputTokens }
  } catch {
    // A token is at least a byte: it may record too much, never too little.
    return { ...nothingUsed, inputTokens: call.raw.length }
  }
}

/** A store that cannot be reached must not cost the call its receipt: what was reserved lapses with its window. */
async function settle(
  pass: Pass,
  usage: TokenUsage,
  micros: number,
  admission: AdmissionStore,
  log: FastifyReply['log'],
): Promise<void> {
  try {
    await admission.settle(pass, { tokens: usage.inputTokens + usage.outputTokens, micros })
  } catch (error) {
    log.error({ err: error }, 'a call could not be settled')
  }
}
