import type { FinishedToolAttempt, RefusedTool } from '../../mcp/index.js'
import type { CallSummary } from '../../observability/index.js'
import { toolCallFields } from '../../record/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import { describe, describeTool, emptySummary, summarizeDraft, timesOf } from './call-summary.js'

const endpoint = 'mcp'
const route = '/mcp'

/** Describes a tool call that was admitted. */
export function summarizeTool(finished: FinishedToolAttempt): CallSummary {
  const { draft, stages, fault } = finished
  const summary = summarizeDraft(draft, finished.entitlements.tenantId)
  summary.receipt = finished.seq
  summary.endpoint = endpoint
  summary.route = route
  summary.traceId = finished.trace?.traceId ?? null
  summary.attempts = Number.isNaN(stages.forwardedMs) ? 0 : 1
  if (fault !== null) summary.status = fault.status
  summary.error = describe(fault ?? finished.error, fault !== null)
  summary.latencyMs = finished.latencyMs
  setTimes(summary, stages)
  return summary
}

/** Describes a tool call that was refused before admission. */
export function summarizeRefusedTool(refused: RefusedTool): CallSummary {
  const { id, server, tool, method, entitlements, error, stages, trace } = refused
  const { tenantId, keyId, userId, teamId } = scopeIdsOf(entitlements)
  const summary = emptySummary(id, tenantId)
  const called = toolCallFields({ server: server.name, tool, method })
  summary.key = keyId
  summary.user = userId
  summary.team = teamId
  summary.endpoint = endpoint
  summary.route = route
  summary.provider = called.provider
  summary.model = called.model
  summary.tool = describeTool(called)
  summary.status = error.status
  summary.outcome = 'refused'
  summary.error = describe(error, false)
  summary.traceId = trace?.traceId ?? null
  setTimes(summary, stages)
  return summary
}

function setTimes(summary: CallSummary, stages: FinishedToolAttempt['stages']): void {
  summary.beginMs = stages.arrivedMs
  summary.stages = timesOf(stages)
  summary.endMs = summary.stages.at(-1)?.endMs ?? stages.arrivedMs
}
