import type { FinishedTool, RefusedTool } from '../../mcp/index.js'
import type { CallFacts } from '../../observability/index.js'
import { toolCallFields } from '../../record/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import { describe, describeTool, factsOfDraft, noFacts, timesOf } from './call-facts.js'

const endpoint = 'mcp'
const route = '/mcp'

/** Describes a tool call that was admitted. */
export function factsOfTool(finished: FinishedTool): CallFacts {
  const { draft, stages, fault } = finished
  const facts = factsOfDraft(draft, finished.entitlements.tenantId)
  facts.receipt = finished.seq
  facts.endpoint = endpoint
  facts.route = route
  facts.traceId = finished.trace?.traceId ?? null
  facts.attempts = Number.isNaN(stages.forwardedMs) ? 0 : 1
  if (fault !== null) facts.status = fault.status
  facts.error = describe(fault ?? finished.error, fault !== null)
  facts.latencyMs = finished.latencyMs
  setTimes(facts, stages)
  return facts
}

/** Describes a tool call that was refused before admission. */
export function factsOfRefusedTool(refused: RefusedTool): CallFacts {
  const { id, server, tool, method, entitlements, error, stages, trace } = refused
  const { tenantId, keyId, userId, teamId } = scopeIdsOf(entitlements)
  const facts = noFacts(id, tenantId)
  const called = toolCallFields({ server: server.name, tool, method })
  facts.key = keyId
  facts.user = userId
  facts.team = teamId
  facts.endpoint = endpoint
  facts.route = route
  facts.provider = called.provider
  facts.model = called.model
  facts.tool = describeTool(called)
  facts.status = error.status
  facts.outcome = 'refused'
  facts.error = describe(error, false)
  facts.traceId = trace?.traceId ?? null
  setTimes(facts, stages)
  return facts
}

function setTimes(facts: CallFacts, stages: FinishedTool['stages']): void {
  facts.beginMs = stages.arrivedMs
  facts.stages = timesOf(stages)
  facts.endMs = facts.stages.at(-1)?.endMs ?? stages.arrivedMs
}
