import { oneToolCall, toolCallPrice } from '@tallystick/record/pricing'
import type { Principal } from '../../http/index.js'
import { type PolicyJudge, type PolicySets, toolPoliciesOf } from '../../policies/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import type { PacksInForce } from '../../resources/packs/index.js'
import { ApiError } from '../../shared/errors.js'
import {
  budgetExceeded,
  type CallKind,
  type CallTrace,
  type PipelineParts,
  receiptHeaders,
  runCall,
  startStages,
  windowRefusal,
} from '../core/index.js'
import { callerGone, refuseWith } from './answer.js'
import type { DecidedToolAttempt, EndedToolAttempt, ToolTypes } from './call.js'
import { keepContent } from './content.js'
import type { FinishedToolAttempt, RefusedTool, ToolEnd, ToolRequest } from './contract.js'
import { type ExchangeParts, forwardTool } from './forward-tool.js'
import { askAgain, type NextAttemptParts, needsInput } from './next-attempt.js'
import { fullName } from './permission/may-call.js'
import { permitTool } from './permission/permit.js'
import { argumentsOf, judgeArguments, type ToolRuling } from './policies/judge-arguments.js'
import { readToolCall } from './read-call.js'
import { writeInterruptedTool, writeToolReceipt } from './receipt.js'
import { type ReserveToolParts, reserveTool } from './reserve.js'

export interface ToolCallParts extends PipelineParts, NextAttemptParts, ReserveToolParts, ExchangeParts {
  now(): number
  policySets: PolicySets
  packsInForce: PacksInForce
  policies: PolicyJudge
  /** Called once for every admitted attempt, after its receipt was written. Must not throw. */
  onFinished(finished: FinishedToolAttempt): void
  /** Called once for every call that a rate limit refused. Must not throw. */
  onRefused(refused: RefusedTool): void
  /** Called when the limit store cannot be reached. Must not throw. */
  onError(error: unknown): void
}

/** Makes one call to a server. Rejects with an `ApiError` when the call is not admitted; there is no receipt then. */
export type CallTool = (
  request: ToolRequest,
  principal: Principal,
  trace: CallTrace | null,
) => Promise<ToolEnd>

export function createToolCalls(parts: ToolCallParts): CallTool {
  const kind = createToolKind(parts)
  return (tool, principal, trace) => {
    const stages = startStages(parts.now())
    const progress = { stages, trace, entitlements: null, call: null, isReported: false }
    const { paramsJson, channel: caller } = tool
    return runCall(kind, { id: null, tool, paramsJson, principal, caller, progress }, parts)
  }
}

/** The call kind of tool calls and of the other MCP requests that carry content. Each goes to one server and has one result. */
function createToolKind(parts: ToolCallParts): CallKind<ToolTypes> {
  const kind: CallKind<ToolTypes> = {
    read: (request, entitlements) => readToolCall(request, entitlements, parts.yieldToEventLoop),
    sentBytesOf: ({ paramsJson }) => Buffer.from(paramsJson),
    captureContent: (options) => ({ ...options, receivedAt: new Date() }),
    async plan({ entitlements }) {
      const { tenantId } = entitlements
      const policySet = await parts.policySets.current(tenantId)
      return {
        policies: policySet.hash,
        selection: toolPoliciesOf(policySet.selectFor(scopeIdsOf(entitlements))),
        packs: await parts.packsInForce.current(tenantId),
      }
    },
    firstAttempt: async (planned) => ({ ...planned, number: 1 }),
    nextAttempt(ended) {
      const required = needsInput(ended)
      return required && askAgain(ended, required, kind, parts)
    },

    priceOf: ({ call }) => toolCallPrice(call.request.server.priceNanos),
    reserve: ({ call }, entitlements, now) => reserveTool(call, entitlements, now, parts),
    grant: () => null,
    writeInterrupted: writeInterruptedTool,
    createRateLimitError({ call, entitlements, progress }, decision) {
      const error = windowRefusal(decision)
      const { id, request } = call
      const { method, server, name: tool } = request
      const { stages, trace } = progress
      parts.onRefused({ id, method, server, tool, entitlements, error, stages, trace })
      return error
    },

    createBudgetError: ({ reservation }, decision) => budgetExceeded(decision, reservation),
    permit: permitTool,
    judge: (attempt) => judgeTool(attempt, parts.policies),
    forward: (attempt, ruling) => forwardTool(attempt, ruling, parts),

    refuse: ({ commitmentKey }, error, outcome) => refuseWith(error, outcome, commitmentKey),
    abandon: () => callerGone,
    countUsage: ({ call }, { isSent }) => ({
      counts: isSent ? oneToolCall : {},
      costNanos: isSent ? call.request.server.priceNanos : 0,
    }),
    writeReceipt: writeToolReceipt,
    onSettleFailed: (_, error) => parts.onError(error),
    onFinished(ended) {
      const { content } = ended.attempt
      if (ended.fault === null && content !== null) keepContent(content, ended, parts.contentCapture)
      parts.onFinished(describeFinishedAttempt(ended))
    },

    deliver,
    // The last answer was a question of the server, not a result, so the caller receives the error.
    deliverLast(_, error) {
      throw error
    },
  }
  return kind
}

function judgeTool(
  { call, entitlements, plan }: DecidedToolAttempt,
  policies: PolicyJudge,
): Promise<ToolRuling> {
  const { id, request, params, paramsJson, tags, session } = call
  const { server, name } = request
  return judgeArguments(
    policies,
    plan.selection,
    {
      ...{ id, entitlements, name, tags, session },
      server: server.name,
      fullName: fullName(server, name),
      arguments: argumentsOf(params),
    },
    paramsJson,
  )
}

function describeFinishedAttempt({
  attempt,
  answer,
  draft,
  seq,
  fault,
  latencyMs,
}: EndedToolAttempt): FinishedToolAttempt {
  const { method, server } = attempt.call.request
  const entitlements: Entitlements = attempt.entitlements
  const { stages, trace } = attempt.progress
  return { method, server, entitlements, draft, seq, fault, error: answer.error, stages, latencyMs, trace }
}

function deliver(ended: EndedToolAttempt): ToolEnd {
  const { answer, usage, seq, fault } = ended
  if (fault !== null) return { ...asError(fault), headers: {} }
  const headers = receiptHeaders(usage.costNanos, seq)
  if (needsInput(ended) !== null) return { errorJson: cannotAnswer, headers }
  return { ...(answer.response ?? asError(callerDisconnected)), headers }
}

const cannotAnswer = JSON.stringify({
  code: -32_000,
  message: 'The server requires input that this client cannot be asked for',
})

const asError = (error: ApiError) => ({
  errorJson: JSON.stringify({ code: -32_000, message: error.message, data: error.toBody().error }),
})

const callerDisconnected = new ApiError('unavailable', 'The caller has disconnected')
