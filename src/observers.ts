import { factsOfFinished, factsOfInterrupted, factsOfRefused } from './call-facts.js'
import { createCallMetrics } from './call-metrics.js'
import type { FinishedCall, RefusedCall } from './gateway/index.js'
import type { NumberedReceipt } from './ledger/index.js'
import type { Log, Metrics, Tracing } from './telemetry/index.js'

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
  /** Null when traces are off. */
  tracing: Tracing | null
}

/** Tells logs, metrics and traces of each call, in their own terms: `telemetry` knows nothing of calls. */
export function createObservers({ metrics, log, tracing }: ObserverParts): Observers {
  const figures = createCallMetrics(metrics)
  return {
    finished(finished) {
      figures.finished(finished)
      const isLogged = log.writes(isUsual(finished) ? 'info' : 'error')
      if (!isLogged && !finished.trace?.isSampled) return
      const facts = factsOfFinished(finished)
      if (isLogged) log.call(facts)
      if (finished.trace !== null) tracing?.finish(finished.trace, facts)
    },
    refused(refused) {
      figures.refused(refused)
      const { trace } = refused.progress
      const isLogged = log.writes('error')
      if (!isLogged && !trace?.isSampled) return
      const facts = factsOfRefused(refused)
      if (isLogged) log.refused(facts)
      if (trace !== null) tracing?.finish(trace, facts)
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
