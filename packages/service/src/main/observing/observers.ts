import type { FinishedModelAttempt, RefusedCall } from '../../calls/model/index.js'
import type { FinishedToolAttempt, RefusedTool } from '../../mcp/index.js'
import type { CallSummary, Log, Metrics, Tracing } from '../../observability/index.js'
import type { NumberedReceipt } from '../../record/index.js'
import { createCallMetrics } from './call-metrics.js'
import { summarizeFinished, summarizeInterrupted, summarizeRefused } from './call-summary.js'
import { createToolMetrics } from './tool-metrics.js'
import { summarizeRefusedTool, summarizeTool } from './tool-summary.js'

/** Reports every call to logs, metrics and traces, however it ends. */
export interface Observers {
  /** Reports a call that was admitted and has a receipt. */
  finished(call: FinishedModelAttempt): void
  /** Reports a call that was refused before admission. */
  refused(call: RefusedCall): void
  toolFinished(call: FinishedToolAttempt): void
  toolRefused(call: RefusedTool): void
  /** Reports a committed group of receipts, which may contain calls of a process that died. */
  recorded(receipts: readonly NumberedReceipt[], commitMs: number): void
}

export interface ObserverParts {
  metrics: Metrics
  log: Log
  /** Null when traces are off. */
  tracing: Tracing | null
}

/** Creates the observers. They convert calls, of which `observability` knows nothing, into what logs, metrics and traces need. */
export function createObservers({ metrics, log, tracing }: ObserverParts): Observers {
  const callMetrics = createCallMetrics(metrics)
  const toolMetrics = createToolMetrics(metrics)

  /** Writes the log line and the trace. The summary is created only if one of them is written. */
  function report(
    trace: FinishedModelAttempt['trace'],
    { level, write }: { level: 'info' | 'error'; write: 'call' | 'refused' },
    createSummary: () => CallSummary,
  ): void {
    const isLogged = log.writes(level)
    if (!isLogged && !trace?.isSampled) return
    const summary = createSummary()
    if (isLogged) log[write](summary)
    if (trace !== null) tracing?.finish(trace, summary)
  }

  return {
    finished(finished) {
      callMetrics.finished(finished)
      const level = isSuccess(finished) && finished.doubt === null ? 'info' : 'error'
      report(finished.trace, { level, write: 'call' }, () => summarizeFinished(finished))
    },
    refused(refused) {
      callMetrics.refused(refused)
      report(refused.progress.trace, { level: 'error', write: 'refused' }, () => summarizeRefused(refused))
    },
    toolFinished(finished) {
      toolMetrics.finished(finished)
      const level = isSuccess(finished) ? 'info' : 'error'
      report(finished.trace, { level, write: 'call' }, () => summarizeTool(finished))
    },
    toolRefused(refused) {
      toolMetrics.refused(refused)
      report(refused.trace, { level: 'error', write: 'refused' }, () => summarizeRefusedTool(refused))
    },
    recorded(receipts, commitMs) {
      callMetrics.recorded(receipts, commitMs)
      for (const receipt of receipts) {
        if (receipt.draft.outcome !== 'interrupted') continue
        if (receipt.draft.kind === 'tool') toolMetrics.interrupted(receipt)
        log.call(summarizeInterrupted(receipt))
      }
    },
  }
}

/** True for a call that succeeded without a fault of this service. */
const isSuccess = ({ draft, fault }: Pick<FinishedModelAttempt, 'draft' | 'fault'>): boolean =>
  draft.outcome === 'ok' && fault === null
