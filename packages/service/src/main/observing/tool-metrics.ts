import { eachStage, type StageName } from '../../calls/core/index.js'
import type { FinishedToolAttempt, RefusedTool } from '../../mcp/index.js'
import type { Metrics } from '../../observability/index.js'
import type { NumberedReceipt, ReceiptDraft } from '../../record/index.js'

/** The properties of a tool call that are counted. */
type CountedTool = Pick<FinishedToolAttempt, 'draft' | 'stages' | 'latencyMs'>

export interface ToolMetrics {
  finished(call: CountedTool): void
  refused(call: { error: Pick<RefusedTool['error'], 'type'> }): void
  /** Counts a call of a process that died, by its receipt. */
  interrupted(receipt: Pick<NumberedReceipt, 'draft'>): void
}

const endpoint = 'mcp'
const noTeam = 'none'
// Excluded from the metric of stages, which measures providers in them. A tool may wait for a person.
const serverStages = new Set<StageName>(['forward', 'answer'])

/**
 * Counts tool calls when they end. In the metrics of models, all tools of a server count as one model of the provider `mcp`, so
 * that sums agree with the record and tools do not use up the labels of models.
 */
export function createToolMetrics(metrics: Metrics): ToolMetrics {
  const callSeconds = metrics.histogram('callSeconds', { endpoint })
  // These series exist from the start: an alert on growth would miss the first increment of a new series.
  for (const type of ['internal_error', 'unavailable']) metrics.counter('refused', { endpoint, type })

  function count(draft: ReceiptDraft): { server: string } {
    const { server = 'unknown', outcome = '', costNanos = 0, team = noTeam } = draft
    // URIs of resources and names of prompts are chosen by callers, so the method is counted instead.
    const tool = draft.method ?? draft.tool ?? 'unknown'
    const target = { provider: 'mcp', model: server }
    metrics.counter('calls', { ...target, endpoint, outcome }).add()
    metrics.counter('spend', target).add(costNanos)
    metrics.counter('toolCalls', { server, tool, outcome: draft.toolError ? 'tool_error' : outcome }).add()
    metrics.counter('toolSpend', { server, tool }).add(costNanos)
    metrics.counter('teamCalls', { team, outcome }).add()
    metrics.counter('teamSpend', { team }).add(costNanos)
    for (const { name, result, action = 'none' } of draft.checks ?? [])
      if (result === 'fail' || result === 'error')
        metrics.counter('failedChecks', { check: name, action }).add()
    return { server }
  }

  return {
    finished({ draft, stages, latencyMs }) {
      const labels = count(draft)
      callSeconds.observe(latencyMs / 1_000)
      const { guardedMs, forwardedMs, answeredMs } = stages
      const endedMs = Number.isNaN(answeredMs) ? forwardedMs : answeredMs
      if (!Number.isNaN(endedMs))
        metrics.histogram('toolSeconds', labels).observe((endedMs - guardedMs) / 1_000)
      eachStage(stages, (stage, beginMs, endMs) => {
        if (!serverStages.has(stage))
          metrics.histogram('stageSeconds', { stage }).observe((endMs - beginMs) / 1_000)
      })
    },
    refused({ error }) {
      metrics.counter('refused', { endpoint, type: error.type }).add()
    },
    interrupted({ draft }) {
      count(draft)
      metrics.counter('interrupted', {}).add()
    },
  }
}
