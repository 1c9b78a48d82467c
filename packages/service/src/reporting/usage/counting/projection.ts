import type { Statement } from '../../../db/index.js'
import {
  canonicalModel,
  type NumberedReceipt,
  type Projection,
  type ReceiptDraft,
} from '../../../record/index.js'
import { noTags } from '../../../shared/tags.js'
import type { CountedCalls } from './counted-calls.js'
import { appendDeltas } from './deltas.js'
import { bucketOf } from './latency-buckets.js'
import { addToBucket, emptySum, errorOutcomes, type UsageSum } from './usage-sum.js'

/** Writes usage and spend in the receipts' own transaction, so that they cannot disagree. */
export const projectUsage: Projection = (receipts) =>
  appendDeltas(
    receipts
      .filter(({ draft }) => draft.kind !== 'control')
      .map((receipt) => ({
        seq: receipt.seq,
        session: receipt.draft.session ?? null,
        at: receipt.draft.ts,
        dimensions: dimensionsOf(receipt),
        sum: sumOf(receipt.draft),
      })),
  )

/** Writes a corrected cost at the time of the call that it corrects, under the number of the correction. */
export const projectUsageCorrection = (correction: NumberedReceipt): Statement[] =>
  appendDeltas([
    {
      ...numberOf(correction),
      at: correction.draft.ts,
      dimensions: dimensionsOf(correction),
      sum: { ...emptySum(), costNanos: correction.draft.costNanos ?? 0 },
    },
  ])

const numberOf = ({ seq, draft }: NumberedReceipt) => ({ seq, session: draft.session ?? null })

type Receipt = Pick<NumberedReceipt, 'tenantId' | 'draft'>

export const countReceipt = (receipt: Receipt): CountedCalls => ({
  at: receipt.draft.ts,
  dimensions: dimensionsOf(receipt),
  sum: sumOf(receipt.draft),
})

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
