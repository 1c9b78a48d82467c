import { factsOfFinished, factsOfInterrupted, factsOfRefused } from './call-facts.js'
import { createCallMetrics } from './call-metrics.js'
import type { FinishedCall, RefusedCall } from './gateway/index.js'
import type { NumberedReceipt } from './ledger/index.js'
import type { Log, Metrics } from './telemetry/index.js'

/** What is told of every call, however it ends. */
export interface Observers {
  /** It was let in, and has a receipt. */
  finished(call: FinishedCall): void
  /** It was not let in. */
  refused(call: RefusedCall): void
  /** A group of receipts was committed: among them may be calls that another process left when it died. */
  recorded(receipts: readonly NumberedReceipt[], commitMs: number): void
}

export interface ObserverParts {
  metrics: Metrics
  log: Log
}

/** Tells logs, metrics and traces of each call, in their own terms: `telemetry` knows nothing of calls. */
export function createObservers({ metrics, log }: ObserverParts): Observers {
  const figures = createCallMetrics(metrics)
  return {
    finished(finished) {
      figures.finished(finished)
      if (log.writes(isUsual(finished) ? 'info' : 'error')) log.call(factsOfFinished(finished))
    },
    refused(refused) {
      figures.refused(refused)
      if (log.writes('error')) log.refused(factsOfRefused(refused))
    },
    recorded(receipts, commitMs) {
      figures.recorded(receipts, commitMs)
      for (const receipt of receipts)
        if (receipt.draft.outcome === 'interrupted') log.call(factsOfInterrupted(receipt))
    },
  }
}

/** Nobody need look at it. */
const isUsual = ({ draft, fault, doubt }: FinishedCall): boolean =>
  draft.outcome === 'ok' && fault === null && doubt === null
