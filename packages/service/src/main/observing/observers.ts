import type { FinishedCall, RefusedCall } from '../../calls/model/index.js'
import type { FinishedTool, RefusedTool } from '../../mcp/index.js'
import type { CallFacts, Log, Metrics, Tracing } from '../../observability/index.js'
import type { NumberedReceipt } from '../../record/index.js'
import { factsOfFinished, factsOfInterrupted, factsOfRefused } from './call-facts.js'
import { createCallMetrics } from './call-metrics.js'
import { factsOfRefusedTool, factsOfTool } from './tool-facts.js'
import { createToolMetrics } from './tool-metrics.js'

/** What is told of every call, however it ends. */
export interface Observers {
  /** It was let in, and has a receipt. */
  finished(call: FinishedCall): void
  /** It was not let in. */
  refused(call: RefusedCall): void
  toolFinished(call: FinishedTool): void
  toolRefused(call: RefusedTool): void
  /** A group of receipts was committed: among them may be calls that another process left when it died. */
  recorded(receipts: readonly NumberedReceipt[], commitMs: number): void
}

export interface ObserverParts {
  metrics: Metrics
  log: Log
  /** Null when traces are off. */
  tracing: Tracing | null
}

/** Tells logs, metrics and traces of each call, in their own terms: `telemetry` knows nothing of calls. */
export function createObservers({ metrics, log, tracing }: ObserverParts): Observers {
  const figures = createCallMetrics(metrics)
  const toolFigures = createToolMetrics(metrics)

  /** Facts are made only where somebody wants them. */
  function tell(
    trace: FinishedCall['trace'],
    { level, write }: { level: 'info' | 'error'; write: 'call' | 'refused' },
    makeFacts: () => CallFacts,
  ): void {
    const isLogged = log.writes(level)
    if (!isLogged && !trace?.isSampled) return
    const facts = makeFacts()
    if (isLogged) log[write](facts)
    if (trace !== null) tracing?.finish(trace, facts)
  }

  return {
    finished(finished) {
      figures.finished(finished)
      const level = isUsual(finished) && finished.doubt === null ? 'info' : 'error'
      tell(finished.trace, { level, write: 'call' }, () => factsOfFinished(finished))
    },
    refused(refused) {
      figures.refused(refused)
      tell(refused.progress.trace, { level: 'error', write: 'refused' }, () => factsOfRefused(refused))
    },
    toolFinished(finished) {
      toolFigures.finished(finished)
      const level = isUsual(finished) ? 'info' : 'error'
      tell(finished.trace, { level, write: 'call' }, () => factsOfTool(finished))
    },
    toolRefused(refused) {
      toolFigures.refused(refused)
      tell(refused.trace, { level: 'error', write: 'refused' }, () => factsOfRefusedTool(refused))
    },
    recorded(receipts, commitMs) {
      figures.recorded(receipts, commitMs)
      for (const receipt of receipts) {
        if (receipt.draft.outcome !== 'interrupted') continue
        if (receipt.draft.kind === 'tool') toolFigures.interrupted(receipt)
        log.call(factsOfInterrupted(receipt))
      }
    },
  }
}

/** Nobody need look at it. */
const isUsual = ({ draft, fault }: Pick<FinishedCall, 'draft' | 'fault'>): boolean =>
  draft.outcome === 'ok' && fault === null
