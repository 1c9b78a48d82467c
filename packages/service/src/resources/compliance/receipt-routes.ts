import { Type } from 'typebox'
import {
  costToNanos,
  defineResource,
  each,
  type ManagementApi,
  principalOf,
  strict,
  Usd,
} from '../../http/index.js'
import { listReceipts, type StoredReceipt } from '../../record/index.js'
import { type AdjustmentParts, adjustReceipt } from './adjustments.js'
import { Seq } from './proof-schema.js'
import { Receipt } from './receipt-schema.js'
import { requireReceipt } from './require-receipt.js'

const tag = 'Compliance'
const BySeq = Type.Object({ seq: Seq })

const presentReceipt = ({ canonical, leaf_hash }: StoredReceipt) => ({
  ...JSON.parse(canonical),
  leafHash: leaf_hash.toString('hex'),
  canonical,
})

const Adjustment = Type.Object(
  {
    amountUsd: Usd(
      'What the call really cost, such as by the bill of the provider; up to nine decimal places',
    ),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  },
  {
    ...strict,
    title: 'AdjustReceipt',
    examples: [{ amountUsd: 0.0042, reason: 'invoice of 2026-11, line 17' }],
  },
)

export function registerReceiptRoutes(
  api: ManagementApi,
  { adjustments }: { adjustments: AdjustmentParts },
): void {
  const { app, db } = api
  app.post(
    '/v1/compliance/receipts/:seq/adjust',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'adjustReceipt',
        summary: 'Correct the cost of a call',
        description:
          'For a receipt whose `usage` is `counted` or `reserved`: the provider did not report what it used. The receipt stays as it is; the correction is an entry of its own in the record, which budgets and usage follow at once. Answers that entry.',
        params: BySeq,
        body: Adjustment,
        response: { 200: Receipt },
      },
    },
    async (request) => {
      const { amountUsd, reason } = request.body
      const costNanos = costToNanos(amountUsd, 'amountUsd')
      const { seq } = request.params
      return presentReceipt(
        await adjustReceipt(adjustments, principalOf(request), seq, { costNanos, reason }),
      )
    },
  )

  defineResource(api, {
    path: '/v1/compliance/receipts',
    params: BySeq,
    tag,
    one: 'a receipt',
    many: 'receipts',
    item: Receipt,
    present: each(presentReceipt),
    find: ({ tenantId, own, params }) => requireReceipt(db, tenantId, params.seq, own),
    list: {
      access: 'member',
      description:
        'The record of the tenant, newest first. Every governed call leaves exactly one receipt. A member sees the receipts of its own calls; entries of the record itself, such as a correction, are for managers and auditors.',
      rows: ({ tenantId, filter: { own, after, limit } }) =>
        listReceipts(db, tenantId, { own, beforeSeq: after === null ? null : Number(after), limit }),
      position: (row) => String(row.seq),
    },
    read: { access: 'member', description: 'A member reads those of its own calls.' },
  })
}
