import type { Projection, ReceiptDraft } from '../../ledger/index.js'
import { bucketOf } from './latency-buckets.js'
import { addToRollups } from './rollup.js'
import { addToBucket, emptySum, type UsageSum } from './usage-sum.js'

/** Usage, written in the receipts' own transaction, so that the two cannot disagree. */
export const projectUsage: Projection = (receipts) =>
  addToRollups(
    receipts.flatMap(({ tenantId, draft }) => {
      if (draft.kind === 'control') return []
      const {
        ts: at,
        key: keyId = null,
        user: userId = null,
        team: teamId = null,
        provider = null,
        model = null,
      } = draft
      return [{ at, dimensions: { tenantId, keyId, userId, teamId, provider, model }, sum: sumOf(draft) }]
    }),
  )

function sumOf(draft: ReceiptDraft): UsageSum {
  const latencyMs = draft.latencyMs ?? 0
  const sum = emptySum()
  sum.requests = 1
  sum.inputTokens = draft.inputTokens ?? 0
  sum.outputTokens = draft.outputTokens ?? 0
  sum.costNanos = draft.costNanos ?? 0
  if (draft.outcome === 'blocked') sum.blocked = 1
  if (draft.outcome === 'upstream_error' || draft.outcome === 'interrupted') sum.errors = 1
  sum.latencyMs = latencyMs
  addToBucket(sum.latencyBuckets, bucketOf(latencyMs), 1)
  return sum
}
