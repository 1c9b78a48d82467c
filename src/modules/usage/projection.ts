import type { Statement } from '../../db/index.js'
import {
  canonicalModel,
  type NumberedReceipt,
  type Projection,
  type ReceiptDraft,
} from '../../ledger/index.js'
import { noTags } from '../../tags.js'
import { bucketOf } from './latency-buckets.js'
import { addToRollups, type CountedCalls, createRollupWriter } from './rollup.js'
import { addToBucket, emptySum, errorOutcomes, type UsageSum } from './usage-sum.js'

/** Usage, written in the receipts' own transaction, so that the two cannot disagree. */
export function createUsageProjection(): Projection {
  const add = createRollupWriter()
  return (receipts) => add(receipts.filter(({ draft }) => draft.kind !== 'control').map(countReceipt))
}

type Receipt = Pick<NumberedReceipt, 'tenantId' | 'draft'>

export const countReceipt = (receipt: Receipt): CountedCalls => ({
  at: receipt.draft.ts,
  dimensions: dimensionsOf(receipt),
  sum: sumOf(receipt.draft),
})

/** A corrected cost, where the call was counted. */
export const projectUsageCorrection = (correction: NumberedReceipt): Statement[] =>
  addToRollups([
    {
      at: correction.draft.ts,
      dimensions: dimensionsOf(correction),
      sum: { ...emptySum(), costNanos: correction.draft.costNanos ?? 0 },
    },
  ])

const dimensionsOf = ({ tenantId, draft }: Receipt) => ({
  tenantId,
  keyId: draft.key ?? null,
  userId: draft.user ?? null,
  teamId: draft.team ?? null,
  provider: draft.provider ?? null,
  model: canonicalModel(draft),
  outcome: draft.outcome ?? null,
  tags: draft.tags ?? noTags,
})

function sumOf(draft: ReceiptDraft): UsageSum {
  const latencyMs = draft.latencyMs ?? 0
  const sum = emptySum()
  sum.requests = 1
  sum.inputTokens = draft.inputTokens ?? 0
  sum.outputTokens = draft.outputTokens ?? 0
  sum.costNanos = draft.costNanos ?? 0
  if (draft.outcome === 'blocked') sum.blocked = 1
  if (draft.outcome !== undefined && errorOutcomes.includes(draft.outcome)) sum.errors = 1
  sum.latencyMs = latencyMs
  addToBucket(sum.latencyBuckets, bucketOf(latencyMs), 1)
  return sum
}
