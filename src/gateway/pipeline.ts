import type { FastifyReply } from 'fastify'
import type { AdmissionStore, Pass, Refused } from '../admission/index.js'
import { ApiError, unauthorized, unavailable } from '../errors.js'
import { type Authenticate, type Caller, toApiError } from '../http/index.js'
import type { Ledger } from '../ledger/index.js'
import { costMicros, type ModelDirectory, type TokenCounter, type TokenUsage } from '../providers/index.js'
import { type Call, keyValueOf } from './call.js'
import { newCommitmentKey } from './commitment.js'
import type { Answer } from './answer.js'
import { forward } from './forward.js'
import { guard } from './guard.js'
import { formatUsd, rateLimitHeaders } from './headers.js'
import { makePlan, type Plan } from './plan.js'
import { writeReceipt } from './receipt.js'

export interface GatewayParts {
  authenticate: Authenticate
  admission: AdmissionStore
  models: ModelDirectory
  tokens: TokenCounter
  ledger: Ledger
  stopping: AbortSignal
  /** Milliseconds that only grow. */
  now(): number
  onRateLimited(caller: Caller, plan: Plan, call: Call): void
  onFinished(call: Call, plan: Plan, answer: { outcome: string; latencyMs: number }): void
}

const nothingUsed: TokenUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

/** The spine: one governed call from its key to its receipt. */
export async function govern(call: Call, reply: FastifyReply, parts: GatewayParts): Promise<void> {
  const startedMs = parts.now()
  const caller = await identify(call, parts)
  if (!parts.ledger.available()) throw unavailable('The record cannot be written at the moment; nothing was forwarded')

  const plan = await makePlan(call, caller, parts)

  const decision = await parts.admission.admit(caller.tenantId, plan.claims)
  const admittedAt = new Date()
  reply.headers(rateLimitHeaders(decision.standings))
  if (!decision.admitted) {
    parts.onRateLimited(caller, plan, call)
    throw rateLimitExceeded(decision)
  }

  const commitmentKey = newCommitmentKey()
  const { checks, refusal } = guard(plan, caller)
  const answer = refusal
    ? refused(refusal, reply)
    : await forward({ call, plan, reply, commitmentKey, stopping: parts.stopping, now: parts.now })
  const latencyMs = parts.now() - startedMs

  const usage = await countUsage(answer, plan, parts.tokens)
  const cost = costMicros(plan.target.price, usage)
  await settle(decision.pass, usage, parts.admission)

  const { outcome, status, upstreamModel, firstByteMs, commitment: response } = answer
  const receipt = writeReceipt({
    call, caller, plan, commitmentKey, admittedAt, latencyMs, outcome, status, checks, usage,
    costMicros: cost, upstreamModel, firstByteMs, response,
  })
  parts.onFinished(call, plan, { outcome, latencyMs })
  try {
    const { seq } = await parts.ledger.append(receipt)
    answer.release({
      'x-tallystick-cost-usd': formatUsd(cost),
      ...(seq !== null && { 'x-tallystick-receipt': String(seq) }),
    })
  } catch (error) {
    answer.withhold(toApiError(error))
  }
}

async function identify(call: Call, { authenticate }: GatewayParts): Promise<Caller> {
  const value = keyValueOf(call.headers)
  const caller = value === null ? null : await authenticate(value)
  if (caller === null) throw unauthorized()
  return caller
}

function rateLimitExceeded({ refusedBy, never, retryAfterSeconds }: Refused): ApiError {
  const { limit, unit, amount } = refusedBy
  const advice = never
    ? `this call may take ${amount}, so waiting does not help: lower its maximum output, or raise the limit`
    : `try again in ${retryAfterSeconds} s`
  return new ApiError('rate_limit_exceeded', `The limit of ${limit} ${unit} per minute is reached; ${advice}`, {
    retry_after: retryAfterSeconds,
  })
}

/** A call that a guard stopped: it keeps its place in the minute and uses nothing else. */
function refused(error: ApiError, reply: FastifyReply): Answer {
  return {
    outcome: 'blocked',
    status: error.status,
    usage: null,
    produced: null,
    upstreamModel: null,
    firstByteMs: null,
    commitment: null,
    release: (headers) => void reply.headers(headers).send(error),
    withhold: (fault) => void reply.send(fault),
  }
}

/** The provider's own count where there is one; else ours, of what went in and what came out. */
async function countUsage(answer: Answer, plan: Plan, tokens: TokenCounter): Promise<TokenUsage> {
  if (answer.usage) return answer.usage
  if (answer.produced === null) return nothingUsed
  const [inputTokens, outputTokens] = await Promise.all([plan.inputTokens(), tokens.count(answer.produced)])
  return { ...nothingUsed, inputTokens, outputTokens }
}

async function settle(pass: Pass, usage: TokenUsage, admission: AdmissionStore): Promise<void> {
  await admission.settle(pass, { tokens: usage.inputTokens + usage.outputTokens })
}
