import { oneToolCall } from '@tallystick/record/pricing'
import {
  attemptIdOf,
  type EntryCheck,
  type EntryOutcome,
  type NewReceipt,
  type ReceiptDraft,
  toolCallFields,
  type UsageSource,
} from '../../record/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import { admissionChecks, cutShortCheck, stageEndsOf } from '../core/index.js'
import type { ToolAnswer } from './answer.js'
import type { DecidedToolAttempt, ToolUsage } from './call.js'

/** The result of an attempt at a tool. */
interface ToolResult {
  latencyMs: number | null
  checks: readonly EntryCheck[]
  answer: Pick<ToolAnswer, 'status' | 'error' | 'commitment' | 'toolError' | 'rpcCode' | 'exceeded'> & {
    outcome: EntryOutcome
  }
  usage: ToolUsage
  source: UsageSource
}

/** Writes the receipt. Its `ts` is the time of admission, as for model calls. */
function writeReceipt(attempt: DecidedToolAttempt, result: ToolResult): NewReceipt {
  const { call, plan, number, commitmentKey } = attempt
  const { request, session, agent, tags } = call
  const { tenantId, keyId, userId, teamId } = scopeIdsOf(attempt.entitlements)
  const { answer, usage } = result
  const draft: ReceiptDraft = {
    id: attemptIdOf(call.id, number),
    ts: new Date(attempt.admittedAtMs).toISOString(),
    ...toolCallFields({ server: request.server.name, tool: request.name, method: request.method }),
    key: keyId,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    costNanos: usage.costNanos,
    counts: usage.counts,
    usage: result.source,
    price: attempt.priceHash,
    stream: false,
    status: answer.status,
    outcome: answer.outcome,
    request: attempt.commitment,
    policies: plan.policies,
    checks: [...result.checks, ...(answer.exceeded === null ? [] : [cutShortCheck(answer.exceeded)])],
  }
  const fault = answer.error?.serviceFault ?? null
  if (fault !== null) draft.fault = fault
  if (number > 1) {
    draft.call = call.id
    draft.attempt = number
  }
  if (userId !== null) draft.user = userId
  if (teamId !== null) draft.team = teamId
  if (session !== null) draft.session = session
  if (agent !== null) draft.agent = agent
  if (Object.keys(tags).length > 0) draft.tags = tags
  if (result.latencyMs !== null) draft.latencyMs = Math.round(result.latencyMs)
  if (answer.commitment !== null) draft.response = answer.commitment
  if (answer.toolError) draft.toolError = true
  if (answer.rpcCode !== null) draft.rpcCode = answer.rpcCode
  if (attempt.content !== null) draft.content = attempt.content.mode
  if (plan.packs.length > 0) draft.packs = [...plan.packs]
  return { tenantId, commitmentKey, draft }
}

export const writeToolReceipt = (
  attempt: DecidedToolAttempt,
  result: Omit<ToolResult, 'source'>,
): NewReceipt => ({
  ...writeReceipt(attempt, { ...result, source: 'counted' }),
  stageEnds: stageEndsOf(attempt.progress.stages),
})

/** Returns the receipt that is recorded if this process dies before the attempt has ended. */
export const writeInterruptedTool = (attempt: DecidedToolAttempt): NewReceipt =>
  writeReceipt(attempt, {
    latencyMs: null,
    checks: admissionChecks(attempt.reservation, { overBudget: null }),
    answer: {
      outcome: 'interrupted',
      status: 500,
      error: null,
      commitment: null,
      toolError: false,
      rpcCode: null,
      exceeded: null,
    },
    usage: { counts: oneToolCall, costNanos: attempt.call.request.server.priceNanos },
    source: 'reserved',
  })
