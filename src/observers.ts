import type { FinishedCall, RefusedCall } from './gateway/index.js'
import type { NumberedReceipt } from './ledger/index.js'
import type { Metrics } from './telemetry/index.js'

/** What is told of every call, however it ends. */
export interface Observers {
  /** It was let in, and has a receipt. */
  finished(call: FinishedCall): void
  /** It was not let in. */
  refused(call: RefusedCall): void
  /** A group of receipts was committed: among them may be calls that another process left when it died. */
  recorded(receipts: readonly NumberedReceipt[]): void
}

export interface ObserverParts {
  metrics: Metrics
}

/** Tells logs, metrics and traces of each call, in their own terms: `telemetry` knows nothing of calls. */
export function createObservers({ metrics }: ObserverParts): Observers {
  return {
    finished({ call, target, draft, latencyMs }) {
      const endpoint = call.dialect.name
      const outcome = draft.outcome ?? ''
      metrics.count('calls', { provider: target.provider.name, endpoint, outcome })
      metrics.observe('callSeconds', latencyMs / 1_000, { endpoint })
    },
    refused() {},
    recorded() {},
  }
}
